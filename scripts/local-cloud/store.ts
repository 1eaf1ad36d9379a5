import { createHash } from 'node:crypto';

/** What is stored instead of a value: the stand-in never keeps a secret in plain text, not even in memory. */
export const fingerprint = (value: string): string =>
  `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;

export type SecretType = 'secret' | 'imagePullSecret';

/** A secret set, or an image pull secret. */
export interface StoredSet {
  name: string;
  type: SecretType;
  region: string;
  /** Fingerprints by key. An image pull secret has only the key `''`. */
  values: Map<string, string>;
  host?: string;
  /** When it is ready, in milliseconds as in `Date.now()`. */
  readyAt: number;
  source?: 'managed' | 'referenced';
}

interface Region {
  code: string;
  display_name: string;
  supported_architectures: string[];
  default_architecture: string;
}

export interface Organization {
  name: string;
  verboseName: string;
  regions: Region[];
  defaultRegion: string;
  sets: Map<string, StoredSet>;
}

/** A response of the platform. */
export interface Answer {
  status: number;
  body: unknown;
}

/** The parts of a PUT request that both routes share. */
export interface Upsert {
  isImagePullSecret?: unknown;
  host?: unknown;
  secretValue?: unknown;
  region?: unknown;
  secrets: { secretKey?: unknown; secretValue?: unknown }[];
}

export const refuse = (status: number, error: string, code: string): Answer => ({ status, body: { error, code } });
const badRequest = (error: string) => refuse(400, error, 'GENERIC_BAD_REQUEST');
const ok = (more: object = {}, status = 200): Answer => ({ status, body: { status: 'OK', ...more } });

const REGIONS: Region[] = [
  ['us-west', 'US West (Oregon)'],
  ['us-east', 'US East (Virginia)'],
  ['eu-central', 'EU Central (Frankfurt)'],
  ['ap-south', 'AP South (Mumbai)'],
].map(([code = '', display_name = '']) => {
  return { code, display_name, supported_architectures: ['arm64'], default_architecture: 'arm64' };
});

export function newOrganization(name: string, details: Partial<Organization> = {}): Organization {
  const verboseName = name.replace(/^./, letter => letter.toUpperCase());
  return { name, verboseName, regions: REGIONS, defaultRegion: 'us-west', sets: new Map(), ...details };
}

/** Provisioning fails for a set whose name ends in `-fail`. */
export function statusOf({ name, readyAt }: StoredSet) {
  if (Date.now() < readyAt) return { status: 'pending' };
  if (!name.endsWith('-fail')) return { status: 'ready' };
  return { status: 'failed', errorMessage: 'The secret could not be provisioned in its region.' };
}

export function listSets({ sets }: Organization, region: string | null): Answer {
  const rows = [...sets.values()].filter(set => !region || set.region === region);
  const row = (set: StoredSet) => ({ name: set.name, type: set.type, region: set.region, ...statusOf(set) });
  return { status: 200, body: { sets: rows.map(row) } };
}

export function showSet({ sets }: Organization, name: string): Answer {
  const set = sets.get(name);
  if (!set) return refuse(404, 'Set not found', 'NOT_FOUND');
  if (set.type === 'imagePullSecret') return badRequest('Cannot retrieve image pull secrets by name');
  const secrets = [...set.values.keys()].map(fieldName => ({ fieldName }));
  return { status: 200, body: { region: set.region, ...statusOf(set), source: set.source ?? 'managed', secrets } };
}

/** Creates or updates a set, which then stays pending for `pendingMs` milliseconds. */
export function upsert(organization: Organization, name: string, wanted: Upsert, pendingMs: number): Answer {
  const existing = organization.sets.get(name);
  const region = wanted.region ?? existing?.region ?? organization.defaultRegion;
  const problem = upsertProblem(organization, existing, wanted, region);
  if (problem) return problem;
  const type: SecretType = wanted.isImagePullSecret === true ? 'imagePullSecret' : 'secret';
  const set: StoredSet = existing ?? { name, type, region: region as string, values: new Map(), readyAt: 0 };
  set.readyAt = Date.now() + pendingMs;
  if (type === 'imagePullSecret') {
    set.host = `${wanted.host}`.endsWith('/') ? `${wanted.host}` : `${wanted.host}/`;
    set.values.set('', fingerprint(`${wanted.secretValue}`));
  }
  for (const { secretKey, secretValue } of wanted.secrets)
    set.values.set(`${secretKey}`, fingerprint(`${secretValue}`));
  organization.sets.set(name, set);
  return ok({ region: set.region }, 202);
}

function upsertProblem(
  { regions }: Organization,
  existing: StoredSet | undefined,
  wanted: Upsert,
  region: unknown,
): Answer | undefined {
  const isPull = wanted.isImagePullSecret === true;
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  const isPair = ({ secretKey, secretValue }: Upsert['secrets'][number]) =>
    isText(secretValue) && /^[A-Za-z0-9_-]{1,64}$/.test(`${secretKey ?? ''}`);
  if (!regions.some(({ code }) => code === region)) {
    return badRequest('Invalid region or organization does not have access');
  }
  if (existing && existing.region !== region) {
    return badRequest(
      `Secret already exists in region '${existing.region}'. Cannot change region to '${region as string}'.`,
    );
  }
  if (existing?.source === 'referenced') return refuse(409, 'Referenced secret sets are read-only.', 'CONFLICT');
  if (existing && (existing.type === 'imagePullSecret') !== isPull) {
    return badRequest(
      isPull
        ? 'Cannot update existing regular secrets to image pull secrets'
        : 'Must provide isImagePullSecret, host, and secretValue to update an image pull secret',
    );
  }
  if (isPull ? isText(wanted.host) && isText(wanted.secretValue) : wanted.secrets.every(isPair)) return undefined;
  return badRequest('Invalid request format');
}

export function deleteKey({ sets }: Organization, name: string, key: string): Answer {
  const set = sets.get(name);
  if (!set) return refuse(404, 'Set not found', 'NOT_FOUND');
  if (set.type === 'imagePullSecret') return badRequest('Cannot delete keys of image pull secrets');
  return set.values.delete(key) ? ok() : refuse(404, 'Secret not found', 'NOT_FOUND');
}

export const deleteSet = ({ sets }: Organization, name: string): Answer =>
  sets.delete(name) ? ok() : refuse(404, 'Set not found', 'NOT_FOUND');
