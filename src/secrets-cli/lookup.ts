import { organizationOf } from '../account/organization.ts';
import { noteAddress, type SessionOptions, withCloud } from '../account/session.ts';
import { UserError, usageError } from '../errors.ts';
import type { Found, SecretSet } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { UNKNOWN } from '../platform/cloud-error.ts';
import { isName, type Location } from '../platform/location.ts';
import { checkCanAsk } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { didYouMean } from '../text.ts';

/** @throws {UserError} Exit code 2: the organization has no such region. */
export async function checkRegion(cloud: Cloud, organization: string, region: string | undefined): Promise<void> {
  if (region === undefined) return;
  const regions = (await cloud.regions(organization)).map(({ code }) => code);
  if (regions.includes(region)) return;
  const meant = didYouMean(region, regions);
  throw usageError(`Organization ${organization} has no region "${region}"${meant ? `. ${meant}` : ''}`, {
    reason: 'region',
    hint: `Its regions: ${regions.join(', ')}`,
  });
}

/**
 * Finds the secret with this name.
 *
 * @throws {UserError} There is none. The hint suggests the closest existing name.
 */
export async function findExisting(cloud: Cloud, location: Location): Promise<Found> {
  const found = await cloud.find(location);
  if (found) return found;
  const { organization, name } = location;
  const names = (await cloud.list(organization)).map(row => row.name);
  const meant = didYouMean(name, names);
  throw new UserError(`There is no secret "${name}" in organization ${organization}`, {
    reason: 'not-found',
    hint: `${meant ? `${meant} ` : ''}To list all, run: botcli cloud secrets list -o ${organization}`,
  });
}

/** @throws {UserError} The keys of this set are in the customer's own cluster. */
export function checkManaged({ name }: Location, { source }: SecretSet): void {
  if (source !== 'referenced') return;
  throw new UserError(`${name} is managed in your own cluster and can only be changed there`, { reason: 'conflict' });
}

/** @throws {UserError} A key can't be part of a URL, so it can't be removed. The platform has no such keys. */
export function checkRemovable({ name }: Location, keys: readonly string[]): void {
  const odd = keys.filter(key => !isName(key));
  if (odd.length === 0) return;
  throw new UserError(`${name} has keys that botcli can't remove: ${odd.map(key => JSON.stringify(key)).join(', ')}`, {
    reason: 'conflict',
    hint: 'Nothing was changed. Run the command again without --prune.',
  });
}

/** @throws {UserError} The existing secret is in a different region than the requested one. */
export function checkNotMoved({ name, region }: Location, actual: string): void {
  // The platform refuses to move a secret. If it doesn't say where the secret is, it has to decide.
  if (region === undefined || region === actual || actual === UNKNOWN) return;
  throw new UserError(`${name} is in ${actual} and can't be moved to ${region}`, {
    reason: 'region',
    hint: `Omit --region, or use another name in ${region}: names are unique within an organization.`,
  });
}

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
  const { checkInputs, keyProblems } = await import('./input/checks.ts');
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
