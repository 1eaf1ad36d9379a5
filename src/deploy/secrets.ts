import { hintOf, UserError } from '../errors.ts';
import type { SecretSet } from '../platform/answers.ts';
import type { Location } from '../platform/location.ts';
import type { Secret } from '../platform/secret.ts';
import { applyChanges } from '../secret-sets/apply.ts';
import type { Plan as KeyPlan } from '../secret-sets/plan.ts';
import { verify, waitUntilReady } from '../secret-sets/verification.ts';
import type { Tools } from './job.ts';

/**
 * Sets keys, then waits until the set is ready, for up to two minutes, or until the deadline. Without keys to set, it
 * only waits for a set that is pending.
 *
 * @throws {UserError} As `cloud secrets set --wait`. Nothing was deployed.
 */
export async function setSecrets(
  location: Location,
  { secrets, keys, pending }: { secrets: readonly Secret[]; keys: KeyPlan; pending: SecretSet | undefined },
  { cloud, deadline, steps, terminal }: Tools,
): Promise<void> {
  const next = 'Nothing was deployed. It is safe to run the same command again.';
  try {
    if (secrets.length > 0) await applyChanges({ set: secrets }, location, cloud, terminal, next);
    const set = secrets.length === 0 && pending ? pending : await verify(cloud, location, keys, terminal);
    const ready = await waitUntilReady(cloud, location, set, terminal, deadline);
    const replaced = keys.replace.length > 0 ? `, ${keys.replace.length} replaced` : '';
    if (secrets.length > 0) steps.done(`Secrets: ${keys.add.length} added${replaced}, ${ready.status}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, hint, facts } = error;
    throw error.withMessage(message, {
      hint: hint?.includes(next) ? hint : hintOf(hint, next),
      facts: { ...facts, phase: 'secrets' },
    });
  }
}
