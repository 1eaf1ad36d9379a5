import { explaining, UserError } from '../errors.ts';
import type { SecretRow, SecretSet } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { describeLocation, type Location, listCommand, UNKNOWN } from '../platform/names.ts';
import { until } from '../platform/until.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Plan } from './change.ts';

// Each change is looked up afterwards, instead of trusting the platform's response. The platform may need a moment
// until it shows a change, so one look isn't enough to say that a change was lost.

type Sleeper = Pick<Terminal, 'sleep'>;

/** Something that the platform accepted. */
interface Accepted<State> {
  /** As in "the platform accepted the request to delete my-set". */
  what: string;
  isVisible(state: State): boolean;
  /** Details for programs. */
  facts?: UserError['facts'];
}

/** Looks until the change shows, and returns the last state, with or without it. An error says what was accepted. */
export async function lookUntil<State>(
  look: () => Promise<State>,
  { what, isVisible, facts = {} }: Accepted<State>,
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

/** A change that doesn't show. */
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
  terminal: Pick<Terminal, 'sleep'>,
): Promise<SecretSet> {
  const sent = [...add, ...replace];
  const wrongIn = (set?: SecretSet) => ({
    missing: sent.filter(key => !set?.keys.includes(key)),
    remaining: remove.filter(key => set?.keys.includes(key)),
  });
  const isRight = (set?: SecretSet) => Object.values(wrongIn(set)).flat().length === 0;
  // Right after a change, `failed` may still be the status from before.
  const isVisible = (set?: SecretSet) => isRight(set) && set?.status !== 'failed';
  const accepted = { what: `every key (${sent.join(', ')})`, isVisible, facts: { applied: sent } };
  const set = await lookUntil(() => readSet(cloud, location), accepted, terminal);
  const { missing, remaining } = wrongIn(set);
  if (set && isRight(set)) {
    checkProvisioned(set, allSetIn(location), location, { applied: sent });
    return set;
  }
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
