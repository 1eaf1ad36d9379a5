import { usageError } from '../errors.ts';
import { isName } from '../platform/location.ts';

const RULE = '1 to 128 letters, digits, hyphens, underscores, or dots (but not only dots)';

/** The option for the organization that was typed: without it, a command takes the same one anyway. */
export const inTyped = (organization: string | undefined): string =>
  organization !== undefined && isName(organization) ? ` -o ${organization}` : '';

/** @throws {UserError} Exit code 2: a name can't be part of a URL. Nothing was sent. */
export function checkNames({
  organization,
  agent,
}: {
  organization?: string | undefined;
  agent?: string | undefined;
}): void {
  if (organization !== undefined && !isName(organization)) {
    throw usageError(`--organization must be the name in the organization's URL: ${RULE}`);
  }
  if (agent !== undefined && !isName(agent)) throw usageError(`The name of the agent must be ${RULE}`);
}
