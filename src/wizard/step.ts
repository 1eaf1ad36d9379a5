import type { ScaffoldConfig } from '../config/config.ts';
import type { ConfigValues, LiteralOption } from '../config/options.ts';
import { ON_THIS_COMPUTER } from '../config/quickstart.ts';
import type { Choice } from '../shell/terminal/question.ts';

/** The choice that returns to the previous question, like Esc. */
export const BACK = 'back';

/** What the list of features offers: options that are on or off, and an avatar, whose service is asked for next. */
type Feature = Extract<LiteralOption, { kind: 'boolean' }>['key'] | 'avatar';

/** The answers so far: options by their keys, and answers that only the wizard needs. An unanswered key is absent. */
export interface Answers extends Omit<ConfigValues, 'transports'> {
  directory?: string;
  /** Whether to replace guides from an older botcli. */
  refresh?: boolean;
  /**
   * With a coding agent, or with the questions of this wizard, for a new bot or the one that is there; `decided` if there
   * is nothing left to ask.
   */
  build?: 'agent' | 'bot' | 'change' | 'decided';
  /** Whether to ask only what has no right answer for most people. */
  settings?: 'recommended' | 'local' | 'steps';
  /** The web client: a framework, and the server for it. */
  client?: string;
  /** The phone provider, as the generic id of its transport. */
  transport?: string;
  /** The direction of calls, if the transport has two. */
  direction?: NonNullable<ScaffoldConfig['daily_pstn_mode']>;
  /** The transports of a web bot, or those of a phone bot in addition to its provider's. */
  more_transports?: readonly string[];
  features?: readonly Feature[];
  /** The last answer: whether to create the bot. */
  make?: boolean;
}

/** What the questions need to know about the disk and the terminal. */
export interface Surroundings {
  columns?: number;
  /** Why a directory can't be used; undefined if it can. */
  problemOf(directory: string): string | undefined;
  /** The name of a directory: the default project name. */
  nameOf(directory: string): string;
  hasBot(directory: string): boolean;
  /** Whether a directory has files. */
  hasFiles(directory: string): boolean;
  /** The guides for coding agents that a directory lacks. */
  missingGuides(directory: string): readonly string[];
  /** How botcli made the bot in a directory; undefined if it didn't, or if that isn't known. */
  madeAs(directory: string): ScaffoldConfig | undefined;
  /** The guides in a directory that an older botcli wrote. */
  olderGuides(directory: string): readonly string[];
}

/** What a step depends on: the earlier answers, and the surroundings. */
export interface Situation extends Surroundings {
  answers: Answers;
}

interface StepFields {
  key: keyof Answers;
  /** The answer's name in the summary. Without it, the summary omits the answer. */
  title?: string;
  question: string | ((situation: Situation) => string);
  /** Whether the question is relevant after the earlier answers. Default: always. */
  when?(situation: Situation): boolean;
  /** Whether it's asked even with the recommended settings, because only the user knows the answer. */
  isPersonal?: true;
}

/** A question of the wizard, as a row. `initial` is the answer that Enter alone gives; of one choice, it's the first. */
export type Step =
  | (StepFields & {
      kind: 'text';
      initial(situation: Situation): string;
      validate(answer: string, situation: Situation): string | undefined;
      /** The answer in the summary. Default: as it was typed. */
      describe?(answer: string, situation: Situation): string;
    })
  | (StepFields & { kind: 'one'; choices(situation: Situation): readonly Choice[] })
  | (StepFields & {
      kind: 'some';
      choices(situation: Situation): readonly Choice[];
      initial: readonly string[];
      validate?(answer: readonly string[], situation: Situation): string | undefined;
    })
  | (StepFields & { kind: 'yes-no'; initial(situation: Situation): boolean });

/** Whether a question is relevant after the answers before it. A question without choices is not. */
export function isDue(step: Step, situation: Situation): boolean {
  if (step.when?.(situation) === false) return false;
  return (step.kind !== 'one' && step.kind !== 'some') || step.choices(situation).length > 0;
}

const { transports, ...services } = ON_THIS_COMPUTER;

/** What a bot has that runs on this computer, where it differs from the quick start. */
const LOCAL: Answers = { ...services, more_transports: transports, features: [] };

const presetOf = ({ key }: Step, { settings }: Answers) => (settings === 'local' ? LOCAL[key] : undefined);

/** Whether the user is asked. Without customizing, only personal questions are; the others get their presets. */
export const isAsked = (step: Step, { answers }: Situation): boolean =>
  presetOf(step, answers) === undefined &&
  (step.isPersonal === true || answers.settings === undefined || answers.settings === 'steps');

/**
 * The relevant answers: those to questions that are due, limited to what can still be chosen. The others are ignored
 * until a changed answer makes them relevant again.
 */
export function relevantAnswers(steps: readonly Step[], answers: Answers, surroundings: Surroundings): Answers {
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
export const proposalFor = (step: Step, before: Answer | undefined, situation: Situation): Answer =>
  (before === undefined ? undefined : keepable(step, before, situation)) ?? defaultOf(step, situation);

/** The answer that Enter alone gives. */
function defaultOf(step: Step, situation: Situation): Answer {
  if (step.kind === 'one') return step.choices(situation)[0]?.value ?? '';
  if (step.kind === 'some') return keepable(step, [...step.initial] as Answer, situation) ?? [];
  return step.initial(situation);
}

/** The part of an answer that can still be chosen; undefined if none of it can. */
function keepable(step: Step, value: Answer, situation: Situation): Answer | undefined {
  if (step.kind !== 'one' && step.kind !== 'some') return value;
  const values = step.choices(situation).map(choice => choice.value);
  if (Array.isArray(value)) return value.filter(one => values.includes(one)) as Answer;
  return values.includes(String(value)) ? value : undefined;
}
