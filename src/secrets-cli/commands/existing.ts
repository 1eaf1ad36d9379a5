import { organizationOf } from '../../account/organization.ts';
import { noteAddress, type SessionOptions, withCloud } from '../../account/session.ts';
import type { Found } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';
import type { Location } from '../../platform/location.ts';
import { checkCanAsk } from '../../shell/confirmation.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { findExisting } from '../lookup.ts';

/**
 * Looks up a secret that a command changes after a confirmation. All arguments are checked before anything is sent.
 *
 * @throws {UserError} The secret doesn't exist; or confirmation isn't possible and `--skip` is missing.
 */
export async function withExisting(
  { name, keys = [] }: { name: string; keys?: readonly string[] },
  options: SessionOptions & { readonly skip?: boolean },
  terminal: Terminal,
  use: (existing: { cloud: Cloud; location: Location; found: Found }) => Promise<void>,
): Promise<void> {
  const { checkInputs, keyProblems } = await import('../input/checks.ts');
  checkInputs({ name, organization: options.organization }, keyProblems(keys));
  checkCanAsk(options, terminal);
  await withCloud(options, terminal, async session => {
    const { cloud } = session;
    const location = { organization: await organizationOf(session, terminal), name };
    const found = await findExisting(cloud, location);
    noteAddress(session, terminal);
    await use({ cloud, location, found });
  });
}
