import { posix } from 'node:path';
import type { Agent } from '../platform/agent-schemas.ts';
import type { Style } from '../shell/terminal.ts';
import { listed, onOneLine } from '../text.ts';
import { describeRule } from './context/context.ts';
import { nextName } from './inputs.ts';
import type { Job } from './job.ts';
import { duration, short, size } from './steps.ts';

/** The most files left out that the plan names. */
const NAMED = 2;

/** A plan, as lines. */
export function describePlan(job: Job, style: Style): string[] {
  const { plan, seen, wanted } = job;
  const { deploy } = wanted;
  const rows: [label: string, text: string][] = [
    ['Organization', style.bold(seen.organization)],
    ['Agent', describeAgent(job, style)],
    ['Image', describeImage(job)],
  ];
  if (deploy.secretSet !== undefined) {
    rows.push(['Secret set', `${style.bold(deploy.secretSet)} (${seen.set ? 'exists' : 'new'})`]);
  }
  const keys = [
    ...plan.keys.add.map(key => style.green(`  + ${key}  add`)),
    ...plan.keys.replace.map(key => style.yellow(`  ~ ${key}  replace`)),
  ];
  const lines = rows.map(([label, text]) => `${`${label}:`.padEnd(14)}${text}`);
  return [...lines, ...keys, `${'Runs on:'.padEnd(14)}${describeMachine(job)}`, ...describeGate(job), ...plan.warnings];
}

/** Which conversations decide, and where. Both cost something. */
function describeGate({ gate, seen: { agent, next }, wanted: { deploy } }: Job): string[] {
  if (!gate) return [];
  const names = gate.paths.map(path => posix.basename(path).replace(/\.ya?ml$/, ''));
  const first = `${nextName(deploy.agentName)}${next ? ', which exists and is replaced,' : ''}`;
  const where = gate.isFirst ? `with ${first} that is deleted afterwards` : 'with the new deployment';
  const hidden = [
    ...(deploy.resources === undefined ? [] : ['resources']),
    ...(deploy.websocketAuth === undefined || agent?.websocketAuth !== undefined ? [] : ['websocket_auth']),
  ];
  return [
    `${'Decides:'.padEnd(14)}${listed(names.map(onOneLine))}, ${where}; each conversation is a session`,
    ...(agent && hidden.length > 0
      ? [`If botcli goes back, ${hidden.join(' and ')} will be as in the deploy file: the platform doesn't show them.`]
      : []),
  ];
}

function describeAgent({ plan: { region }, wanted: { deploy }, seen: { agent } }: Job, style: Style): string {
  const name = style.bold(deploy.agentName);
  if (!agent) return `${name} (new) in ${region}`;
  const created = Date.parse(agent.createdAt ?? '');
  const age = Number.isNaN(created) ? [] : [`created ${ago(created)}`];
  const set = agent.deployment?.manifest?.spec?.envFromSecretNames[0];
  const facts = ['exists', ...age, ...(set && set !== deploy.secretSet ? [`now with secret set ${set}`] : [])];
  return `${name} (${facts.join(', ')}) in ${region}`;
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

function describeImage({ plan: { build }, wanted: { deploy, upload, folder } }: Job): string {
  if (deploy.image !== undefined) return deploy.image;
  if (!upload) return `build ${build ? short(build.id) : ''}`;
  const { files, bytes, leftOut } = upload;
  const path = posix.join(folder, deploy.contextDir, deploy.dockerfile);
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const state = build?.status === 'success' ? 'built already' : 'being built';
  const reused = build ? `; ${state} (${short(build.id)})` : '';
  return `${onOneLine(path)}, ${count}, ${size(bytes)}${describeLeftOut(leftOut.map(({ name }) => name))}${reused}`;
}

function describeLeftOut(names: readonly string[]): string {
  if (names.length === 0) return '';
  // What matters most comes first: a reader looks for .env.
  const sorted = [...names].sort((one, other) => Number(other.startsWith('.env')) - Number(one.startsWith('.env')));
  return `; excluded: ${listed(sorted.map(onOneLine), NAMED)}`;
}

function describeMachine({ wanted }: Job): string {
  const { agentProfile, minAgents, maxAgents } = wanted.deploy;
  const least = minAgents ?? 0;
  const instances = least === 1 ? '1 instance always runs' : `${least} instances always run`;
  const idle =
    least === 0 ? 'nothing runs while idle' : `${instances} and ${least === 1 ? 'is' : 'are'} billed around the clock`;
  const most = maxAgents === undefined ? '' : `, at most ${maxAgents}`;
  return `${agentProfile ?? 'the default profile'}; ${idle}${most}`;
}

/** All files of the context, and which line leaves out which. */
export function describeFiles({ wanted: { upload } }: Job): string[] {
  if (!upload) return [];
  return [
    '',
    'Files:',
    ...upload.files.map(({ name, bytes }) => `  ${onOneLine(name)}  ${size(bytes)}`),
    ...(upload.leftOut.length > 0 ? ['Excluded:'] : []),
    ...upload.leftOut.map(({ name, by }) => `  ${onOneLine(name)}  by ${describeRule(by)}`),
  ];
}
