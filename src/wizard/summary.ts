import { breakLines } from '../lines.ts';
import { configOf } from './raw-config.ts';
import { isDue } from './relevant.ts';
import type { Situation, Step } from './step.ts';

/** The width of what a prompt draws next to its question, in columns. */
const MARGIN = 4;

interface SummaryRow {
  title: string;
  lines: string[];
}

/** The answers, by their labels, and what the bot needs: in two columns if they fit, else each answer below its title. */
export function summaryOf(steps: readonly Step[], situation: Situation): string[] {
  const answers = steps.flatMap(step => {
    const lines = isDue(step, situation) ? describeAnswer(step, situation) : [];
    return step.title === undefined || lines.length === 0
      ? []
      : [{ title: step.title, lines: [lines.join(lines.some(line => line.includes(', ')) ? '; ' : ', ')] }];
  });
  const rows = [...answers, describeNeeds(situation)];
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

/** The keys that the bot needs, each with where to get it. */
function describeNeeds(situation: Situation): SummaryRow {
  const needs = situation.needsOf(configOf(situation.answers, situation));
  const lines = needs.flatMap(({ names, getItAt }) => [names.join(', '), ...getItAt]);
  return { title: 'Needs', lines: lines.length > 0 ? lines : ['no API key'] };
}
