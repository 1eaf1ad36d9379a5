import { explaining, hintOf, UserError } from '../errors.ts';
import type { Build } from '../platform/agent-schemas.ts';
import type { Answer } from '../platform/answers.ts';
import { Builds, isRunning } from '../platform/builds.ts';
import { CloudError, hasUnknownOutcome } from '../platform/cloud-error.ts';
import { jitter, retryDelay } from '../platform/retry.ts';
import { buildCause, failedStep } from './causes.ts';
import { readArchive } from './context/archive.ts';
import { excludedBy } from './context/context.ts';
import type { Job, Tools } from './job.ts';
import type { Wanted } from './read.ts';
import { duration, type Steps, short, size } from './steps.ts';
import { lookEvery, searchFor } from './waiting.ts';

/** The pause between looks at a build, in milliseconds. */
const INTERVAL_MS = 3000;
/** How often in a row the platform may say that there is no such build. */
const MOST_ABSENCES = 5;

/** An image that was built, or was there. */
export interface Built {
  id: string;
  /** Whether it was there. */
  cached: boolean;
  /** How long the build took, if it wasn't. */
  seconds: number | null;
  /** What is odd about it. */
  warning?: string;
}

type Upload = Parameters<typeof sendContext>[0];

/**
 * Builds the image, unless a build of the same files exists. A running one is joined.
 *
 * @throws {UserError} The build failed, or takes too long. The error has the build, and the end of its log.
 */
export async function build(job: Job, upload: Upload, tools: Tools): Promise<Built> {
  const found = job.plan.build;
  const { cloud, steps, terminal } = tools;
  const builds = new Builds(cloud, job.seen.organization);
  const started = found ?? (await startBuild(job, upload, builds, tools));
  if (started.status === 'success') {
    steps.done(`These files are built already (${short(started.id)})`);
    return { id: started.id, cached: true, seconds: null };
  }
  if (found) terminal.note(`A build of these files is running: ${short(found.id)}.`);
  steps.begin('Building');
  const done = await waitForBuild(started, job, builds, tools);
  if (done.status !== 'success') throw await buildError(done, job, builds);
  const seconds = done.buildDurationSeconds;
  steps.done(`Built in ${seconds === undefined ? steps.phaseTime() : duration(seconds)} (${short(done.id)})`);
  const built = { id: done.id, cached: false, seconds: seconds === undefined ? null : Math.round(seconds) };
  const { hash } = upload;
  if (done.contextHash === undefined || done.contextHash === hash) return built;
  // Either the upload was damaged, or the platform counts in another way than we know.
  const warning = `The platform has another hash of the upload (${done.contextHash}) than botcli (${hash}).`;
  return { ...built, warning };
}

/** Uploads the context and starts a build. What is unclear is looked up. */
async function startBuild({ wanted, plan }: Job, upload: Upload, builds: Builds, tools: Tools): Promise<Build> {
  const { region } = plan;
  const { dockerfile } = wanted.deploy;
  const uploadId = await sendContext(upload, region, builds, tools);
  const key = { contextHash: upload.hash, region, dockerfilePath: dockerfile };
  const facts = { phase: 'build' };
  const again = 'Run the same command again: it joins the build if it runs.';
  const stopped = explaining(error =>
    error.reason === 'interrupted'
      ? error.withMessage('Interrupted. The build may have started; nothing is deployed.', { hint: again, facts })
      : error,
  );
  const started = await builds.start(uploadId, region, dockerfile).catch(async (error: unknown) => {
    if (!(error instanceof CloudError)) return stopped(error);
    if (!hasUnknownOutcome(error)) throw error.withMessage(error.message, { facts });
    const look = async () => (await builds.find(key)).find(one => isRunning(one) || one.status === 'success');
    const build = await searchFor(look, tools).catch(stopped);
    if (build) return { build };
    throw error.withMessage(`The build may not have started. ${error.message}`, {
      hint: `Nothing was deployed. ${again}`,
      facts,
    });
  });
  checkReused(started, key);
  return started.build;
}

/**
 * Checks a build that the platform names instead of making one. What it doesn't say about it can't be checked.
 *
 * @throws {UserError} It's one of other files, or in another region.
 */
function checkReused({ build, cached }: Answer<'build'>, key: Parameters<Builds['find']>[0]): void {
  if (cached !== true && build.status !== 'success') return;
  const names = ['contextHash', 'dockerfilePath', 'region'] as const;
  const wrong = names.filter(name => build[name] !== undefined && build[name] !== key[name]);
  if (wrong.length === 0) return;
  const differences = wrong.map(name => `${name} ${build[name]} instead of ${key[name]}`).join(', ');
  throw new UserError(`The platform names a build of other files (${short(build.id)}): ${differences}`, {
    reason: 'bad-answer',
    hint: 'Nothing was deployed. Check any proxy between you and the platform.',
    facts: { phase: 'build', build: build.id },
  });
}

function waitForBuild(started: Build, job: Job, builds: Builds, tools: Tools): Promise<Build> {
  const { steps, terminal } = tools;
  let step = '';
  let absences = 0;
  // A build may not be visible yet. One that stays away is gone.
  const unlessGone = (error: UserError) => {
    if (error.reason !== 'not-found') return error;
    absences += 1;
    return absences >= MOST_ABSENCES ? goneError(started.id) : error;
  };
  const look = async () => {
    // Only somebody who watches needs the current step.
    if (terminal.interactive) step = stepIn(await builds.log(started.id, 500).catch(() => []));
    const found = await builds.get(started.id).catch(explaining(unlessGone));
    absences = 0;
    return found;
  };
  const each = (_: Build | undefined, problem?: UserError) => {
    steps.hear(problem);
    steps.tick(step);
  };
  const watching = { isDone: (build: Build) => !isRunning(build), each };
  return lookEvery(INTERVAL_MS, look, watching, tools, terminal).catch(
    explaining(error => explainWait(error, started.id, job, steps)),
  );
}

const stepIn = (log: readonly string[]): string =>
  log.findLast(line => /^#\d+ \[/.test(line))?.replace(/^#\d+ /, '') ?? '';

const goneError = (id: string): UserError =>
  new UserError(`Build ${short(id)} is gone: the platform no longer has it`, {
    reason: 'build-failed',
    hint: 'Nothing was deployed. Run the same command again, to build these files anew.',
  });

/** Says what a wait that ended too early means for a build. */
function explainWait(error: UserError, build: string, job: Job, steps: Steps): UserError {
  const facts = { phase: 'build', build };
  if (error.reason === 'build-failed') return error.withMessage(error.message, { facts });
  const watch = `To watch it, run: ${logCommand(build, job)}\nRun the same command to continue.`;
  const more = { hint: hintOf(error.hint, watch), facts };
  if (error.reason === 'interrupted') {
    return error.withMessage('Interrupted. The build goes on; nothing is deployed.', more);
  }
  const message = error.message
    ? `The state of the build is unknown, and nothing is deployed. ${error.message}`
    : `The build goes on, but it isn't finished after ${steps.phaseTime()}. Nothing is deployed.`;
  return error.withMessage(message, more);
}

const logCommand = (build: string, { wanted, seen }: Job): string =>
  `botcli cloud logs ${wanted.deploy.agentName} --build ${build} -o ${seen.organization}`;

/** A build that failed, with the failed step of its log and the cause. */
async function buildError(build: Build, job: Job, builds: Builds): Promise<UserError> {
  const { deploy, upload } = job.wanted;
  const log = await builds.log(build.id).catch(() => []);
  const lines = failedStep(log);
  const why = build.errorMessage ? `: ${build.errorMessage}` : '';
  const cause = buildCause(lines, path => upload && excludedBy(upload, path));
  return new UserError(build.status === 'timeout' ? `The build took too long${why}` : `The build failed${why}`, {
    reason: 'build-failed',
    problems: lines,
    hint: hintOf(
      cause,
      `Nothing was deployed: ${deploy.agentName} is as it was.`,
      `The whole log: ${logCommand(build.id, job)}`,
    ),
    facts: { phase: 'build', build: build.id, log: lines },
  });
}

const UPLOADS = 4;
/** The pauses are those of requests with this limit for an attempt, in milliseconds. */
const ATTEMPT_MS = 20_000;

/** Problems that another upload may not have. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'platform-problem', 'rate-limited']);

/**
 * Uploads the context. Storage may fail, or ask us to wait, and an address is good for one upload, so each try gets its
 * own.
 */
async function sendContext(
  upload: NonNullable<Wanted['upload']>,
  region: string,
  builds: Builds,
  { cloud, signal, deadline, steps, terminal }: Tools,
): Promise<string> {
  steps.begin('Uploading');
  const content = async function* () {
    let sent = 0;
    for await (const chunk of readArchive(upload.files, upload.hash)) {
      steps.tick(`${size(sent)} of ${size(upload.archiveBytes)}`);
      yield chunk;
      sent += chunk.length;
    }
  };
  for (let number = 1; ; number += 1) {
    const target = await builds.prepareUpload(region).catch(fail);
    try {
      await cloud.upload(target, { bytes: upload.archiveBytes, content }, deadline);
      steps.hear(undefined);
      steps.done(`Uploaded ${size(upload.archiveBytes)}`);
      return target.uploadId;
    } catch (error) {
      const delay = number < UPLOADS ? delayAfter(error, number) : undefined;
      if (!(error instanceof UserError) || delay === undefined || Date.now() + delay > deadline) return fail(error);
      steps.hear(error);
      await terminal.sleep(delay, signal).catch(fail);
    }
  }
}

/** Adds the phase to an error. */
const fail = explaining(error => {
  const facts = { phase: 'upload' };
  if (error.reason !== 'interrupted') return error.withMessage(error.message, { facts });
  return error.withMessage('Interrupted. Nothing was deployed.', { hint: 'Run the same command again.', facts });
});

/** How long to wait until the next try, in milliseconds; undefined if that wouldn't help. */
function delayAfter(error: unknown, number: number): number | undefined {
  if (!(error instanceof CloudError)) return undefined;
  const { reason, retryAfterMs } = error;
  return retryDelay({ isRetriable: PASSING.has(reason), retryAfterMs }, () =>
    jitter(number, ATTEMPT_MS, Math.random()),
  );
}
