import type { CallDirection } from '../catalog/index.ts';
import type { ConfigValues, LiteralOption } from '../config/options.ts';
import type { Choice } from '../shell/terminal/question.ts';

/** The key of an option that is on or off. */
export type FeatureKey = Extract<LiteralOption, { kind: 'boolean' }>['key'];

/** What was answered so far: options by their keys, and what only the wizard asks. An answer is absent until then. */
export interface Answers extends Omit<ConfigValues, 'transports'> {
  directory?: string;
  /** Whether guides of an older botcli are replaced. */
  refresh?: boolean;
  /** With a coding agent, or with the questions of this wizard; nobody is asked what was decided before. */
  build?: 'agent' | 'bot' | 'decided';
  /** The transport that people choose first, as a generic id. */
  transport?: string;
  /** Which way calls go, where the transport has two. */
  direction?: CallDirection;
  more_transports?: readonly string[];
  customise?: boolean;
  /** The options of the group that are switched on. */
  features?: readonly FeatureKey[];
  /** The last word: whether it's made. */
  make?: boolean;
}

type AnswerKey = keyof Answers;

/** What the questions have to know of the disk and the terminal. */
export interface Surroundings {
  /** The width to write for. */
  columns?: number;
  /** Why nothing can be made in a directory; nothing when it can. */
  problemOf(directory: string): string | undefined;
  /** The name of a directory, which is the project's unless another is given. */
  nameOf(directory: string): string;
  /** Whether a bot is there already. */
  hasBot(directory: string): boolean;
  /** The guides there that an older botcli wrote. */
  olderGuides(directory: string): readonly string[];
}

/** What a step goes by: the answers before it, and what is there. */
export interface Situation extends Surroundings {
  answers: Answers;
}

interface StepFields {
  key: AnswerKey;
  /** What the summary calls the answer; left out, the summary leaves it out, too. */
  title?: string;
  question: string | ((situation: Situation) => string);
  /** Whether it matters after the answers before it; left out, always. */
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
