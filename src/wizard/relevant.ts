import { ON_THIS_COMPUTER } from '../config/quickstart.ts';
import type { Answers, Situation, Step, Surroundings } from './step.ts';

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

/** The answer that Enter alone gives. */
export function defaultOf(step: Step, situation: Situation): Answer {
  switch (step.kind) {
    case 'text':
      return step.initial(situation);
    case 'one':
      return step.choices(situation)[0]?.value ?? '';
    case 'some': {
      const values = step.choices(situation).map(({ value }) => value);
      return step.initial.filter(one => values.includes(one)) as Answer;
    }
    case 'yes-no':
      return step.initial(situation);
  }
}

/** The part of an answer that can still be chosen; undefined if none of it can. */
export function keepable(step: Step, value: Answer, situation: Situation) {
  if (step.kind !== 'one' && step.kind !== 'some') return value;
  const values = step.choices(situation).map(choice => choice.value);
  if (Array.isArray(value)) return value.filter(one => values.includes(one));
  return values.includes(String(value)) ? value : undefined;
}
