import type { Build, UploadTarget } from './agent-answers.ts';
import { CloudError } from './cloud-error.ts';
import { type Connection, isUuid, newestFirst, pathOf } from './connection.ts';
import { badAnswer } from './errors.ts';

/** The most lines of a log to ask for, and so many that a response never is too large. */
const MOST_LINES = 10_000;
const LEAST_LINES = 100;

/** What makes a build the same as another one. */
export interface BuildKey {
  contextHash: string;
  region: string;
  /** The path of the build file in the context. */
  dockerfilePath: string;
}

/** The response to the request for a build. */
export interface Started {
  build: Build;
  /** Whether it's one that there was; undefined if the platform doesn't say. */
  cached?: boolean;
}

const STATES_OF_WORK = new Set(['success', 'failed', 'timeout']);

/** Whether the platform still works on a build. A status that we don't know counts as work. */
export const isRunning = ({ status }: Build): boolean => !STATES_OF_WORK.has(status);

/** The image builds of an organization. Every method throws `CloudError`. */
export class Builds {
  private readonly connection: Connection;
  private readonly organization: string;

  constructor(connection: Connection, organization: string) {
    this.connection = connection;
    this.organization = organization;
  }

  /** The builds of this context with this build file in this region, the newest first. */
  async find({ contextHash, region, dockerfilePath }: BuildKey): Promise<Build[]> {
    const query = new URLSearchParams({ contextHash, region, limit: '20' });
    const reply = await this.connection.send({ method: 'GET', path: `${this.path()}?${query}` });
    const { builds } = await this.connection.read<{ builds: Build[] }>(reply, 'builds', 'builds');
    const isSame = (build: Build) =>
      build.contextHash === contextHash && build.region === region && build.dockerfilePath === dockerfilePath;
    return newestFirst(builds.filter(isSame));
  }

  async get(id: string): Promise<Build> {
    const reply = await this.connection.send({ method: 'GET', path: this.path(id) });
    const { build } = await this.connection.read<{ build: Build }>(reply, 'build', `build ${id}`);
    if (build.id.toLowerCase() === id.toLowerCase()) return build;
    throw badAnswer(`The platform sent build ${build.id} instead of ${id}`);
  }

  /** The last lines of the log so far, the newest last: fewer than asked for if a response with all is too large. */
  async log(id: string, limit = MOST_LINES): Promise<string[]> {
    return (await this.logWithin(id, limit)).lines;
  }

  /** The same, and how many lines were asked for in the end. */
  async logWithin(id: string, limit = MOST_LINES): Promise<{ lines: string[]; limit: number }> {
    try {
      return { lines: await this.readLog(id, limit), limit };
    } catch (error) {
      if (!(error instanceof CloudError) || error.reason !== 'bad-answer' || limit <= LEAST_LINES) throw error;
      return this.logWithin(id, Math.max(LEAST_LINES, Math.floor(limit / 10)));
    }
  }

  private async readLog(id: string, limit: number): Promise<string[]> {
    const path = `${this.path(id, 'logs')}?limit=${limit}`;
    const reply = await this.connection.send({ method: 'GET', path, largest: 8 * 2 ** 20 });
    return (await this.connection.read<{ logs: string[] }>(reply, 'buildLog', `the log of build ${id}`)).logs;
  }

  async prepareUpload(region: string): Promise<UploadTarget> {
    const path = this.path('upload-url');
    const reply = await this.connection.send({ method: 'POST', path, body: { region } });
    return this.connection.read<UploadTarget>(reply, 'upload', `an upload in ${region}`);
  }

  /** Starts a build. If it failed with an unknown outcome, `find` shows whether it happened. */
  async start(uploadId: string, region: string, dockerfilePath: string): Promise<Started> {
    const body = { uploadId, region, dockerfilePath };
    const reply = await this.connection.send({ method: 'POST', path: this.path(), body, isOnce: true });
    return this.connection.read<Started>(reply, 'build', 'a build');
  }

  private path(...steps: string[]): string {
    const [id] = steps;
    if (id !== undefined && id !== 'upload-url' && !isUuid(id)) throw badAnswer('The ID of a build is not a UUID');
    return pathOf(this.organization, 'builds', ...steps);
  }
}
