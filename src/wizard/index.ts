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
  isAsked,
  isDue,
  proposalFor,
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
