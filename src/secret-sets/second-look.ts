import { UserError } from '../errors.ts';
import type { SecretRow } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { describeLocation, type Location, listCommand } from '../platform/location.ts';
import type { Terminal } from '../shell/terminal.ts';

// Each change is looked up afterwards, instead of trusting the platform's response. The platform may need a moment
// until it shows a change, so one look isn't enough to say that a change was lost.

/** The pause between looks, in milliseconds. */
const INTERVAL_MS = 500;
const LOOKS = 3;

type Sleeper = Pick<Terminal, 'sleep'>;

/** Something that the platform accepted. */
interface Accepted<State> {
  /** As in "the platform accepted the request to delete my-set". */
  what: string;
  isVisible(state: State): boolean;
  /** Details for programs. */
  facts?: UserError['facts'];
}

/**
 * Looks until the change shows. Returns the last state, whether or not it shows the change.
 *
 * @throws {UserError} A look failed. The error says that the change was accepted.
 */
export async function lookUntil<State>(
  look: () => Promise<State>,
  { what, isVisible, facts = {} }: Accepted<State>,
  { sleep }: Sleeper,
): Promise<State> {
  try {
    for (let number = 1; ; number += 1) {
      const state = await look();
      if (isVisible(state) || number === LOOKS) return state;
      await sleep(INTERVAL_MS);
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw error.withMessage(`The platform accepted ${what}, but botcli could not check the result. ${error.message}`, {
      facts: { ...error.facts, ...facts },
    });
  }
}

/** @throws {UserError} A set still has keys that the platform claims to have removed, or the look-up failed. */
export async function checkRemoved(
  cloud: Cloud,
  location: Location,
  removed: readonly string[],
  terminal: Sleeper,
): Promise<void> {
  const what = `the request to remove ${removed.join(', ')}`;
  const look = async () => {
    const found = await cloud.find(location);
    return found?.type === 'secret' ? removed.filter(key => found.set.keys.includes(key)) : [];
  };
  const left = await lookUntil(look, { what, isVisible: keys => keys.length === 0 }, terminal);
  if (left.length === 0) return;
  throw invisible(
    `The platform accepted ${what}, but ${describeLocation(location)} still has ${left.join(', ')}`,
    location,
  );
}

/** @throws {UserError} The platform claims to have deleted a secret but still has it, or the look-up failed. */
export async function checkDeleted(cloud: Cloud, location: Location, terminal: Sleeper): Promise<void> {
  const what = `the request to delete ${location.name}`;
  const left = await lookUntil(() => cloud.find(location), { what, isVisible: found => !found }, terminal);
  if (left) throw invisible(`The platform accepted ${what}, but it still exists`, location);
}

/**
 * The image pull secret that the platform claims to have stored.
 *
 * @throws {UserError} The platform doesn't list it or could not provision it, or the look-up failed.
 */
export async function checkPullSecret(cloud: Cloud, location: Location, terminal: Sleeper): Promise<SecretRow> {
  const what = `the credentials of ${location.name}`;
  const isVisible = (row: SecretRow | undefined) => row !== undefined && row.status !== 'failed';
  const row = await lookUntil(() => cloud.findPullSecret(location), { what, isVisible }, terminal);
  if (!row) throw invisible(`The platform accepted ${what}, but doesn't list it`, location);
  checkProvisioned(row, `${describeLocation(location)} is stored`, location);
  return row;
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

const invisible = (message: string, location: Location): UserError =>
  new UserError(message, {
    reason: 'not-verified',
    hint: `The platform may need more time. To check, run: ${listCommand(location)}`,
  });
