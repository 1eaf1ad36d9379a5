import type { Build } from './agent-schemas.ts';
import type { Answer } from './answers.ts';
import { CloudError } from './cloud-error.ts';
import { type Connection, checkSame, LARGEST_LOG, newestFirst, pathOf } from './connection.ts';
import { badAnswer } from './errors.ts';
import { isUuid } from './location.ts';

/** The most lines of a log to ask for, and so many that a response never is too large. */
const MOST_LINES = 10_000;
const LEAST_LINES = 100;

/** What makes a build the same as another one. */
interface BuildKey {
  contextHash: string;
  region: string;
  /** The path of the build file in the context. */
  dockerfilePath: string;
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
    const { builds } = await this.connection.get(`${this.path()}?${query}`, 'builds', 'the builds');
    const isSame = (build: Build) =>
      build.contextHash === contextHash && build.region === region && build.dockerfilePath === dockerfilePath;
    return newestFirst(builds.filter(isSame));
  }

  async get(id: string): Promise<Build> {
    const { build } = await this.connection.get(this.path(id), 'build', `build ${id}`);
    checkSame('build', build.id, id);
    return build;
  }

  /** The last lines of the log so far, the newest last: fewer than asked for if a response with all is too large. */
  async log(id: string, limit = MOST_LINES): Promise<string[]> {
    return (await this.logWithin(id, limit)).lines;
  }

  /** The same, and how many lines were asked for in the end. */
  async logWithin(id: string, limit = MOST_LINES): Promise<{ lines: string[]; limit: number }> {
    try {
      const path = `${this.path(id, 'logs')}?limit=${limit}`;
      const { logs } = await this.connection.get(path, 'buildLog', `the log of build ${id}`, LARGEST_LOG);
      return { lines: logs, limit };
    } catch (error) {
      if (!(error instanceof CloudError) || error.reason !== 'bad-answer' || limit <= LEAST_LINES) throw error;
      return this.logWithin(id, Math.max(LEAST_LINES, Math.floor(limit / 10)));
    }
  }

  async prepareUpload(region: string): Promise<Answer<'upload'>> {
    const reply = await this.connection.send({ method: 'POST', path: this.path('upload-url'), body: { region } });
    return this.connection.read(reply, 'upload', `an upload in ${region}`);
  }

  /** Starts a build. If it failed with an unknown outcome, `find` shows whether it happened. */
  async start(uploadId: string, region: string, dockerfilePath: string): Promise<Answer<'build'>> {
    const body = { uploadId, region, dockerfilePath };
    const reply = await this.connection.send({ method: 'POST', path: this.path(), body, isOnce: true });
    return this.connection.read(reply, 'build', 'a build');
  }

  private path(...steps: string[]): string {
    const [id] = steps;
    if (id !== undefined && id !== 'upload-url' && !isUuid(id)) throw badAnswer('The ID of a build is not a UUID');
    return pathOf(this.organization, 'builds', ...steps);
  }
}
