import { UserError, usageError } from '../errors.ts';
import type { Found, SecretSet } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { type Location, regionProblem, UNKNOWN } from '../platform/names.ts';
import { didYouMean } from '../text.ts';

/** @throws {UserError} Exit code 2: the organization has no such region. */
export async function checkRegion(cloud: Cloud, organization: string, region: string | undefined): Promise<void> {
  if (region === undefined) return;
  const regions = (await cloud.regions(organization)).map(({ code }) => code);
  const problem = regionProblem(region, regions, organization);
  if (problem) throw usageError(problem.text, { reason: 'region', hint: problem.hint });
}

/** Finds the secret with this name, or throws a `UserError` that suggests the closest one. */
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

/** @throws {UserError} The existing secret is in a different region than the requested one. */
export function checkNotMoved({ name, region }: Location, actual: string): void {
  // The platform refuses to move a secret. If it doesn't say where the secret is, it has to decide.
  if (region === undefined || region === actual || actual === UNKNOWN) return;
  throw new UserError(`${name} is in ${actual} and can't be moved to ${region}`, {
    reason: 'region',
    hint: `Omit --region, or use another name in ${region}: names are unique within an organization.`,
  });
}
