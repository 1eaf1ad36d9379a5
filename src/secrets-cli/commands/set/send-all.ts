import { UserError } from '../../../errors.ts';
import type { Terminal } from '../../../shell/terminal.ts';
import type { Location } from '../../input/location.ts';
import type { Secret } from '../../input/secret.ts';
import type { Cloud } from '../../platform/cloud.ts';
import { hasUnknownOutcome } from '../../platform/cloud-error.ts';

/**
 * Sends secrets one by one, in order, because the platform takes one per request.
 *
 * @throws {UserError} A key could not be set, or Ctrl-C was pressed. The error lists which keys were set and which
 *   weren't.
 */
export async function sendAll(
  secrets: readonly Secret[],
  location: Location,
  cloud: Cloud,
  { progress }: Pick<Terminal, 'progress'>,
): Promise<void> {
  cloud.hide(secrets.map(({ value }) => value));
  for (const [at, secret] of secrets.entries()) {
    if (secrets.length > 1) progress.show(`Setting ${at + 1} of ${secrets.length}: ${secret.key}`);
    try {
      await cloud.setKey(location, secret);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const keysOf = (some: readonly Secret[]) => some.map(({ key }) => key);
      throw partialFailure(keysOf(secrets.slice(0, at)), secret.key, keysOf(secrets.slice(at + 1)), error);
    } finally {
      progress.clear();
    }
  }
}

/** The error for a run that stopped at this key. It lists the state of every key. */
function partialFailure(
  applied: readonly string[],
  key: string,
  notSent: readonly string[],
  error: UserError,
): UserError {
  const isInterrupted = error.reason === 'interrupted';
  const isUnsure = hasUnknownOutcome(error);
  const list = (label: string, those: readonly string[]) => (those.length > 0 ? [`${label}: ${those.join(', ')}`] : []);
  return new UserError(isInterrupted ? 'Interrupted' : `Could not set ${key}. ${error.message}`, {
    reason: error.reason,
    exitCode: isInterrupted ? error.exitCode : 1,
    problems: [
      ...list('set', applied),
      ...list(isUnsure ? 'possibly set' : 'not set', [key]),
      ...list('not sent', notSent),
    ],
    hint: [...(error.hint ? [error.hint] : []), 'It is safe to run the same command again: it sets all of them.'].join(
      '\n',
    ),
    facts: { applied, [isUnsure ? 'unsure' : 'failed']: [key], not_sent: notSent },
  });
}
