import { findService } from '../catalog/index.ts';
import { OLLAMA } from '../catalog/llm.ts';
import { lostBetween, type ScaffoldConfig } from '../config/config.ts';
import { needsOf } from '../project/variables.ts';
import { breakLines, separated } from '../text.ts';
import { VERSION } from '../version.ts';
import { botSteps, configOf, madeBefore, madeHere, presentAnswers } from './bot-steps.ts';
import { type Answers, BACK, isDue, relevantAnswers, type Situation, type Step } from './step.ts';

const DEFAULT_DIRECTORY = 'my-bot';

/** The default, or a name like it that no directory with files has. */
function freeName(hasFiles: Situation['hasFiles']): string {
  const names = [DEFAULT_DIRECTORY, ...Array.from({ length: 98 }, (_, at) => `${DEFAULT_DIRECTORY}-${at + 2}`)];
  return names.find(name => !hasFiles(name)) ?? DEFAULT_DIRECTORY;
}

const startSteps: readonly Step[] = [
  {
    key: 'directory',
    kind: 'text',
    title: 'Directory',
    question: 'Where should the bot go?\n(a new directory, or . for this one)',
    initial: ({ hasFiles }) => freeName(hasFiles),
    validate: (answer, { problemOf }) => problemOf(answer),
    describe: (answer, { nameOf, hasBot, hasFiles }) => {
      const place = answer === '.' ? `this one, ${nameOf(answer)}` : answer;
      return hasFiles(answer) && !hasBot(answer) ? `${place} (its files stay)` : place;
    },
  },
  {
    key: 'refresh',
    kind: 'yes-no',
    question: situation => {
      const names = guidesToRefresh(situation);
      const they = names.length === 1 ? 'It predates' : 'They predate';
      const edits = names.length === 1 ? 'Edits in it will be lost.' : 'Edits in them will be lost.';
      return `Refresh ${names.join(', ')}?\n${they} botcli ${VERSION}.\n${edits}`;
    },
    when: situation => guidesToRefresh(situation).length > 0,
    initial: () => true,
  },
  {
    key: 'build',
    kind: 'one',
    question: 'Who builds the bot?',
    when: situation => !hasBotHere(situation),
    choices: () => [
      { value: 'bot', label: 'botcli, now', hint: 'a few questions' },
      { value: 'agent', label: 'My coding agent', hint: 'botcli writes instructions for it' },
    ],
  },
  {
    key: 'build',
    kind: 'one',
    question: ({ answers }) => `${placeOf(answers)} has a bot.`,
    when: situation => madeHere(situation) !== undefined,
    choices: () => [
      { value: 'change', label: 'Change this bot', hint: 'your edits stay' },
      { value: 'agent', label: 'Only add missing guides', hint: 'for a coding agent' },
    ],
  },
  {
    key: 'build',
    kind: 'one',
    question: ({ answers }) => `${placeOf(answers)} has a bot that botcli didn't make.`,
    when: situation => hasBotHere(situation) && madeHere(situation) === undefined,
    choices: () => [
      { value: 'agent', label: 'Leave it, and add guides', hint: 'for a coding agent' },
      { value: BACK, label: 'Choose another directory' },
    ],
  },
];

const hasBotHere = ({ answers, hasBot }: Situation): boolean => hasBot(answers.directory ?? '.');

const placeOf = ({ directory = '.' }: Answers): string => (directory === '.' ? 'This directory' : directory);

const isBot = ({ answers: { build } }: Situation): boolean => build === 'bot' || build === 'change';

const steps: readonly Step[] = [
  ...startSteps,
  ...botSteps.map(step => ({
    ...step,
    when: (situation: Situation) => isBot(situation) && (step.when?.(situation) ?? true),
  })),
];

/** Every question of `botcli init`, in order. */
export const initSteps: readonly Step[] = [
  ...steps,
  {
    key: 'make',
    kind: 'yes-no',
    question: situation => [...summaryOf(situation), '', finalQuestion(situation)].join('\n'),
    when: situation => isBot(situation) || situation.answers.build === 'agent',
    // Enter alone takes nothing away that people have put work into.
    initial: situation => lossesOf(situation).length === 0,
    isPersonal: true,
  },
];

/** What the bot loses that people have put work into. */
function lossesOf(situation: Situation): string[] {
  const made = madeBefore(situation);
  return made ? lostBetween(made, configOf(situation)).map(([, name]) => name) : [];
}

const FINAL = { bot: 'Create this bot?', change: 'Change this bot?', agent: 'Write these guides?' };

function finalQuestion(situation: Situation): string {
  const question = FINAL[situation.answers.build as keyof typeof FINAL];
  const lost = lossesOf(situation);
  return lost.length === 0 ? question : `The bot loses its ${lost.join(' and its ')}. ${question}`;
}

const guidesToRefresh = ({ answers, olderGuides }: Situation): readonly string[] =>
  olderGuides(answers.directory ?? '.');

/** The width of what a prompt draws next to its question, in columns. */
const MARGIN = 4;

interface SummaryRow {
  /** What the answer is recorded as. Two questions with different titles may give the same. */
  key: string;
  title: string;
  lines: string[];
}

/** The answers, by their labels, and what the bot needs: in two columns if they fit, else each answer below its title. */
function summaryOf(situation: Situation): string[] {
  const answers = describeAnswers(situation);
  const made = madeBefore(situation);
  const rows = [
    ...(made ? withChanges(answers, made, situation) : answers),
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
const describeAnswers = (situation: Situation): SummaryRow[] =>
  steps.flatMap(step => {
    const { key, title } = step;
    const parts = title !== undefined && isDue(step, situation) ? describeAnswer(step, situation) : [];
    return title === undefined || parts.length === 0 ? [] : [{ key, title, lines: [separated(parts)] }];
  });

/** The rows of a changed bot, with what they said before: `none → React`. */
function withChanges(rows: readonly SummaryRow[], made: ScaffoldConfig, situation: Situation): SummaryRow[] {
  const { answers, ...surroundings } = situation;
  const { build, directory } = answers;
  // What was answered for a bot that exists, as far as the questions know.
  const present = { ...presentAnswers(made), ...(build && { build }), ...(directory && { directory }) };
  const before = describeAnswers({ ...surroundings, answers: relevantAnswers(steps, present, surroundings) });
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
