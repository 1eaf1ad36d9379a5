import type { Prompts } from '../shell/terminal/prompts.ts';
import { WentBack } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isDue, keepable, relevantAnswers } from './relevant.ts';
import type { Answers, Situation, Step, Surroundings } from './step.ts';

/** What a person has to know before the first question. */
const GREETING = 'Esc goes back, Ctrl-C leaves.\nNothing is written before the end.';

/** What `ask` takes where nobody can be asked; the wizard isn't begun there. */
const INSTEAD = 'Pass scaffold options: botcli init --help shows them.';

/**
 * Asks every question that matters, in order. What is given isn't asked. Esc goes back to the question before, whose
 * answer is kept; so are those behind it, and proposed again.
 *
 * @throws {Cancelled} It was left: with Esc on the first question, or by any other way out.
 */
export async function converse(
  steps: readonly Step[],
  given: Answers,
  surroundings: Surroundings,
  terminal: Terminal,
): Promise<Answers> {
  let answers = given;
  const asked: number[] = [];
  let isGreeted = false;
  for (let at = 0; at < steps.length; ) {
    const step = steps[at] as Step;
    const situation = { ...surroundings, answers: relevantAnswers(steps.slice(0, at), answers, surroundings) };
    if (given[step.key] !== undefined || !isDue(step, situation)) {
      at += 1;
      continue;
    }
    if (!isGreeted) terminal.note(terminal.noteStyle.dim(GREETING));
    isGreeted = true;
    try {
      answers = { ...answers, [step.key]: await ask(step, situation, answers, terminal) };
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

/** Asks one question; the answer of before, if there was one, is proposed. */
function ask(step: Step, situation: Situation, before: Answers, prompts: Prompts): Promise<unknown> {
  const question = typeof step.question === 'string' ? step.question : step.question(situation);
  const details = { instead: INSTEAD, isJoined: true };
  const given = before[step.key];
  const last = given === undefined ? undefined : keepable(step, given, situation);
  switch (step.kind) {
    case 'text': {
      const initial = (last as string | undefined) ?? step.initial(situation);
      return prompts.ask(question, { ...details, initial, validate: answer => step.validate(answer, situation) });
    }
    case 'one':
      return prompts.choose(question, {
        ...details,
        choices: step.choices(situation),
        initial: last as string | undefined,
      });
    case 'some':
      return prompts.chooseSome(question, {
        ...details,
        choices: step.choices(situation),
        initial: last as string[] | undefined,
      });
    case 'yes-no':
      return prompts.confirm(question, { ...details, initial: (last as boolean | undefined) ?? step.initial });
  }
}
