import { UserError } from '../../../errors.ts';
import type { Terminal } from '../../../shell/terminal.ts';
import { describeLocation, type Location, listCommand } from '../../input/location.ts';
import type { Plan } from '../../plan.ts';
import type { SecretSet } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';

/** The pause between checks, in milliseconds. */
const INTERVAL_MS = 1000;
/** How many times to check for keys before they count as missing. */
const GRACE = 3;
/** The limit for `--wait`, in milliseconds. */
const DEADLINE_MS = 120_000;

/**
 * Checks that all keys are stored, and others removed, instead of trusting the platform's responses.
 *
 * @throws {UserError} Keys are missing or still there, or the check failed.
 */
export async function verify(
  cloud: Cloud,
  location: Location,
  { add, replace, remove }: Plan,
  { sleep }: Pick<Terminal, 'sleep'>,
): Promise<SecretSet> {
  const sent = [...add, ...replace];
  const addContext = (error: UserError) =>
    error.withMessage(
      `The platform accepted every key (${sent.join(', ')}), but botcli could not check them. ${error.message}`,
      { facts: { applied: sent } },
    );
  let [missing, remaining] = [sent, remove];
  for (let look = 1; look <= GRACE; look += 1) {
    const set = await lookAt(cloud, location, addContext);
    missing = sent.filter(key => !set?.keys.includes(key));
    remaining = remove.filter(key => set?.keys.includes(key));
    if (set && missing.length + remaining.length === 0) return set;
    if (look < GRACE) await sleep(INTERVAL_MS / 2);
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

/** The current state of the set. `addContext` adds to the error if the request fails. */
async function lookAt(
  cloud: Cloud,
  location: Location,
  addContext: (error: UserError) => UserError,
): Promise<SecretSet | undefined> {
  try {
    const found = await cloud.find(location);
    return found?.type === 'secret' ? found.set : undefined;
  } catch (error) {
    throw error instanceof UserError ? addContext(error) : error;
  }
}

/**
 * Waits until the platform has provisioned a set.
 *
 * @throws {UserError} Provisioning failed, or takes too long.
 */
export async function waitUntilReady(
  cloud: Cloud,
  location: Location,
  set: SecretSet,
  { progress, sleep }: Pick<Terminal, 'progress' | 'sleep'>,
): Promise<SecretSet> {
  const end = Date.now() + DEADLINE_MS;
  const what = `All keys are set in ${describeLocation(location)}, but`;
  const addContext = (error: UserError) => error.withMessage(`${what} waiting for it failed. ${error.message}`);
  let current = set;
  while (current.status !== 'ready') {
    if (current.status === 'failed') {
      throw new UserError(`${what} provisioning failed: ${current.errorMessage ?? 'no reason given'}`, {
        reason: 'provisioning-failed',
        hint: `Fix what the platform reports, then set the keys again. To check, run: ${listCommand(location)}`,
      });
    }
    if (Date.now() > end) {
      throw new UserError(`${what} it is still ${current.status} after two minutes`, {
        reason: 'timeout',
        hint: `To check its status, run: ${listCommand(location)}`,
      });
    }
    progress.show(`Waiting for ${location.name} (${current.status})`);
    await sleep(INTERVAL_MS);
    current = (await lookAt(cloud, location, addContext)) ?? current;
  }
  return current;
}
