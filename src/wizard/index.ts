import { findService } from '../catalog/index.ts';
import { OLLAMA } from '../catalog/llm.ts';
import { changeLine, commandLines } from '../config/command.ts';
import { lostBetween, type ScaffoldConfig } from '../config/config.ts';
import { ON_THIS_COMPUTER, QUICKSTART } from '../config/quickstart.ts';
import { UserError } from '../errors.ts';
import { needsOf } from '../project/variables.ts';
import { Cancelled, type Choice, WentBack } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { breakLines, separated } from '../text.ts';
import { VERSION } from '../version.ts';
import {
  type Answers,
  botSteps,
  configOf,
  madeBefore,
  presentAnswers,
  type Situation,
  type Step,
  type Surroundings,
} from './bot-steps.ts';

export type { Answers, Surroundings } from './bot-steps.ts';

interface Decision {
  directory: string;
  /** Whether to replace guides from an older botcli. */
  refresh: boolean;
  /** The bot to create. If absent, write only the guides. */
  config?: ScaffoldConfig;
  /** Whether this changes the bot that is in the directory. */
  isChange?: boolean;
  /** The command that does the same without questions, for that bot. */
  repeat?: readonly string[];
}

/**
 * Asks what `botcli init` should do, except what `given` already answers. The returned configuration is the one
 * that the returned command gives.
 *
 * @throws {UserError} Exit code 130 if the user left; exit code 1 if the user declined at the end.
 */
export async function runWizard(given: Answers, surroundings: Surroundings, terminal: Terminal): Promise<Decision> {
  const known = { columns: terminal.columns, ...surroundings };
  const answers = await converse(given, known, terminal).catch((error: unknown) => {
    throw error instanceof Cancelled ? error.withMessage(NOTHING_WRITTEN) : error;
  });
  const { refresh = false, directory: typed = '.' } = answers;
  // In a command, the bare word `quickstart` means the preset.
  const directory = typed.trim() === QUICKSTART ? `./${QUICKSTART}` : typed.trim();
  if (answers.make === false) throw new UserError(NOTHING_WRITTEN, { reason: 'declined' });
  if (answers.build !== 'bot' && answers.build !== 'change') return { directory, refresh };
  const situation = { ...surroundings, answers };
  const config = configOf(situation);
  const made = madeBefore(situation);
  const { columns, env } = terminal;
  const repeat = made
    ? [changeLine(directory, made, config, env)]
    : commandLines(config, { directory, directoryName: surroundings.nameOf(directory), columns, env });
  return { directory, refresh, config, isChange: made !== undefined, repeat };
}

const NOTHING_WRITTEN = 'Cancelled. Nothing was written.';

/** What the user needs to know before the first question. */
const GREETING = [
  `Let's build a bot with botcli ${VERSION}.`,
  'Esc goes back, Ctrl-C quits.',
  'Nothing is written until you confirm.',
].join('\n');

/** Required by `ask` for when it can't ask. The wizard doesn't start then. */
const INSTEAD = 'Pass bot options instead. To list them, run botcli init --help.';

/**
 * Asks every relevant question in order, except those already answered in `given`. Esc goes back to the previous question.
 * All answers are kept, and become the defaults when the questions are asked again.
 *
 * @throws {Cancelled} The user left: with Esc on the first question, or in any other way.
 */
async function converse(given: Answers, surroundings: Surroundings, terminal: Terminal): Promise<Answers> {
  let answers = given;
  const asked: number[] = [];
  let isGreeted = false;
  for (let at = 0; at < initSteps.length; ) {
    const step = initSteps[at] as Step;
    const situation = { ...surroundings, answers: relevantAnswers(initSteps.slice(0, at), answers, surroundings) };
    if (given[step.key] !== undefined || !isDue(step, situation) || !isAsked(step, situation)) {
      at += 1;
      continue;
    }
    if (!isGreeted) terminal.note(terminal.noteStyle.dim(GREETING));
    isGreeted = true;
    try {
      // Changing a bot starts from its present answers.
      const made = madeBefore(situation);
      const answer = await ask(step, situation, { ...(made && presentAnswers(made)), ...answers }, terminal);
      if (answer === BACK) throw new WentBack();
      answers = { ...answers, [step.key]: answer };
      asked.push(at);
      at += 1;
    } catch (error) {
      const before = error instanceof WentBack ? asked.pop() : undefined;
      if (before === undefined) throw error;
      terminal.takeBack(2);
      at = before;
    }
  }
  return relevantAnswers(initSteps, answers, surroundings);
}

/** Asks one question. An earlier answer is the default. */
function ask(step: Step, situation: Situation, before: Answers, terminal: Terminal): Promise<unknown> {
  const question = typeof step.question === 'string' ? step.question : step.question(situation);
  const details = { instead: INSTEAD, isJoined: true };
  const initial: unknown = proposalFor(step, before[step.key], situation);
  switch (step.kind) {
    case 'text': {
      const validate = (answer: string) => step.validate(answer, situation);
      return terminal.ask(question, { ...details, suggestion: initial as string, validate });
    }
    case 'one':
      return terminal.choose(question, { ...details, choices: step.choices(situation), initial: initial as string });
    case 'some': {
      const validate = (values: readonly string[]) => step.validate?.(values, situation);
      const choices = step.choices(situation);
      return terminal.chooseSome(question, { ...details, choices, initial: initial as string[], validate });
    }
    case 'yes-no':
      return terminal.confirm(question, { ...details, initial: initial as boolean });
  }
}

/** Whether a question is relevant after the answers before it. A question without choices is not. */
function isDue(step: Step, situation: Situation): boolean {
  if (step.when?.(situation) === false) return false;
  return !('choices' in step) || step.choices(situation).length > 0;
}

const { transports, ...services } = ON_THIS_COMPUTER;

/** What a bot has that runs on this computer, where it differs from the quick start. */
const LOCAL: Answers = { ...services, more_transports: transports, features: [] };

const presetOf = ({ key }: Step, { settings }: Answers) => (settings === 'local' ? LOCAL[key] : undefined);

/** Whether the user is asked. Without customizing, only personal questions are; the others get their presets. */
const isAsked = (step: Step, { answers }: Situation): boolean =>
  presetOf(step, answers) === undefined &&
  (step.isPersonal === true || answers.settings === undefined || answers.settings === 'steps');

/**
 * The relevant answers: those to questions that are due, limited to what can still be chosen. The others are ignored
 * until a changed answer makes them relevant again.
 */
function relevantAnswers(steps: readonly Step[], answers: Answers, surroundings: Surroundings): Answers {
  const kept: Answers = {};
  for (const step of steps) {
    const situation = { ...surroundings, answers: kept };
    if (!isDue(step, situation)) continue;
    const value = isAsked(step, situation) ? answers[step.key] : (presetOf(step, kept) ?? defaultOf(step, situation));
    if (value !== undefined) Object.assign(kept, { [step.key]: keepable(step, value, situation) });
  }
  return kept;
}

type Answer = NonNullable<Answers[keyof Answers]>;

/** The answer to propose: what can be chosen of an earlier one, else the default. */
const proposalFor = (step: Step, before: Answer | undefined, situation: Situation): Answer =>
  (before === undefined ? undefined : keepable(step, before, situation)) ?? defaultOf(step, situation);

/** The answer that Enter alone gives. */
function defaultOf(step: Step, situation: Situation): Answer {
  if (step.kind === 'one') return step.choices(situation)[0]?.value ?? '';
  if (step.kind === 'some') return keepable(step, [...step.initial] as Answer, situation) ?? [];
  return step.initial(situation);
}

/** The part of an answer that can still be chosen; undefined if none of it can. */
function keepable(step: Step, value: Answer, situation: Situation): Answer | undefined {
  if (!('choices' in step)) return value;
  const values = step.choices(situation).map(choice => choice.value);
  if (Array.isArray(value)) return value.filter(one => values.includes(one)) as Answer;
  return values.includes(String(value)) ? value : undefined;
}

/** The choice that returns to the previous question, like Esc. */
const BACK = 'back';

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
    question: situation => buildersOf(situation).question,
    choices: situation => buildersOf(situation).choices,
  },
];

/** Who may build the bot, by what the directory has. */
function buildersOf({ answers, hasBot, madeAs }: Situation): { question: string; choices: readonly Choice[] } {
  const { directory = '.' } = answers;
  const place = directory === '.' ? 'This directory' : directory;
  if (madeAs(directory)) {
    const choices = [
      { value: 'change', label: 'Change this bot', hint: 'your edits stay' },
      { value: 'agent', label: 'Only add missing guides', hint: 'for a coding agent' },
    ];
    return { question: `${place} has a bot.`, choices };
  }
  if (hasBot(directory)) {
    const choices = [
      { value: 'agent', label: 'Leave it, and add guides', hint: 'for a coding agent' },
      { value: BACK, label: 'Choose another directory' },
    ];
    return { question: `${place} has a bot that botcli didn't make.`, choices };
  }
  const choices = [
    { value: 'bot', label: 'botcli, now', hint: 'a few questions' },
    { value: 'agent', label: 'My coding agent', hint: 'botcli writes instructions for it' },
  ];
  return { question: 'Who builds the bot?', choices };
}

const isBot = ({ answers: { build } }: Situation): boolean => build === 'bot' || build === 'change';

const steps: readonly Step[] = [
  ...startSteps,
  ...botSteps.map(step => ({
    ...step,
    when: (situation: Situation) => isBot(situation) && (step.when?.(situation) ?? true),
  })),
];

/** Every question of `botcli init`, in order. */
const initSteps: readonly Step[] = [
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

function finalQuestion(situation: Situation): string {
  const { build } = situation.answers;
  if (build === 'agent') return 'Write these guides?';
  const lost = lossesOf(situation);
  const loses = lost.length === 0 ? '' : `The bot loses its ${lost.join(' and its ')}. `;
  return `${loses}${build === 'change' ? 'Change' : 'Create'} this bot?`;
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

/** Answers that say nothing. */
const NOTHING = ['none', 'default'];

/** The answers, each on one line. */
const describeAnswers = (situation: Situation): SummaryRow[] =>
  steps.flatMap(step => {
    const { key, title } = step;
    if (title === undefined || !isDue(step, situation)) return [];
    const given = [situation.answers[key] ?? []].flat().map(String);
    const values = given.filter(value => !NOTHING.includes(value));
    const parts =
      'choices' in step
        ? step.choices(situation).flatMap(({ value, label }) => (values.includes(value) ? [label] : []))
        : given.map(text => (step.kind === 'text' && step.describe?.(text, situation)) || text);
    return parts.length > 0 ? [{ key, title, lines: [separated(parts)] }] : [];
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
