import { isDue } from './relevant.ts';
import type { Situation, Step } from './step.ts';

/** The width of what a prompt draws next to its question, in columns. */
const MARGIN = 4;

/** The answers, by their labels: in two columns if they fit, else each answer below its title. */
export function summaryOf(steps: readonly Step[], situation: Situation): string[] {
  const shown = steps.flatMap(step => {
    const values = isDue(step, situation) ? describeAnswer(step, situation) : [];
    return step.title === undefined || values.length === 0 ? [] : [{ title: step.title, values }];
  });
  const width = Math.max(...shown.map(({ title }) => title.length));
  const inColumns = shown.flatMap(({ title, values }) =>
    values.map((value, at) => `${(at === 0 ? title : '').padEnd(width)}  ${value}`),
  );
  const { columns = 80 } = situation;
  return inColumns.every(line => line.length <= columns - MARGIN)
    ? inColumns
    : shown.flatMap(({ title, values }) => [title, ...values.map(value => `  ${value}`)]);
}

function describeAnswer(step: Step, situation: Situation): string[] {
  const value = situation.answers[step.key];
  if (value === undefined) return [];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  const given: readonly string[] = [value].flat();
  if (step.kind !== 'one' && step.kind !== 'some') return [...given];
  const labels = step.choices(situation).flatMap(choice => (given.includes(choice.value) ? [choice.label] : []));
  return labels.length > 0 ? labels : ['none'];
}
