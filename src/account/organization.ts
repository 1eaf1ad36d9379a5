import { UserError, usageError } from '../errors.ts';
import { isName } from '../platform/location.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { CloudSession } from './session.ts';

/**
 * The organization to use: from the command line, selected earlier, or the only one, which is then noted.
 *
 * @throws {UserError} Exit code 2: there are several and none is selected, or the selected name is invalid.
 */
export async function organizationOf(
  { account, cloud }: CloudSession,
  terminal: Pick<Terminal, 'note'>,
): Promise<string> {
  const { organization, organizationSource } = account;
  if (organization !== undefined) {
    if (isName(organization)) return organization;
    throw usageError(`The organization in ${organizationSource} isn't a valid name`, {
      hint: 'Names contain only letters, digits, and hyphens. Select one with botcli cloud organizations select, or pass it with -o.',
    });
  }
  const names = (await cloud.organizations()).map(({ name }) => name);
  const [only] = names;
  if (only === undefined) throw new UserError('This account has no organizations', { reason: 'no-organization' });
  if (names.length > 1) {
    throw usageError(`No organization is selected; this account has ${names.join(', ')}`, {
      reason: 'no-organization',
      hint: 'Select one with botcli cloud organizations select, or pass it with -o.',
    });
  }
  terminal.note(`Organization: ${only}`);
  return only;
}
