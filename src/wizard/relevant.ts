import type { Answers, Situation, Step, Surroundings } from './step.ts';

/** Whether a question matters after the answers before it: one with nothing to choose from does not. */
export function isDue(step: Step, situation: Situation): boolean {
  if (step.when?.(situation) === false) return false;
  return (step.kind !== 'one' && step.kind !== 'some') || step.choices(situation).length > 0;
}

/**
 * The answers that matter after all: those to questions that are due, and of them what can still be chosen. The others
 * stay out of sight, until a changed answer lets them matter again.
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

/** What of an answer can still be chosen; nothing when it can't be at all. */
export function keepable(step: Step, value: NonNullable<Answers[keyof Answers]>, situation: Situation) {
  if (step.kind !== 'one' && step.kind !== 'some') return value;
  const values = step.choices(situation).map(choice => choice.value);
  if (Array.isArray(value)) return value.filter(one => values.includes(one));
  return values.includes(String(value)) ? value : undefined;
}
