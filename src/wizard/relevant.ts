import type { Answers, Situation, Step, Surroundings } from './step.ts';

/** Whether a question is relevant after the answers before it. A question without choices is not. */
export function isDue(step: Step, situation: Situation): boolean {
  if (step.when?.(situation) === false) return false;
  return (step.kind !== 'one' && step.kind !== 'some') || step.choices(situation).length > 0;
}

/**
 * The relevant answers: those to questions that are due, limited to what can still be chosen. The others are ignored
 * until a changed answer makes them relevant again.
 */
export function relevantAnswers(steps: readonly Step[], answers: Answers, surroundings: Surroundings): Answers {
  const kept: Answers = {};
  for (const step of steps) {
    const situation = { ...surroundings, answers: kept };
    const value = answers[step.key];
    if (value !== undefined && isDue(step, situation))
      Object.assign(kept, { [step.key]: keepable(step, value, situation) });
  }
  return kept;
}

/** The part of an answer that can still be chosen; undefined if none of it can. */
export function keepable(step: Step, value: NonNullable<Answers[keyof Answers]>, situation: Situation) {
  if (step.kind !== 'one' && step.kind !== 'some') return value;
  const values = step.choices(situation).map(choice => choice.value);
  if (Array.isArray(value)) return value.filter(one => values.includes(one));
  return values.includes(String(value)) ? value : undefined;
}
