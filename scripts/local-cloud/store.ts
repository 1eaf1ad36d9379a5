import { createHash } from 'node:crypto';
import type { StoredAgent } from './agents.ts';
import type { StoredBuild, StoredUpload } from './builds.ts';
import type { StoredKey } from './sessions.ts';

/** What is stored instead of a value: the stand-in never keeps a secret in plain text, not even in memory. */
export const fingerprint = (value: string): string =>
  `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;

type SecretType = 'secret' | 'imagePullSecret';

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
  /** A referenced set is in the customer's own cluster. */
  source?: 'managed' | 'referenced';
}

/** A region, as the platform describes it. Older versions of the platform omit the architectures. */
interface Region {
  code: string;
  display_name: string;
  supported_architectures?: readonly string[];
  default_architecture?: string;
}

export interface Organization {
  name: string;
  verboseName: string;
  regions: readonly Region[];
  defaultRegion: string;
  sets: Map<string, StoredSet>;
  uploads: Map<string, StoredUpload>;
  builds: Map<string, StoredBuild>;
  agents: Map<string, StoredAgent>;
  keys: StoredKey[];
}

/** A request, as far as it decides the response. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  token: string;
}

/** A response of the platform. */
export interface Answer {
  status: number;
  body: unknown;
}

export const refuse = (status: number, error: string, code: string): Answer => ({ status, body: { error, code } });
export const badRequest = (error: string) => refuse(400, error, 'GENERIC_BAD_REQUEST');
export const good = (body: object, status = 200): Answer => ({ status, body });
const ok = (more: object = {}, status = 200): Answer => good({ status: 'OK', ...more }, status);

const hosted = { supported_architectures: ['arm64'], default_architecture: 'arm64' };
const READ_ONLY = 'Referenced secret sets are read-only.';
export const NO_REGION = 'Invalid region or organization does not have access';
const REGIONS: readonly Region[] = [
  { code: 'us-west', display_name: 'US West (Oregon)', ...hosted },
  { code: 'us-east', display_name: 'US East (Virginia)', ...hosted },
  { code: 'eu-central', display_name: 'EU Central (Frankfurt)', ...hosted },
  { code: 'ap-south', display_name: 'AP South (Mumbai)', ...hosted },
  {
    code: 'pce-acme-us-east',
    display_name: 'Acme (self-hosted)',
    supported_architectures: ['amd64', 'arm64'],
    default_architecture: 'amd64',
  },
];
const isSelfHosted = (region: unknown): boolean => /^pce-/.test(`${region}`);

export function newOrganization(name: string, details: Partial<Organization> = {}): Organization {
  const verboseName = name.replace(/^./, letter => letter.toUpperCase());
  return {
    name,
    verboseName,
    regions: REGIONS,
    defaultRegion: 'us-west',
    sets: new Map(),
    uploads: new Map(),
    builds: new Map(),
    agents: new Map(),
    keys: [],
    ...details,
  };
}

/** Provisioning fails for a set whose name ends in `-fail`. A set whose name ends in `-unknown` has no status. */
export function statusOf({ name, readyAt }: StoredSet) {
  if (name.endsWith('-unknown')) return { status: null };
  if (Date.now() < readyAt) return { status: 'pending' };
  if (!name.endsWith('-fail')) return { status: 'ready' };
  return { status: 'failed', errorMessage: 'The secret could not be provisioned in its region.' };
}

export function listSets({ sets }: Organization, region: string | null): Answer {
  const rows = [...sets.values()].filter(set => !region || set.region === region);
  return good({ sets: rows.map(set => ({ name: set.name, type: set.type, region: set.region, ...statusOf(set) })) });
}

export function showSet({ sets }: Organization, name: string): Answer {
  const set = sets.get(name);
  if (!set) return refuse(404, 'Set not found', 'NOT_FOUND');
  if (set.type === 'imagePullSecret') return badRequest('Cannot retrieve image pull secrets by name');
  const { region, source = 'managed' } = set;
  const secrets = [...set.values.keys()].map(fieldName => ({ fieldName }));
  const keys = source === 'managed' ? { secrets } : {};
  return good({ region, ...statusOf(set), source, ...keys });
}

/** Adds a set that exists in the customer's own cluster. */
export function reference({ sets, regions }: Organization, { name, region }: Record<string, unknown>): Answer {
  if (typeof name !== 'string' || name === '') return badRequest('Invalid request format');
  if (!regions.some(({ code }) => code === region)) return badRequest(NO_REGION);
  if (!isSelfHosted(region)) return badRequest('Secrets can only be referenced in self-hosted regions');
  if (sets.get(name)?.source !== 'referenced' && sets.has(name)) {
    return refuse(409, `Secret set '${name}' already exists`, 'CONFLICT');
  }
  const set = { name, type: 'secret', region: `${region}` } as const;
  sets.set(name, { ...set, values: new Map(), readyAt: 0, source: 'referenced' });
  return ok(set);
}

/** Creates or updates a set, which then stays pending for `pendingMs` milliseconds. */
export function upsert(organization: Organization, name: string, wanted: Call['body'], pendingMs: number): Answer {
  const existing = organization.sets.get(name);
  const region = wanted.region ?? existing?.region ?? organization.defaultRegion;
  const problem = upsertProblem(organization, existing, wanted, region);
  if (problem) return problem;
  const type: SecretType = wanted.isImagePullSecret === true ? 'imagePullSecret' : 'secret';
  const set: StoredSet = existing ?? { name, type, region: region as string, values: new Map(), readyAt: 0 };
  set.readyAt = Date.now() + pendingMs;
  if (type === 'imagePullSecret') set.host = `${wanted.host}`.endsWith('/') ? `${wanted.host}` : `${wanted.host}/`;
  set.values.set(type === 'secret' ? `${wanted.secretKey}` : '', fingerprint(`${wanted.secretValue}`));
  organization.sets.set(name, set);
  return ok({ region: set.region }, 202);
}

function upsertProblem(
  { regions }: Organization,
  existing: StoredSet | undefined,
  { isImagePullSecret, host, secretKey, secretValue }: Call['body'],
  region: unknown,
): Answer | undefined {
  const isPull = isImagePullSecret === true;
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  if (!regions.some(({ code }) => code === region)) return badRequest(NO_REGION);
  if (existing && existing.region !== region) {
    const where = `Cannot change region to '${region as string}'.`;
    return badRequest(`Secret already exists in region '${existing.region}'. ${where}`);
  }
  if (existing?.source === 'referenced') return refuse(409, READ_ONLY, 'CONFLICT');
  if (existing && (existing.type === 'imagePullSecret') !== isPull) {
    return badRequest(
      isPull
        ? 'Cannot update existing regular secrets to image pull secrets'
        : 'Must provide isImagePullSecret, host, and secretValue to update an image pull secret',
    );
  }
  const isWhole = isPull ? isText(host) : /^[A-Za-z0-9_-]{1,64}$/.test(`${secretKey ?? ''}`);
  return isWhole && isText(secretValue) ? undefined : badRequest('Invalid request format');
}

export function deleteKey({ sets }: Organization, name: string, key: string): Answer {
  const set = sets.get(name);
  if (!set) return refuse(404, 'Set not found', 'NOT_FOUND');
  if (set.type === 'imagePullSecret') return badRequest('Cannot delete keys of image pull secrets');
  if (set.source === 'referenced') return refuse(409, READ_ONLY, 'CONFLICT');
  return set.values.delete(key) ? ok() : refuse(404, 'Secret not found', 'NOT_FOUND');
}

export const deleteSet = ({ sets }: Organization, name: string): Answer =>
  sets.delete(name) ? ok() : refuse(404, 'Set not found', 'NOT_FOUND');
