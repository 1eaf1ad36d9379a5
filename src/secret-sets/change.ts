import { explaining, hintOf, ignoring, UserError } from '../errors.ts';
import type { SecretRow, SecretSet } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { describeLocation, type Location, listCommand, type Secret, UNKNOWN } from '../platform/names.ts';
import { type Sleeper, until } from '../platform/until.ts';
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

/** Describes a plan in one line, for a log. */
export function summarize({ add, replace, remove, keep }: Plan, location: Location, region: string | undefined) {
  const effects = Object.entries({ adding: add, replacing: replace, removing: remove });
  const changes = effects.flatMap(([verb, keys]) => (keys.length > 0 ? [`${verb} ${keys.join(', ')}`] : []));
  const rest = keep.length === 1 ? 'keeping 1 other key' : `keeping ${keep.length} other keys`;
  return `${describeLocation(location)}${region ? `, region ${region}` : ''}: ${[...changes, rest].join('; ')}.`;
}

interface Step {
  action: keyof typeof OUTCOMES;
  key: string;
  send(): Promise<unknown>;
}

/** What an error says about each outcome of a step, and the name of that list in JSON. */
const OUTCOMES = {
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
} as const;

/** Sets keys in order, then removes others. An error lists what became of each key, and ends with what to do `next`. */
export async function applyChanges(
  { set = [], remove = [] }: { set?: readonly Secret[]; remove?: readonly string[] },
  location: Location,
  cloud: Cloud,
  { progress }: Pick<Terminal, 'progress'>,
  next: string,
): Promise<void> {
  // If somebody else just removed a key, that is fine.
  const removeKey = (key: string) =>
    cloud.deleteKey(location, key).catch(ignoring(({ reason }) => reason === 'not-found'));
  const steps: Step[] = [
    ...set.map((secret): Step => ({ action: 'set', key: secret.key, send: () => cloud.setKey(location, secret) })),
    ...remove.map((key): Step => ({ action: 'remove', key, send: () => removeKey(key) })),
  ];
  for (const [at, { action, key, send }] of steps.entries()) {
    const doing = action === 'set' ? 'Setting' : 'Removing';
    if (steps.length > 1) progress.show(`${doing} ${at + 1} of ${steps.length}: ${key}`);
    try {
      await send();
    } catch (error) {
      throw error instanceof UserError ? partialFailure(steps, at, error, next) : error;
    } finally {
      progress.clear();
    }
  }
}

/** The error for a run that stopped at a step. It lists the state of every key. */
function partialFailure(steps: readonly Step[], failedAt: number, error: UserError, next: string): UserError {
  const outcome = hasUnknownOutcome(error) ? 'unsure' : 'failed';
  const labels = new Map<string, string[]>();
  const facts: Record<string, string[]> = {};
  for (const { action } of steps) for (const at of ['done', 'pending'] as const) facts[OUTCOMES[action][at][1]] = [];
  for (const [at, { action, key }] of steps.entries()) {
    const [label, fact] = OUTCOMES[action][at < failedAt ? 'done' : at === failedAt ? outcome : 'pending'];
    labels.set(label, [...(labels.get(label) ?? []), key]);
    facts[fact] = [...(facts[fact] ?? []), key];
  }
  const { action, key } = steps[failedAt] as Step;
  const isInterrupted = error.reason === 'interrupted';
  return new UserError(isInterrupted ? 'Interrupted' : `Could not ${action} ${key}. ${error.message}`, {
    reason: error.reason,
    exitCode: isInterrupted ? error.exitCode : 1,
    problems: [...labels].map(([label, keys]) => `${label}: ${keys.join(', ')}`),
    hint: hintOf(error.hint, next),
    facts,
  });
}

// Each change is looked up afterwards, instead of trusting the platform's response. The platform may need a moment
// until it shows a change, so one look isn't enough to say that a change was lost.

/** Looks until a change shows, and returns the last state in any case. An error says that `what` was accepted. */
export async function lookUntil<State>(
  look: () => Promise<State>,
  { what, isVisible, facts = {} }: { what: string; isVisible(state: State): boolean; facts?: UserError['facts'] },
  terminal: Sleeper,
): Promise<State> {
  const unseen = (error: UserError) =>
    error.withMessage(`The platform accepted ${what}, but botcli could not check the result. ${error.message}`, {
      facts: { ...error.facts, ...facts },
    });
  const waiting = { isDone: isVisible, everyMs: 500, looks: 3 };
  return (await until(look, waiting, terminal).catch(explaining(unseen))).state as State;
}

/** @throws {UserError} The platform could not provision a secret. `stored` says what was stored. */
export function checkProvisioned(
  { status }: Pick<SecretRow, 'status'>,
  stored: string,
  location: Location,
  facts: UserError['facts'] = {},
): void {
  if (status !== 'failed') return;
  throw new UserError(`${stored}, but provisioning failed`, {
    reason: 'provisioning-failed',
    hint: `To see the platform's reason, run: ${listCommand(location)}\nThen run the same command again.`,
    facts,
  });
}

export const invisible = (message: string, location: Location): UserError =>
  new UserError(message, {
    reason: 'not-verified',
    hint: `The platform may need more time. To check, run: ${listCommand(location)}`,
  });

/** Checks that keys are stored or removed, and the set is provisioned, instead of trusting the platform's responses. */
export async function verify(
  cloud: Cloud,
  location: Location,
  { add, replace, remove }: Plan,
  terminal: Sleeper,
): Promise<SecretSet> {
  const sent = [...add, ...replace];
  const missingIn = (set?: SecretSet) => sent.filter(key => !set?.keys.includes(key));
  const remainingIn = (set?: SecretSet) => remove.filter(key => set?.keys.includes(key));
  const isRight = (set?: SecretSet) => missingIn(set).length + remainingIn(set).length === 0;
  // Right after a change, `failed` may still be the status from before.
  const isVisible = (set?: SecretSet) => isRight(set) && set?.status !== 'failed';
  const accepted = { what: `every key (${sent.join(', ')})`, isVisible, facts: { applied: sent } };
  const set = await lookUntil(() => readSet(cloud, location), accepted, terminal);
  if (set && isRight(set)) {
    checkProvisioned(set, allSetIn(location), location, { applied: sent });
    return set;
  }
  const [missing, remaining] = [missingIn(set), remainingIn(set)];
  const isMissing = missing.length > 0;
  const wrong = isMissing ? 'is missing some of them' : 'still has keys that were removed';
  throw new UserError(`The platform accepted every key, but ${describeLocation(location)} ${wrong}`, {
    reason: 'not-verified',
    problems: [
      ...(isMissing ? [`missing: ${missing.join(', ')}`] : []),
      ...(remaining.length > 0 ? [`not removed: ${remaining.join(', ')}`] : []),
    ],
    hint: `${isMissing ? 'Set them again' : 'Run the command again'}, then check: ${listCommand(location)}`,
    facts: { applied: sent.filter(key => !missing.includes(key)), missing, not_removed: remaining },
  });
}

const allSetIn = (location: Location) => `All keys are set in ${describeLocation(location)}`;

async function readSet(cloud: Cloud, location: Location): Promise<SecretSet | undefined> {
  const found = await cloud.find(location);
  return found?.type === 'secret' ? found.set : undefined;
}

/**
 * Waits for two minutes at most, and until `deadline` as in `Date.now()`, until the platform has provisioned a set. If
 * it doesn't report a status, there is nothing to wait for.
 */
export async function waitUntilReady(
  cloud: Cloud,
  location: Location,
  set: SecretSet,
  { note, progress, sleep }: Pick<Terminal, 'note' | 'progress' | 'sleep'>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<SecretSet> {
  const longest = Date.now() + 120_000;
  const failed = explaining(error =>
    error.withMessage(`${allSetIn(location)}, but waiting for it failed. ${error.message}`),
  );
  let current = set;
  const look = async (number: number) => {
    if (number > 1) current = (await readSet(cloud, location).catch(failed)) ?? current;
    checkProvisioned(current, allSetIn(location), location);
    return current;
  };
  const isDone = ({ status }: SecretSet) => status === 'ready' || status === UNKNOWN;
  const each = () => {
    if (!isDone(current)) progress.show(`Waiting for ${location.name} (${current.status})`);
  };
  const waiting = { isDone, each, everyMs: 1000, deadline: Math.min(longest, deadline) };
  if (!(await until(look, waiting, { sleep })).isDone) {
    const when = longest <= deadline ? 'after two minutes' : 'at the end of --timeout';
    throw new UserError(`${allSetIn(location)}, but it is still ${current.status} ${when}`, {
      reason: 'timeout',
      hint: `To check its status, run: ${listCommand(location)}`,
    });
  }
  if (current.status === UNKNOWN) note(`The platform reports no status for ${location.name}, so botcli didn't wait.`);
  return current;
}
