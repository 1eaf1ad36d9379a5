import type { CallDirection } from '../catalog/index.ts';
import type { ConfigValues, LiteralOption } from '../config/options.ts';
import type { Choice } from '../shell/terminal/question.ts';

/** The key of an option that is on or off. */
export type FeatureKey = Extract<LiteralOption, { kind: 'boolean' }>['key'];

/** The answers so far: options by their keys, and answers that only the wizard needs. An unanswered key is absent. */
export interface Answers extends Omit<ConfigValues, 'transports'> {
  directory?: string;
  /** Whether to replace guides from an older botcli. */
  refresh?: boolean;
  /** With a coding agent, or with the questions of this wizard; `decided` if there is nothing left to ask. */
  build?: 'agent' | 'bot' | 'decided';
  /** The first transport that the user chooses, as a generic id. */
  transport?: string;
  /** The direction of calls, if the transport has two. */
  direction?: CallDirection;
  more_transports?: readonly string[];
  customise?: boolean;
  /** The features that are turned on. */
  features?: readonly FeatureKey[];
  /** The last answer: whether to create the bot. */
  make?: boolean;
}

type AnswerKey = keyof Answers;

/** What the questions need to know about the disk and the terminal. */
export interface Surroundings {
  /** The width of the terminal. */
  columns?: number;
  /** Why a directory can't be used; undefined if it can. */
  problemOf(directory: string): string | undefined;
  /** The name of a directory: the default project name. */
  nameOf(directory: string): string;
  /** Whether a directory already contains a bot. */
  hasBot(directory: string): boolean;
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
}

/** A question of the wizard, as a row. */
export type Step =
  | (StepFields & {
      kind: 'text';
      initial(situation: Situation): string;
      validate(answer: string, situation: Situation): string | undefined;
    })
  | (StepFields & { kind: 'one'; choices(situation: Situation): readonly Choice[] })
  | (StepFields & { kind: 'some'; choices(situation: Situation): readonly Choice[] })
  | (StepFields & { kind: 'yes-no'; initial: boolean });
