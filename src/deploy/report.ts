import { posix } from 'node:path';
import type { Agent } from '../platform/answers.ts';
import { UNKNOWN } from '../platform/names.ts';
import type { Style } from '../shell/terminal.ts';
import { listed, onOneLine } from '../text.ts';
import { describeRule } from './context/context.ts';
import type { Job } from './plan.ts';
import type { rollOut } from './rollout.ts';
import { duration, short, size } from './steps.ts';
import { CALLABLE, PHONES } from './transports.ts';
import { describeDone, nextName } from './verdict.ts';

type GatePlan = { paths: readonly string[]; isFirst: boolean } | undefined;

export function describePlan(job: Job, gate: GatePlan, style: Style): string[] {
  const { plan, seen, wanted } = job;
  const { secretSet } = wanted.deploy;
  const state = seen.set ? 'exists' : 'new';
  return [
    row('Organization', style.bold(seen.organization)),
    row('Agent', describeAgent(job, style)),
    row('Image', describeImage(job)),
    ...(secretSet === undefined ? [] : [row('Secret set', `${style.bold(secretSet)} (${state})`)]),
    ...plan.keys.add.map(key => style.green(`  + ${key}  add`)),
    ...plan.keys.replace.map(key => style.yellow(`  ~ ${key}  replace`)),
    row('Runs on', describeMachine(job)),
    ...describeGate(gate, job),
    ...plan.warnings,
  ];
}

const row = (label: string, text: string): string => `${`${label}:`.padEnd(14)}${text}`;

function describeAgent({ plan: { region }, wanted: { deploy }, seen: { agent } }: Job, style: Style): string {
  const name = style.bold(deploy.agentName);
  if (!agent) return `${name} (new) in ${region}`;
  const created = Date.parse(agent.createdAt ?? '');
  const age = Number.isNaN(created) ? [] : [`created ${ago(created)}`];
  const set = agent.deployment?.manifest?.spec?.envFromSecretNames[0];
  const facts = ['exists', ...age, ...(set && set !== deploy.secretSet ? [`now with secret set ${set}`] : [])];
  return `${name} (${facts.join(', ')}) in ${region}`;
}

function describeImage({ plan: { build }, wanted: { deploy, upload, folder } }: Job): string {
  if (deploy.image !== undefined) return deploy.image;
  if (!upload) return `build ${build ? short(build.id) : ''}`;
  const { files, bytes, leftOut } = upload;
  const path = posix.join(folder, deploy.contextDir, deploy.dockerfile);
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  // A reader looks for .env.
  const names = leftOut
    .map(({ name }) => name)
    .sort((one, other) => Number(other.startsWith('.env')) - Number(one.startsWith('.env')));
  const excluded = names.length > 0 ? `; excluded: ${listed(names.map(onOneLine), 2)}` : '';
  const state = build?.status === 'success' ? 'built already' : 'being built';
  const reused = build ? `; ${state} (${short(build.id)})` : '';
  return `${onOneLine(path)}, ${count}, ${size(bytes)}${excluded}${reused}`;
}

function describeMachine({ wanted }: Job): string {
  const { agentProfile, minAgents: least = 0, maxAgents } = wanted.deploy;
  const instances = least === 1 ? '1 instance always runs and is' : `${least} instances always run and are`;
  const idle = least === 0 ? 'nothing runs while idle' : `${instances} billed around the clock`;
  const most = maxAgents === undefined ? '' : `, at most ${maxAgents}`;
  return `${agentProfile ?? 'the default profile'}; ${idle}${most}`;
}

/** Conversations cost something, wherever they take place. */
function describeGate(gate: GatePlan, { seen: { next }, wanted: { deploy } }: Job): string[] {
  if (!gate) return [];
  const names = gate.paths.map(path => onOneLine(posix.basename(path).replace(/\.ya?ml$/, '')));
  const first = `${nextName(deploy.agentName)}${next ? ', which exists and is replaced,' : ''}`;
  const where = gate.isFirst ? `with ${first} that is deleted afterwards` : 'with the new deployment';
  return [row('Decides', `${listed(names)}, ${where}; each conversation is a session`)];
}

/** What a deployment runs, and since when. */
export function describeContent(deployment: Agent['deployment']): string {
  const { buildId, manifest, createdAt = '' } = deployment ?? {};
  const created = Date.parse(createdAt);
  const content = buildId ? `build ${short(buildId)}` : (manifest?.spec?.image ?? 'unknown');
  return `(${content})${Number.isNaN(created) ? '' : `, ${ago(created)}`}`;
}

/** `3 days ago`, `5m ago`. */
function ago(time: number): string {
  const seconds = (Date.now() - time) / 1000;
  const days = Math.floor(seconds / 86_400);
  return days > 1 ? `${days} days ago` : `${duration(seconds)} ago`;
}

/** All files of the context, and which line leaves out which. */
function describeFiles({ wanted: { upload } }: Job): string[] {
  if (!upload) return [];
  return [
    '',
    'Files:',
    ...upload.files.map(({ name, bytes }) => `  ${onOneLine(name)}  ${size(bytes)}`),
    ...(upload.leftOut.length > 0 ? ['Excluded:'] : []),
    ...upload.leftOut.map(({ name, by }) => `  ${onOneLine(name)}  by ${describeRule(by)}`),
  ];
}

/** An image that was built, or was there: `cached`. Then nobody knows how many seconds it took. */
interface Built {
  id: string;
  cached: boolean;
  seconds: number | null;
}

interface Done extends Job {
  built: Built | undefined;
  done: Awaited<ReturnType<typeof rollOut>>;
  seconds: number;
  /** The results of the conversations, if some decided. */
  scenarios: readonly object[] | undefined;
  /** What to do about an agent that was tried first and is left. */
  left: string | undefined;
}

export function report(job: Done): void {
  const { seen, wanted, done, plan, built = null, seconds, scenarios, left, options, terminal } = job;
  const { agentName } = wanted.deploy;
  const isElsewhere = done.region !== UNKNOWN && done.region !== plan.region;
  const odd = [
    ...(left === undefined ? [] : [left]),
    ...(isElsewhere ? [`The platform runs ${agentName} in ${done.region}, not in ${plan.region}.`] : []),
  ];
  const about = (command: string) => `botcli cloud ${command} -o ${seen.organization}`;
  const isAmong = (rows: readonly { id: string }[]) => rows.some(({ id }) => wanted.transports.includes(id));
  const next = [
    ...(!wanted.transport && isAmong(CALLABLE) ? [about(`call ${agentName}`)] : []),
    ...(isAmong(PHONES) ? [about(`phone ${agentName}`)] : []),
    about(`status ${agentName}`),
    about(`logs ${agentName} --follow`),
  ];
  if (options.json) {
    const { deployment, warning } = done;
    const warnings = [...plan.warnings, ...odd, ...(warning ? [warning] : [])];
    const outcome = seen.agent ? 'updated' : 'created';
    terminal.printJson(factsOf(job, outcome, { deployment, build: built, seconds, warnings, next, scenarios }));
    return;
  }
  terminal.print(describeDone(agentName, done));
  const meaning = done.isIdle ? 'The first call starts an instance.' : 'Ready means that the platform could start it.';
  if (!wanted.transport && !scenarios) terminal.note(`${meaning} botcli hasn't called it.`);
  for (const warning of odd) terminal.note(warning);
  if (done.warning) terminal.note(`The platform says: ${done.warning}`);
  terminal.note(['Next:', ...next.map(line => `  ${line}`)].join('\n'));
}

/** @throws {UserError} What the platform would refuse, after the plan. */
export function reportTrial(job: Job, gate: GatePlan): void {
  const { terminal } = job;
  const { json } = job.options;
  const { refusal } = job.plan;
  const planned = factsOf(job, 'planned');
  if (json && refusal) throw refusal.withMessage(refusal.message, { facts: { ...planned, ...refusal.facts } });
  if (json) {
    terminal.printJson(planned);
    return;
  }
  terminal.print([...describePlan(job, gate, terminal.style), ...describeFiles(job)].join('\n'));
  terminal.note('This was a dry run: nothing was changed.');
  if (refusal) throw refusal;
}

export function reportUnchanged(job: Job, scenarios: readonly object[] | undefined): void {
  const { plan, seen, wanted, options, terminal } = job;
  const deployment = seen.agent?.desiredDeploymentId ?? null;
  if (options.json) {
    const build = plan.build ? { id: plan.build.id, cached: true, seconds: null } : null;
    terminal.printJson(factsOf(job, 'unchanged', { deployment, build, scenarios }));
    return;
  }
  for (const warning of plan.warnings) terminal.note(warning);
  terminal.print(
    `Nothing to deploy: ${wanted.deploy.agentName} already runs this (deployment ${short(deployment ?? '')})`,
  );
  terminal.note('If secret values changed since, add --force.');
}

/** What every deploy prints for programs. `more` is what it did. */
function factsOf(
  { wanted: { upload, deploy }, seen, plan }: Job,
  outcome: 'created' | 'updated' | 'unchanged' | 'planned',
  { scenarios, ...more }: { scenarios?: readonly object[] | undefined; [key: string]: unknown } = {},
) {
  const { add, replace, keep } = plan.keys;
  return {
    agent: deploy.agentName,
    organization: seen.organization,
    region: plan.region,
    outcome,
    deployment: null,
    previous_deployment: seen.agent?.desiredDeploymentId ?? null,
    build: null,
    context: upload ? { files: upload.files.length, bytes: upload.bytes, hash: upload.hash } : null,
    secrets: { added: add, replaced: replace, kept: keep },
    seconds: 0,
    warnings: plan.warnings,
    next: [],
    ...more,
    ...(scenarios && { scenarios }),
  };
}
