import { findService } from '../catalog/index.ts';
import { OLLAMA } from '../catalog/ollama.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { breakLines } from '../lines.ts';
import { separated } from '../listed.ts';
import { needsOf } from '../project/variables/variables.ts';
import { madeBefore, presentAnswers } from './present-answers.ts';
import { configOf } from './raw-config.ts';
import { isDue, relevantAnswers } from './relevant.ts';
import type { Situation, Step } from './step.ts';

/** The width of what a prompt draws next to its question, in columns. */
const MARGIN = 4;

interface SummaryRow {
  /** What the answer is recorded as. Two questions with different titles may give the same. */
  key: string;
  title: string;
  lines: string[];
}

/** The answers, by their labels, and what the bot needs: in two columns if they fit, else each answer below its title. */
export function summaryOf(steps: readonly Step[], situation: Situation): string[] {
  const answers = describeAnswers(steps, situation);
  const made = madeBefore(situation);
  const rows = [
    ...(made ? withChanges(answers, describeAnswers(steps, situationOf(made, steps, situation))) : answers),
    ...(situation.answers.build === 'agent' ? [describeGuides(situation)] : describeNeeds(situation)),
  ];
  const { columns = 80 } = situation;
  const margin = Math.max(...rows.map(({ title }) => title.length)) + 2;
  const width = columns - MARGIN - margin;
  const isWide = width >= LEAST;
  return rows.flatMap(({ title, lines }) => {
    const broken = lines.flatMap(line => breakLines(line.split(' '), isWide ? width : columns - MARGIN - 2));
    if (!isWide) return [title, ...broken.map(line => `  ${line}`)];
    return broken.map((line, at) => (at === 0 ? title : '').padEnd(margin) + line);
  });
}

/** The answers, each on one line. */
function describeAnswers(steps: readonly Step[], situation: Situation): SummaryRow[] {
  return steps.flatMap(step => {
    const { key, title } = step;
    const parts = isDue(step, situation) ? describeAnswer(step, situation) : [];
    if (title === undefined || parts.length === 0) return [];
    return [{ key, title, lines: [separated(parts)] }];
  });
}

/** What was answered for a bot that exists, as far as the questions know. */
function situationOf(made: ScaffoldConfig, steps: readonly Step[], { answers, ...surroundings }: Situation): Situation {
  const { build, directory } = answers;
  const present = { ...presentAnswers(made), ...(build && { build }), ...(directory && { directory }) };
  return { ...surroundings, answers: relevantAnswers(steps, present, surroundings) };
}

/** The rows, with what they said before the change: `none → React`. */
function withChanges(rows: readonly SummaryRow[], before: readonly SummaryRow[]): SummaryRow[] {
  const textOf = (key: string, all: readonly SummaryRow[]) => all.find(row => row.key === key)?.lines.join() ?? 'none';
  const gone = before.filter(({ key }) => rows.every(row => row.key !== key));
  return [...rows, ...gone].map(row => {
    const [was, is] = [textOf(row.key, before), textOf(row.key, rows)];
    return { ...row, lines: [was === is ? is : `${was} → ${is}`] };
  });
}

/** The least width of the second column. */
const LEAST = 40;

/** Answers that say nothing. */
const NOTHING = ['none', 'default'];

function describeAnswer(step: Step, situation: Situation): string[] {
  const given = [situation.answers[step.key] ?? []].flat().map(String);
  if (step.kind === 'text') return given.map(text => step.describe?.(text, situation) ?? text);
  if (step.kind === 'yes-no') return situation.answers[step.key] === true ? ['yes'] : [];
  const values = given.filter(value => !NOTHING.includes(value));
  return step.choices(situation).flatMap(({ value, label }) => (values.includes(value) ? [label] : []));
}

/** The guides that are written: those that are missing, and those that are refreshed. */
function describeGuides({ answers: { directory = '.', refresh }, missingGuides, olderGuides }: Situation): SummaryRow {
  const names = [...missingGuides(directory), ...(refresh ? olderGuides(directory) : [])];
  return { key: 'guides', title: 'Writes', lines: [names.join(', ') || 'nothing: every guide exists'] };
}

/** The program and the keys that the bot needs, and those that only calls need, each with where to get it. */
function describeNeeds(situation: Situation): SummaryRow[] {
  const config = configOf(situation);
  const keysOf = (forCalls: boolean) =>
    needsOf(config, forCalls).flatMap(({ names, getItAt }) => [names.join(', '), ...getItAt]);
  const program =
    config.llm_service && findService('llm', config.llm_service).local?.pull ? ['Ollama', OLLAMA.install] : [];
  const [keys, forCalls] = [keysOf(false), keysOf(true)];
  return [
    { key: 'needs', title: 'Needs', lines: [...program, ...(keys.length > 0 ? keys : ['no API key'])] },
    ...(forCalls.length > 0 ? [{ key: 'calls', title: 'For calls', lines: forCalls }] : []),
  ];
}
