import { explaining, hintOf, UserError } from '../errors.ts';
import { type BuildKey, isRunning } from '../platform/agents.ts';
import type { Answer, Build } from '../platform/answers.ts';
import { CloudError } from '../platform/errors.ts';
import { retryDelay } from '../platform/http.ts';
import { readArchive } from './context/archive.ts';
import { excludedBy } from './context/context.ts';
import type { Job } from './plan.ts';
import type { Wanted } from './read.ts';
import { duration, lookEvery, searchFor, short, size, type Tools } from './steps.ts';

/** The pause between looks at a build, in milliseconds. */
const INTERVAL_MS = 3000;
/** How often in a row the platform may say that there is no such build. */
const MOST_ABSENCES = 5;

/** An image that was built, or was there: `cached`. Then nobody knows how many seconds it took. */
export interface Built {
  id: string;
  cached: boolean;
  seconds: number | null;
}

type Upload = NonNullable<Wanted['upload']>;

/**
 * Builds the image, unless a build of the same files exists. A running one is joined.
 *
 * @throws {UserError} The build failed, or takes too long. The error has the build, and the end of its log.
 */
export async function build(job: Job, upload: Upload, tools: Tools): Promise<Built> {
  const found = job.plan.build;
  const { steps, terminal } = tools;
  const started = found ?? (await startBuild(job, upload, tools));
  if (started.status === 'success') {
    steps.done(`These files are built already (${short(started.id)})`);
    return { id: started.id, cached: true, seconds: null };
  }
  if (found) terminal.note(`A build of these files is running: ${short(found.id)}.`);
  steps.begin('Building');
  const done = await waitForBuild(started.id, job, tools);
  if (done.status !== 'success') throw await buildError(done, job, tools);
  const seconds = done.buildDurationSeconds;
  steps.done(`Built in ${seconds === undefined ? steps.phaseTime() : duration(seconds)} (${short(done.id)})`);
  return { id: done.id, cached: false, seconds: seconds === undefined ? null : Math.round(seconds) };
}

const UPLOADS = 4;
/** The pauses are those of requests with this limit for an attempt, in milliseconds. */
const ATTEMPT_MS = 20_000;

/** Problems that another upload may not have. */
const PASSING: readonly string[] = ['unreachable', 'timeout', 'platform-problem', 'rate-limited'];

/** Uploads the context. Storage may fail, or ask us to wait, and an address is good for one upload, so each try gets its own. */
async function sendContext(upload: Upload, { plan: { region }, session }: Job, tools: Tools): Promise<string> {
  const { agents, signal, deadline, steps, terminal } = tools;
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
    const target = await agents.prepareUpload(region);
    try {
      await session.cloud.upload(target, { bytes: upload.archiveBytes, content }, deadline);
      steps.hear(undefined);
      steps.done(`Uploaded ${size(upload.archiveBytes)}`);
      return target.uploadId;
    } catch (error) {
      if (!(error instanceof CloudError) || number === UPLOADS) throw error;
      const signs = { isRetriable: PASSING.includes(error.reason), retryAfterMs: error.retryAfterMs };
      const delay = retryDelay(signs, number, ATTEMPT_MS);
      if (delay === undefined || Date.now() + delay > deadline) throw error;
      steps.hear(error);
      await terminal.sleep(delay, signal);
    }
  }
}

/** Uploads the context and starts a build. What is unclear is looked up. */
async function startBuild(job: Job, upload: Upload, tools: Tools): Promise<Build> {
  const { agents } = tools;
  const { region } = job.plan;
  const { dockerfile } = job.wanted.deploy;
  const failed = explaining(error => {
    const facts = { phase: 'upload' };
    if (error.reason !== 'interrupted') return error.withMessage(error.message, { facts });
    return error.withMessage('Interrupted. Nothing was deployed.', { hint: 'Run the same command again.', facts });
  });
  const uploadId = await sendContext(upload, job, tools).catch(failed);
  const key = { contextHash: upload.hash, region, dockerfilePath: dockerfile };
  const facts = { phase: 'build' };
  const again = 'Run the same command again: it joins the build if it runs.';
  const stopped = (error: UserError) =>
    error.reason === 'interrupted'
      ? error.withMessage('Interrupted. The build may have started; nothing is deployed.', { hint: again, facts })
      : error.withMessage(error.message, { facts });
  const started = await agents.startBuild(uploadId, region, dockerfile).catch(async (error: unknown) => {
    if (!(error instanceof CloudError && error.isUnsure)) return explaining(stopped)(error);
    const look = async () => (await agents.builds(key)).find(one => isRunning(one) || one.status === 'success');
    const build = await searchFor(look, tools).catch(explaining(stopped));
    if (build) return { build };
    const hint = `Nothing was deployed. ${again}`;
    throw error.withMessage(`The build may not have started. ${error.message}`, { hint, facts });
  });
  checkReused(started, key);
  return started.build;
}

/**
 * Checks a build that the platform names instead of making one. What it doesn't say about it can't be checked.
 *
 * @throws {UserError} It's one of other files, or in another region.
 */
function checkReused({ build, cached }: Answer<'build'>, key: BuildKey): void {
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

/** @throws {UserError} The build is gone; or the wait ended too early, and the error says what that means. */
async function waitForBuild(id: string, job: Job, { agents, steps, terminal, ...limits }: Tools): Promise<Build> {
  let step = '';
  let absences = 0;
  // A build may not be visible yet. One that stays away is gone.
  const unlessGone = explaining(error => {
    if (error.reason !== 'not-found') return error;
    absences += 1;
    if (absences < MOST_ABSENCES) return error;
    return new UserError(`Build ${short(id)} is gone: the platform no longer has it`, {
      reason: 'build-failed',
      hint: 'Nothing was deployed. Run the same command again, to build these files anew.',
    });
  });
  const look = async () => {
    // Only somebody who watches needs the current step.
    if (terminal.interactive) {
      const { lines } = await agents.buildLog(id, 500).catch(() => ({ lines: [] as string[] }));
      step = lines.findLast(line => /^#\d+ \[/.test(line))?.replace(/^#\d+ /, '') ?? '';
    }
    const found = await agents.build(id).catch(unlessGone);
    absences = 0;
    return found;
  };
  const each = (_: Build | undefined, problem?: UserError) => {
    steps.hear(problem);
    steps.tick(step);
  };
  const isDone = (build: Build) => !isRunning(build);
  const explain = (error: UserError) => {
    const facts = { phase: 'build', build: id };
    if (error.reason === 'build-failed') return error.withMessage(error.message, { facts });
    const watch = `To watch it, run: ${logCommand(id, job)}\nRun the same command to continue.`;
    const more = { hint: hintOf(error.hint, watch), facts };
    if (error.reason === 'interrupted')
      return error.withMessage('Interrupted. The build goes on; nothing is deployed.', more);
    const message = error.message
      ? `The state of the build is unknown, and nothing is deployed. ${error.message}`
      : `The build goes on, but it isn't finished after ${steps.phaseTime()}. Nothing is deployed.`;
    return error.withMessage(message, more);
  };
  return lookEvery(INTERVAL_MS, look, { isDone, each }, limits, terminal).catch(explaining(explain));
}

const logCommand = (build: string, { wanted, seen }: Job): string =>
  `botcli cloud logs ${wanted.deploy.agentName} --build ${build} -o ${seen.organization}`;

/** A build that failed, with the failed step of its log and the cause. */
async function buildError(build: Build, job: Job, { agents }: Tools): Promise<UserError> {
  const { deploy, upload } = job.wanted;
  const log = await agents.buildLog(build.id).catch(() => ({ lines: [] as string[] }));
  const lines = failedStep(log.lines);
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

/** The most lines of a build's log to show. */
const MOST_LINES = 30;

/** The lines of the failed step, without the builder's prefixes; the last lines if no step says that it failed. */
function failedStep(log: readonly string[]): string[] {
  const lines = log.flatMap(text => text.split('\n'));
  const step = lines.map(line => /^(#\d+) (?:[\d.]+ )?(?:ERROR|error:)/.exec(line)?.[1]).findLast(Boolean);
  const own = step === undefined ? lines : lines.filter(line => line.startsWith(`${step} `));
  return own.map(line => line.replace(/^#\d+ (?:\d+\.\d+ )?/, '')).slice(-MOST_LINES);
}

/**
 * Why a build failed, if its log shows that.
 *
 * @param leftOutBy Says which line leaves a path out of the context; undefined if none does.
 */
function buildCause(lines: readonly string[], leftOutBy: (path: string) => string | undefined): string | undefined {
  const text = lines.join('\n');
  if (/lockfile[^\n]*needs to be updated|uv\.lock[^\n]*(?:outdated|needs to be updated)/i.test(text)) {
    return 'uv.lock is outdated. Run `uv lock` in server/, then deploy again.';
  }
  const [, absent] = /"?\/([^\s"]+)"?: not found/.exec(text) ?? [];
  const by = absent === undefined ? undefined : leftOutBy(absent);
  if (by !== undefined) return `${absent} is excluded by ${by}.`;
  if (/exec format error|no match for platform|linux\/arm64/i.test(text)) {
    return 'The cloud runs arm64 only. Use base images and packages that exist for arm64.';
  }
  return undefined;
}
