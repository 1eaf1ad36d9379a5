import { changeLine, commandLines } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { QUICKSTART } from '../config/quickstart.ts';
import { UserError } from '../errors.ts';
import { Cancelled, WentBack } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';
import { configOf, madeBefore, presentAnswers } from './bot-steps.ts';
import { initSteps } from './init-steps.ts';
import {
  type Answers,
  BACK,
  defaultOf,
  isAsked,
  isDue,
  keepable,
  relevantAnswers,
  type Situation,
  type Step,
  type Surroundings,
} from './step.ts';

export type { Answers, Surroundings } from './step.ts';

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
  const answers = await converse(initSteps, given, known, terminal, suggestionsFor).catch((error: unknown) => {
    throw error instanceof Cancelled ? error.withMessage(NOTHING_WRITTEN) : error;
  });
  const { refresh = false } = answers;
  const directory = pathOf(answers.directory ?? '.');
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

/** Changing a bot starts from its present answers. */
function suggestionsFor(situation: Situation): Answers {
  const made = madeBefore(situation);
  return made ? presentAnswers(made) : {};
}

/** A typed directory as a command takes it. In a command, the bare word `quickstart` means the preset. */
function pathOf(typed: string): string {
  const path = typed.trim();
  return path === QUICKSTART ? `./${path}` : path;
}

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
 * @param suggest Answers that are defaults from the start, such as those of an existing bot.
 * @throws {Cancelled} The user left: with Esc on the first question, or in any other way.
 */
export async function converse(
  steps: readonly Step[],
  given: Answers,
  surroundings: Surroundings,
  terminal: Terminal,
  suggest: (situation: Situation) => Answers = () => ({}),
): Promise<Answers> {
  let answers = given;
  const asked: number[] = [];
  let isGreeted = false;
  for (let at = 0; at < steps.length; ) {
    const step = steps[at] as Step;
    const situation = { ...surroundings, answers: relevantAnswers(steps.slice(0, at), answers, surroundings) };
    if (given[step.key] !== undefined || !isDue(step, situation) || !isAsked(step, situation)) {
      at += 1;
      continue;
    }
    if (!isGreeted) terminal.note(terminal.noteStyle.dim(GREETING));
    isGreeted = true;
    try {
      const answer = await ask(step, situation, { ...suggest(situation), ...answers }, terminal);
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
  return relevantAnswers(steps, answers, surroundings);
}

/** Asks one question. An earlier answer is the default. */
function ask(step: Step, situation: Situation, before: Answers, terminal: Terminal): Promise<unknown> {
  const question = typeof step.question === 'string' ? step.question : step.question(situation);
  const details = { instead: INSTEAD, isJoined: true };
  const given = before[step.key];
  const last = given === undefined ? undefined : keepable(step, given, situation);
  const initial = last ?? defaultOf(step, situation);
  switch (step.kind) {
    case 'text':
      return terminal.ask(question, {
        ...details,
        suggestion: initial as string,
        validate: answer => step.validate(answer, situation),
      });
    case 'one':
      return terminal.choose(question, { ...details, choices: step.choices(situation), initial: initial as string });
    case 'some':
      return terminal.chooseSome(question, {
        ...details,
        choices: step.choices(situation),
        initial: initial as readonly string[],
        validate: values => step.validate?.(values, situation),
      });
    case 'yes-no':
      return terminal.confirm(question, { ...details, initial: initial as boolean });
  }
}
