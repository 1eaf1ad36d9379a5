import { createHash, randomUUID } from 'node:crypto';
import { type Answer, badRequest, type Call, good, type Organization, refuse } from './store.ts';

/** An upload that was prepared, and what arrived. */
export interface StoredUpload {
  id: string;
  region: string;
  expiresAt: number;
  /** The first 16 hex digits of the content's MD5; undefined until it arrived. */
  hash?: string;
  bytes?: Buffer;
}

export interface StoredBuild {
  id: string;
  region: string;
  contextHash: string;
  dockerfilePath: string;
  createdAt: string;
  /** How often anybody looked since it started. The build goes on with each look. */
  looks: number;
  /** The size of what was uploaded. */
  bytes: number;
  /** What became of the packages of a real bot. */
  packages?: 'missing' | 'failed';
}

/** The ways for a build to end. A build file whose name ends like one of these ends so; any other succeeds. */
const ENDS: Readonly<Record<string, { status: string; errorMessage?: string }>> = {
  '-fail': { status: 'failed', errorMessage: 'The build failed: process "/bin/sh -c uv sync --locked" exited with 1' },
  '-timeout': { status: 'timeout', errorMessage: 'The build took too long' },
  '-stuck': { status: 'building' },
  '-new-state': { status: 'exporting' },
};
/** Looks until a build has ended. */
const LOOKS = 2;

const MINUTES_15 = 15 * 60_000;

export function stateOf({ looks, dockerfilePath, packages }: StoredBuild): { status: string; errorMessage?: string } {
  if (looks === 0) return { status: 'pending' };
  if (looks < LOOKS || packages === 'missing') return { status: 'building' };
  if (packages === 'failed') return ENDS['-fail'] as { status: string };
  const end = Object.entries(ENDS).find(([name]) => dockerfilePath.endsWith(name));
  return end?.[1] ?? { status: 'success' };
}

const isBuilt = (build: StoredBuild): boolean => stateOf(build).status === 'success';

function showBuild(organization: Organization, build: StoredBuild) {
  const { looks, bytes, packages, ...others } = build;
  const sizes = { contextSizeBytes: `${bytes}`, imageSizeBytes: '734003200', buildDurationSeconds: 102 };
  return {
    ...others,
    ...stateOf(build),
    organizationId: organization.name,
    updatedAt: build.createdAt,
    ...(isBuilt(build) ? sizes : {}),
  };
}

/** What a build needs of the stand-in: its own address, and what installs the packages of real bots, if it does. */
interface Builder {
  url: string;
  buildBot?: (context: Buffer) => Promise<unknown>;
}

/** Responds to a request for builds. */
export function answerBuilds(
  organization: Organization,
  line: string,
  [id = '']: string[],
  call: Call,
  builder: Builder,
) {
  switch (line) {
    case 'POST builds/*':
      return id === 'upload-url'
        ? prepareUpload(organization, call, builder.url)
        : refuse(404, 'Not found', 'NOT_FOUND');
    case 'POST builds':
      return startBuild(organization, call, builder);
    case 'GET builds':
      return listBuilds(organization, call.query);
    case 'GET builds/*':
      return withBuild(organization, id, build => {
        build.looks += 1;
        return good({ build: showBuild(organization, build) });
      });
    case 'GET builds/*/*':
      return withBuild(organization, id, build => good({ logs: logOf(build) }));
    default:
      return undefined;
  }
}

function prepareUpload({ uploads, regions, name }: Organization, { body }: Call, url: string): Answer {
  const region = String(body.region);
  if (!regions.some(({ code }) => code === region) || region.startsWith('pce-')) {
    return badRequest(`Cloud builds are not available in region '${region}'`);
  }
  const id = randomUUID();
  const expiresAt = Date.now() + MINUTES_15;
  uploads.set(id, { id, region, expiresAt });
  const uploadFields = {
    key: `${name}/${id}/context.tar.gz`,
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    policy: Buffer.from(id).toString('base64'),
    'x-amz-signature': createHash('sha256').update(id).digest('hex'),
  };
  const expires = new Date(expiresAt).toISOString();
  const uploadUrl = `${url}/_uploads/${id}`;
  return good({ uploadId: id, uploadUrl, uploadFields, expiresAt: expires });
}

function startBuild(organization: Organization, { body }: Call, { buildBot }: Builder): Answer {
  const upload = organization.uploads.get(String(body.uploadId));
  if (!upload?.hash || upload.region !== body.region) return badRequest('Upload not found');
  const contextHash = upload.hash;
  const dockerfilePath = String(body.dockerfilePath ?? 'Dockerfile');
  const done = [...organization.builds.values()].find(
    build =>
      isBuilt(build) &&
      build.contextHash === contextHash &&
      build.region === upload.region &&
      build.dockerfilePath === dockerfilePath,
  );
  if (done) return good({ build: showBuild(organization, done), contextHash, cached: true });
  const build: StoredBuild = {
    id: randomUUID(),
    region: upload.region,
    contextHash,
    dockerfilePath,
    createdAt: new Date().toISOString(),
    looks: 0,
    bytes: upload.bytes?.length ?? 0,
  };
  organization.builds.set(build.id, build);
  if (buildBot && upload.bytes) {
    build.packages = 'missing';
    buildBot(upload.bytes).then(
      () => delete build.packages,
      ({ code }) => {
        // Without uv, only conversations in text can't work.
        if (code === 'ENOENT') delete build.packages;
        else build.packages = 'failed';
      },
    );
  }
  return good({ build: showBuild(organization, build), contextHash, cached: false }, 201);
}

function listBuilds(organization: Organization, query: URLSearchParams): Answer {
  const shown = [...organization.builds.values()].reverse().map(build => showBuild(organization, build));
  const wanted = (['status', 'contextHash', 'region', 'dockerfilePath'] as const).filter(name => query.has(name));
  const builds = shown.filter(build => wanted.every(name => build[name] === query.get(name)));
  const limit = Math.min(Number(query.get('limit') ?? 20), 100);
  return good({ builds: builds.slice(0, limit), total: builds.length, limit, offset: 0 });
}

function withBuild({ builds }: Organization, id: string, use: (build: StoredBuild) => Answer): Answer {
  const build = builds.get(id);
  return build ? use(build) : refuse(404, 'Build not found', 'NOT_FOUND');
}

function logOf(build: StoredBuild): string[] {
  if (build.looks === 0) return [];
  const steps = ['#1 [internal] load build definition', '#5 [1/4] FROM docker.io/dailyco/pipecat-base:latest'];
  if (build.looks < LOOKS) return [...steps, '#7 [3/4] RUN uv sync --no-dev'];
  if (stateOf(build).status !== 'failed') return [...steps, '#7 [3/4] RUN uv sync --no-dev', '#9 exporting to image'];
  return [
    ...steps,
    '#7 [3/4] RUN uv sync --no-install-project --no-dev --locked',
    '#7 0.512 Resolved 118 packages in 3ms',
    '#7 0.513 error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.',
    '#7 ERROR: process "/bin/sh -c uv sync --no-install-project --no-dev --locked" did not complete: exit code: 1',
  ];
}

/** Takes a build context, as the storage of the platform does: a form whose last field is the file. */
export function takeUpload(
  organizations: readonly Organization[],
  id: string,
  { headers, bytes }: { headers: Readonly<Record<string, unknown>>; bytes: Buffer },
): { answer: Answer; fields: string[] } {
  const upload = organizations.map(({ uploads }) => uploads.get(id)).find(Boolean);
  const { fields, file } = readForm(String(headers['content-type']), bytes);
  const names = fields.map(([name]) => name);
  const say = (status: number, code: string) => ({
    answer: { status, body: `<Error><Code>${code}</Code></Error>` },
    fields: names,
  });
  if (headers.authorization !== undefined) return say(400, 'InvalidArgument');
  if (headers['content-length'] === undefined) return say(411, 'MissingContentLength');
  if (!upload || Date.now() > upload.expiresAt) return say(403, 'AccessDenied');
  const expected = ['key', 'x-amz-algorithm', 'policy', 'x-amz-signature', 'Content-Type', 'file'];
  if (names.join() !== expected.join() || !file) return say(403, 'AccessDenied');
  upload.hash = createHash('md5').update(file).digest('hex').slice(0, 16);
  upload.bytes = file;
  return { answer: { status: 204, body: '' }, fields: names };
}

function readForm(type: string, bytes: Buffer): { fields: [string, string][]; file?: Buffer } {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? '';
  const fields: [string, string][] = [];
  let at = bytes.indexOf(`--${boundary}`);
  while (boundary && at >= 0) {
    const start = bytes.indexOf('\r\n\r\n', at) + 4;
    if (start < 4) break;
    const head = bytes.subarray(at, start).toString();
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    // The file is last, and may contain anything.
    const end = head.includes('filename=')
      ? bytes.lastIndexOf(`\r\n--${boundary}--`)
      : bytes.indexOf(`\r\n--${boundary}`, start);
    fields.push([name, name === 'file' ? '' : bytes.subarray(start, end).toString()]);
    if (name === 'file') return { fields, file: bytes.subarray(start, end) };
    at = end + 2;
  }
  return { fields };
}
