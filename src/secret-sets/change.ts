import { hintOf, ignoring, UserError } from '../errors.ts';
import type { Cloud } from '../platform/cloud.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { describeLocation, type Location, type Secret } from '../platform/names.ts';
import type { Terminal } from '../shell/terminal.ts';
import { unique } from '../std.ts';

/** What happens to each key of a set. Values are never part of it, nor their lengths. */
export interface Plan {
  add: string[];
  replace: string[];
  remove: string[];
  keep: string[];
}

/** Decides what happens to each key, `existing` or `set`: `removes` says so of existing keys that aren't set. */
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

/** The change to one key. The platform takes one key per request. */
interface Step {
  action: 'set' | 'remove';
  key: string;
  send(): Promise<unknown>;
}

/** What became of a step. */
type Outcome = 'done' | 'failed' | 'unsure' | 'pending';

/** What an error says about each outcome of a step, and the name of that list in JSON. */
const OUTCOMES: Readonly<Record<Step['action'], Readonly<Record<Outcome, readonly [label: string, fact: string]>>>> = {
  set: {
    done: ['set', 'applied'],
    failed: ['not set', 'failed'],
    unsure: ['possibly set', 'unsure'],
    pending: ['not sent', 'not_sent'],
  },
  remove: {
    done: ['removed', 'removed'],
    failed: ['not removed', 'failed'],
    unsure: ['possibly removed', 'unsure'],
    pending: ['not removed', 'not_removed'],
  },
};
const PROGRESS = { set: 'Setting', remove: 'Removing' };

/** Sets keys in order, then removes others. An error lists what became of each key, and ends with what to do `next`. */
export async function applyChanges(
  { set = [], remove = [] }: { set?: readonly Secret[]; remove?: readonly string[] },
  location: Location,
  cloud: Cloud,
  { progress }: Pick<Terminal, 'progress'>,
  next: string,
): Promise<void> {
  const steps: Step[] = [
    ...set.map((secret): Step => ({ action: 'set', key: secret.key, send: () => cloud.setKey(location, secret) })),
    ...remove.map((key): Step => ({ action: 'remove', key, send: () => removeKey(cloud, location, key) })),
  ];
  for (const [at, { action, key, send }] of steps.entries()) {
    if (steps.length > 1) progress.show(`${PROGRESS[action]} ${at + 1} of ${steps.length}: ${key}`);
    try {
      await send();
    } catch (error) {
      throw error instanceof UserError ? partialFailure(steps, at, error, next) : error;
    } finally {
      progress.clear();
    }
  }
}

/** Removes a key. If somebody else just removed it, that is fine. */
const removeKey = (cloud: Cloud, location: Location, key: string): Promise<void> =>
  cloud.deleteKey(location, key).catch(ignoring(({ reason }) => reason === 'not-found'));

/** The error for a run that stopped at a step. It lists the state of every key. */
function partialFailure(steps: readonly Step[], failedAt: number, error: UserError, next: string): UserError {
  const outcome = hasUnknownOutcome(error) ? 'unsure' : 'failed';
  const labels = new Map<string, string[]>();
  const facts = new Map<string, string[]>();
  for (const { action } of steps) for (const at of ['done', 'pending'] as const) facts.set(OUTCOMES[action][at][1], []);
  for (const [at, { action, key }] of steps.entries()) {
    const [label, fact] = OUTCOMES[action][at < failedAt ? 'done' : at === failedAt ? outcome : 'pending'];
    labels.set(label, [...(labels.get(label) ?? []), key]);
    facts.set(fact, [...(facts.get(fact) ?? []), key]);
  }
  const { action, key } = steps[failedAt] as Step;
  const isInterrupted = error.reason === 'interrupted';
  return new UserError(isInterrupted ? 'Interrupted' : `Could not ${action} ${key}. ${error.message}`, {
    reason: error.reason,
    exitCode: isInterrupted ? error.exitCode : 1,
    problems: [...labels].map(([label, keys]) => `${label}: ${keys.join(', ')}`),
    hint: hintOf(error.hint, next),
    facts: Object.fromEntries(facts),
  });
}
