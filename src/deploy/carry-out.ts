import { explaining, hintOf, UserError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import type { Answer, Build, SecretSet } from '../platform/answers.ts';
import { CloudError } from '../platform/errors.ts';
import { retryDelay } from '../platform/http.ts';
import type { Location } from '../platform/names.ts';
import { applyChanges, verify, waitUntilReady } from '../secret-sets/change.ts';
import type { Gate } from './gate/gate.ts';
import type { Work } from './plan.ts';
import type { Wanted } from './read.ts';
import { type Change, rollOut } from './rollout.ts';
import { testCall } from './sessions.ts';
import { settingsIn } from './settings.ts';
import { duration, inPhase, lookEvery, searchFor, short, size } from './steps.ts';

/**
 * Carries out what was planned: secrets, build, rollout, call, conversations. If nothing changes, it only tries what
 * runs. Returns what it built, the deployment, the results of the conversations, and what to do about another agent.
 */
export async function carryOut(work: Work, gate: Gate | undefined) {
  const { wanted, seen, plan } = work;
  const { deploy } = wanted;
  const { agent, set } = seen;
  const existing = plan.build && { id: plan.build.id, cached: true, seconds: null };
  if (plan.isUnchanged) return { built: existing, done: undefined, scenarios: await tryUnchanged(work, gate) };
  // What the conversations need is looked for before anything is sent.
  const open = await gate?.open(work);
  await setSecrets(work);
  const built = wanted.upload ? await build(work, wanted.upload) : existing;
  const content = deploy.image === undefined ? { buildId: built?.id as string } : { image: deploy.image };
  const settings = settingsIn(deploy, agent);
  const { add, replace, keep } = plan.keys;
  const change: Change = {
    name: deploy.agentName,
    seen: agent,
    isSent: plan.isUnderWay,
    settings: {
      serviceName: deploy.agentName,
      ...content,
      region: agent ? undefined : plan.region,
      ...settings,
      forceRedeploy: (agent && plan.forceRedeploy) || undefined,
    },
    expected: {
      before: agent?.desiredDeploymentId,
      ...content,
      isSame: plan.isSame || plan.isUnderWay,
      autoScaling: settings.autoScaling,
    },
    wanted,
    // The platform doesn't say which keys are in another cluster.
    keys: set?.type === 'secret' && set.set.source === 'referenced' ? undefined : [...add, ...replace, ...keep],
  };
  const first = await open?.before(change);
  let since: number | undefined;
  try {
    const done = await rollOut(change, work);
    since = done.since;
    await tryOut(work, done.deployment);
    const scenarios = first ? first.scenarios : await open?.decide(done.deployment);
    return { built, done, scenarios, left: first?.left };
  } catch (error) {
    throw open && error instanceof UserError ? await open.takeBack(error, since) : error;
  }
}

/** Tries what runs already, if that is wanted. Returns the results of the conversations. */
async function tryUnchanged(work: Work, gate: Gate | undefined) {
  const deployment = work.seen.agent?.desiredDeploymentId;
  await tryOut(work, deployment);
  if (!gate || deployment === undefined) return undefined;
  const open = await gate.open(work);
  const back = `To go back: ${work.agents.command(`rollback ${work.wanted.deploy.agentName}`)}`;
  const stays = explaining(error => {
    if (error.reason === 'superseded') return error;
    return error.withMessage(error.message, { hint: hintOf(error.hint, `It ran before, so it stays. ${back}`) });
  });
  return open.decide(deployment).catch(stays);
}

/** Calls what is ready, if that is wanted. If it fails, the error says that it was deployed nevertheless. */
async function tryOut(work: Work, deployment: string | undefined): Promise<void> {
  const { plan, wanted, session, terminal, agents, options } = work;
  const { agentName: name } = wanted.deploy;
  if (!wanted.transport) return;
  const callee = { ...session, agents, name, region: plan.region, transport: wanted.transport, options, terminal };
  const failed = explaining(error =>
    error.withMessage(`${name} is deployed, but the test call failed. ${error.message}`, {
      facts: { ...error.facts, phase: 'call', deployment: deployment ?? null },
    }),
  );
  const result = await testCall(callee).catch(failed);
  terminal.note(`${terminal.noteStyle.green('✓')} ${result.text}`);
  if (!result.hasEnded) terminal.note(result.end);
}

/** Sets keys as `cloud secrets set --wait`. Without keys, it only waits for a set that is pending. */
async function setSecrets({ wanted: { deploy }, seen, plan, session, deadline, steps, terminal }: Work): Promise<void> {
  const { organization, set } = seen;
  const { secrets, keys, region } = plan;
  const pending: SecretSet | undefined = set?.type === 'secret' && set.set.status === 'pending' ? set.set : undefined;
  if (deploy.secretSet === undefined || (secrets.length === 0 && !pending)) return;
  const location: Location = { organization, name: deploy.secretSet, region: set ? undefined : region };
  const next = 'Nothing was deployed. It is safe to run the same command again.';
  // Later requests have no secrets, so their responses may be shown.
  const cloud = session.cloud.sibling();
  try {
    if (secrets.length > 0) await applyChanges({ set: secrets }, location, cloud, terminal, next);
    const stored = secrets.length === 0 && pending ? pending : await verify(cloud, location, keys, terminal);
    const ready = await waitUntilReady(cloud, location, stored, terminal, deadline);
    const replaced = keys.replace.length > 0 ? `, ${keys.replace.length} replaced` : '';
    if (secrets.length > 0) steps.done(`Secrets: ${keys.add.length} added${replaced}, ${ready.status}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const hint = error.hint?.includes(next) ? error.hint : hintOf(error.hint, next);
    throw error.withMessage(error.message, { hint, facts: { ...error.facts, phase: 'secrets' } });
  } finally {
    cloud.close();
  }
}

/** The pause between looks at a build, in milliseconds. */
const INTERVAL_MS = 3000;
type Upload = NonNullable<Wanted['upload']>;

/** Builds the image, unless these files are built already. A running build is joined. An error has its log. */
async function build(work: Work, upload: Upload) {
  const { steps, terminal } = work;
  const found = work.plan.build;
  const started = found ?? (await startBuild(work, upload));
  if (started.status === 'success') {
    steps.done(`These files are built already (${short(started.id)})`);
    return { id: started.id, cached: true, seconds: null };
  }
  if (found) terminal.note(`A build of these files is running: ${short(found.id)}.`);
  steps.begin('Building');
  const done = await waitForBuild(started.id, work);
  if (done.status !== 'success') throw await buildError(done, work);
  const seconds = done.buildDurationSeconds;
  steps.done(`Built in ${seconds === undefined ? steps.phaseTime() : duration(seconds)} (${short(done.id)})`);
  return { id: done.id, cached: false, seconds: seconds === undefined ? null : Math.round(seconds) };
}

const UPLOADS = 4;
/** The pauses are those of requests with this limit for an attempt, in milliseconds. */
const ATTEMPT_MS = 20_000;

/** Problems that another upload may not have. */
const PASSING: readonly string[] = ['unreachable', 'timeout', 'platform-problem', 'rate-limited'];

/** Whether the platform still works on a build. A status that we don't know counts as work. */
const isRunning = ({ status }: Build): boolean => !['success', 'failed', 'timeout'].includes(status);

/** Uploads the context. An address is good for one upload, so each try gets its own. */
async function sendContext({ archive }: Upload, work: Work): Promise<string> {
  const { session, agents, signal, deadline, steps, terminal } = work;
  const { bytes } = archive;
  steps.begin('Uploading');
  const content = function* () {
    let sent = 0;
    for (const chunk of archive.content()) {
      steps.tick(`${size(sent)} of ${size(bytes)}`);
      yield chunk;
      sent += chunk.length;
    }
  };
  for (let number = 1; ; number += 1) {
    const target = await agents.prepareUpload(work.plan.region);
    try {
      await session.cloud.upload(target, { bytes, content }, deadline);
      steps.hear(undefined);
      steps.done(`Uploaded ${size(bytes)}`);
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

async function startBuild(work: Work, upload: Upload): Promise<Build> {
  const { agents, plan, wanted } = work;
  const key = { contextHash: upload.hash, region: plan.region, dockerfilePath: wanted.deploy.dockerfile };
  const unsent = inPhase('upload', {}, ['Interrupted. Nothing was deployed.', 'Run the same command again.']);
  const uploadId = await sendContext(upload, work).catch(unsent);
  const again = 'Run the same command again: it joins the build if it runs.';
  const failed = inPhase('build', {}, ['Interrupted. The build may have started; nothing is deployed.', again]);
  const start = agents.startBuild(uploadId, key.region, key.dockerfilePath);
  const started = await start.catch(async (error: unknown) => {
    if (!(error instanceof CloudError && error.isUnsure)) return failed(error);
    const look = async () => (await agents.builds(key)).find(one => isRunning(one) || one.status === 'success');
    const build = await searchFor(look, work).catch(failed);
    if (build) return { build };
    const hint = `Nothing was deployed. ${again}`;
    throw error.withMessage(`The build may not have started. ${error.message}`, { hint, facts: { phase: 'build' } });
  });
  checkReused(started, key);
  return started.build;
}

/** @throws {UserError} The platform names a build, instead of making one, of other files or in another region. */
function checkReused({ build, cached }: Answer<'build'>, key: Parameters<Agents['builds']>[0]): void {
  const wrong = (['contextHash', 'dockerfilePath', 'region'] as const)
    .filter(name => (build[name] ?? key[name]) !== key[name])
    .map(name => `${name} ${build[name]} instead of ${key[name]}`);
  if (wrong.length === 0 || (cached !== true && build.status !== 'success')) return;
  throw new UserError(`The platform names a build of other files (${short(build.id)}): ${wrong.join(', ')}`, {
    reason: 'bad-answer',
    hint: 'Nothing was deployed. Check any proxy between you and the platform.',
    facts: { phase: 'build', build: build.id },
  });
}

/** @throws {UserError} The build is gone; or the wait ended too early, and the error says what that means. */
async function waitForBuild(id: string, work: Work): Promise<Build> {
  const { agents, steps, terminal } = work;
  let step = '';
  const look = async () => {
    // Only somebody who watches needs the current step.
    if (terminal.interactive) {
      const { lines } = await agents.buildLog(id, 500).catch(() => ({ lines: [] as string[] }));
      step = lines.findLast(line => /^#\d+ \[/.test(line))?.replace(/^#\d+ /, '') ?? '';
    }
    return agents.build(id);
  };
  const each = (_: Build | undefined, problem?: UserError) => {
    steps.hear(problem);
    steps.tick(step);
  };
  const isDone = (build: Build) => !isRunning(build);
  const explain = explaining(error => {
    const watch = `To watch it, run: ${logCommand(id, work)}\nRun the same command to continue.`;
    const unknown = `The state of the build is unknown, and nothing is deployed. ${error.message}`;
    const late = `The build goes on, but it isn't finished after ${steps.phaseTime()}. Nothing is deployed.`;
    const stopped = error.reason === 'interrupted' ? 'Interrupted. The build goes on; nothing is deployed.' : undefined;
    const more = { hint: hintOf(error.hint, watch), facts: { phase: 'build', build: id } };
    return error.withMessage(stopped ?? (error.message ? unknown : late), more);
  });
  const { signal, deadline } = work;
  return lookEvery(look, { isDone, each, everyMs: INTERVAL_MS, signal, deadline }, terminal).catch(explain);
}

const logCommand = (build: string, { wanted, agents }: Work): string =>
  agents.command(`logs ${wanted.deploy.agentName} --build ${build}`);

/** A build that failed, with the failed step of its log and the cause. */
async function buildError(build: Build, work: Work): Promise<UserError> {
  const { deploy, upload } = work.wanted;
  const log = await work.agents.buildLog(build.id).catch(() => ({ lines: [] as string[] }));
  const lines = failedStep(log.lines);
  const why = build.errorMessage ? `: ${build.errorMessage}` : '';
  const leftOutBy = (path: string) =>
    upload?.leftOut.find(({ name }) => path === name || path.startsWith(`${name}/`))?.by;
  return new UserError(build.status === 'timeout' ? `The build took too long${why}` : `The build failed${why}`, {
    reason: 'build-failed',
    problems: lines,
    hint: hintOf(
      buildCause(lines, leftOutBy),
      `Nothing was deployed: ${deploy.agentName} is as it was.`,
      `The whole log: ${logCommand(build.id, work)}`,
    ),
    facts: { phase: 'build', build: build.id, log: lines },
  });
}

const MOST_LINES = 30;

/** The lines of the failed step, without the builder's prefixes; the last lines if no step says that it failed. */
function failedStep(log: readonly string[]): string[] {
  const lines = log.flatMap(text => text.split('\n'));
  const step = lines.map(line => /^(#\d+) (?:[\d.]+ )?(?:ERROR|error:)/.exec(line)?.[1]).findLast(Boolean);
  const own = step === undefined ? lines : lines.filter(line => line.startsWith(`${step} `));
  return own.map(line => line.replace(/^#\d+ (?:\d+\.\d+ )?/, '')).slice(-MOST_LINES);
}

/** Why a build failed, if its log shows that. `leftOutBy` says which line leaves a path out of the context. */
function buildCause(lines: readonly string[], leftOutBy: (path: string) => string | undefined): string | undefined {
  const text = lines.join('\n');
  if (/lockfile[^\n]*needs to be updated|uv\.lock[^\n]*(?:outdated|needs to be updated)/i.test(text))
    return 'uv.lock is outdated. Run `uv lock` in server/, then deploy again.';
  const [, absent] = /"?\/([^\s"]+)"?: not found/.exec(text) ?? [];
  const by = absent === undefined ? undefined : leftOutBy(absent);
  if (by !== undefined) return `${absent} is excluded by ${by}.`;
  return /exec format error|no match for platform|linux\/arm64/i.test(text)
    ? 'The cloud runs arm64 only. Use base images and packages that exist for arm64.'
    : undefined;
}
