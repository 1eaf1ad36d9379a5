import { describeLocation, type Location } from '../platform/location.ts';
import { unique } from '../std.ts';

/** What happens to each key of a set. Values are never part of it, nor their lengths. */
export interface Plan {
  add: string[];
  replace: string[];
  remove: string[];
  keep: string[];
}

/**
 * The one place that decides what happens to each key, `existing` or new.
 *
 * @param set The keys to add or replace, in order.
 * @param removes Whether to remove an existing key that isn't set.
 */
export function planChange(
  existing: readonly string[],
  { set = [], removes = () => false }: { set?: readonly string[]; removes?(key: string): boolean },
): Plan {
  const [before, named] = [new Set(existing), new Set(set)];
  const others = unique(existing).filter(key => !named.has(key));
  return {
    add: set.filter(key => !before.has(key)),
    replace: set.filter(key => before.has(key)),
    remove: others.filter(removes),
    keep: others.filter(key => !removes(key)),
  };
}

const EFFECTS = [
  ['add', 'adding'],
  ['replace', 'replacing'],
  ['remove', 'removing'],
] as const;

/** Describes a plan in one line, for a log. */
export function summarize(plan: Plan, location: Location, region: string | undefined): string {
  const changes = EFFECTS.flatMap(([fate, verb]) =>
    plan[fate].length > 0 ? [`${verb} ${plan[fate].join(', ')}`] : [],
  );
  const rest = plan.keep.length === 1 ? 'keeping 1 other key' : `keeping ${plan.keep.length} other keys`;
  return `${describeLocation(location)}${region ? `, region ${region}` : ''}: ${[...changes, rest].join('; ')}.`;
}
