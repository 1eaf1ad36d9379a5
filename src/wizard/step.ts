import type { ScaffoldConfig } from '../config/config.ts';
import type { ConfigValues, LiteralOption } from '../config/options.ts';
import type { Choice } from '../shell/terminal/question.ts';

/** The key of an option that is on or off. */
type FeatureKey = Extract<LiteralOption, { kind: 'boolean' }>['key'];

/** The choice that returns to the previous question, like Esc. */
export const BACK = 'back';

/** What the list of features offers: options that are on or off, and an avatar, whose service is asked for next. */
type Feature = FeatureKey | 'avatar';

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

type AnswerKey = keyof Answers;

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
  key: AnswerKey;
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
