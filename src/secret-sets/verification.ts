import { explaining, UserError } from '../errors.ts';
import type { SecretSet } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { UNKNOWN } from '../platform/cloud-error.ts';
import { describeLocation, type Location, listCommand } from '../platform/location.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Plan } from './plan.ts';
import { checkProvisioned, lookUntil } from './second-look.ts';

/** The pause between checks, in milliseconds. */
const INTERVAL_MS = 1000;
/** The limit for `--wait`, in milliseconds. */
const DEADLINE_MS = 120_000;

/**
 * Checks that all keys are stored, and others removed, instead of trusting the platform's responses.
 *
 * @throws {UserError} Keys are missing or still there, the platform could not provision the set, or the check failed.
 */
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
 * Waits until the platform has provisioned a set. If it doesn't report a status, there is nothing to wait for.
 *
 * @param deadline As in `Date.now()`, if the command has less than the usual two minutes.
 *
 * @throws {UserError} Provisioning failed, or takes too long.
 */
export async function waitUntilReady(
  cloud: Cloud,
  location: Location,
  set: SecretSet,
  { note, progress, sleep }: Pick<Terminal, 'note' | 'progress' | 'sleep'>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<SecretSet> {
  const longest = Date.now() + DEADLINE_MS;
  const end = Math.min(longest, deadline);
  const failed = explaining(error =>
    error.withMessage(`${allSetIn(location)}, but waiting for it failed. ${error.message}`),
  );
  let current = set;
  while (current.status !== 'ready' && current.status !== UNKNOWN) {
    if (Date.now() > end) {
      const when = end === longest ? 'after two minutes' : 'at the end of --timeout';
      throw new UserError(`${allSetIn(location)}, but it is still ${current.status} ${when}`, {
        reason: 'timeout',
        hint: `To check its status, run: ${listCommand(location)}`,
      });
    }
    progress.show(`Waiting for ${location.name} (${current.status})`);
    await sleep(INTERVAL_MS);
    current = (await readSet(cloud, location).catch(failed)) ?? current;
    checkProvisioned(current, allSetIn(location), location);
  }
  if (current.status === UNKNOWN) note(`The platform reports no status for ${location.name}, so botcli didn't wait.`);
  return current;
}
