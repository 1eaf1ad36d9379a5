import { usageError } from '../errors.ts';
import { isName, NAME_RULE, ORGANIZATION_RULE } from '../platform/location.ts';

/** The option for the organization that was typed: without it, a command takes the same one anyway. */
export const inTyped = (organization: string | undefined): string =>
  organization !== undefined && isName(organization) ? ` -o ${organization}` : '';

/** @throws {UserError} Exit code 2: a name can't be part of a URL. Nothing was sent. */
export function checkNames({ organization, agent }: { organization?: string | undefined; agent?: string }): void {
  if (organization !== undefined && !isName(organization)) throw usageError(ORGANIZATION_RULE);
  if (agent !== undefined && !isName(agent)) throw usageError(`The name of the agent must be ${NAME_RULE}`);
}
