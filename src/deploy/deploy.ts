import { posix, resolve } from 'node:path';
import { type CloudSession, logIn, noteAddress, organizationOf, readAccount, withCloud } from '../account/session.ts';
import { attempt, explaining, hintOf, UserError, usageError } from '../errors.ts';
import { isDirectory } from '../paths/read.ts';
import { Agents } from '../platform/agents.ts';
import { inputProblems, UNKNOWN } from '../platform/names.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import type { Style, Terminal } from '../shell/terminal.ts';
import { isUuid, listed, onOneLine } from '../text.ts';
import type { carryOut } from './carry-out.ts';
import { look, planDeploy, type Work } from './plan.ts';
import { type DeployOptions, deployOptions, readWanted } from './read.ts';
import { inPhase, Steps, short, size } from './steps.ts';
import { waysFor } from './transports.ts';
import { ago, describeDone, nextName } from './verdict.ts';

export const deploy = defineCommand({
  description:
    "Builds the image in the cloud and waits until the new deployment is ready. It's safe to run again: it continues " +
    'where it stopped.\n' +
    'Settings come from server/cloud-deploy.toml. Ready means that the platform could start the bot; a call may still fail.',
  arguments: [{ name: 'directory', isPath: true, help: 'A directory in the project (default: this one)' }],
  options: deployOptions,
  examples: [
    { line: 'botcli cloud deploy', description: 'show the plan, then ask' },
    { line: 'botcli cloud deploy --dry-run', description: 'show the plan and the files that would be sent' },
    { line: 'botcli cloud deploy --secrets server/.env --skip', description: 'in a script, with the secrets' },
    { line: 'botcli cloud deploy --call', description: 'also call the bot, and check that it speaks' },
  ],
  run: ({ positionals: { directory = '.' }, options }, terminal) => runDeploy(directory, options, terminal),
});

async function runDeploy(directory: string, options: DeployOptions, terminal: Terminal): Promise<void> {
  const timeoutMs = minutesIn(options) * 60_000;
  const secrets = secretsFileOf(options, terminal);
  const { gate: words = [] } = options;
  const folder = words.find(word => word !== '' && isDirectory(resolve(terminal.cwd, word)));
  const explain = explaining(error => {
    if (folder === undefined) return error;
    const hint = hintOf(error.hint, `"${onOneLine(folder)}" is a directory. To deploy it, put it before --gate.`);
    return error.withMessage(error.message, { hint });
  });
  const errors = lineErrors(options, terminal);
  const wanted = await readWanted(directory, { ...options, secrets }, terminal, errors).catch(explain);
  // The code of the conversations is loaded only if some decide whether the deployment stays.
  const isGated = options.gate !== undefined || options['gate-first'] === true;
  const readGate = async () => (await import('./gate/gate.ts')).readGate(directory, options, wanted, terminal);
  const gate = isGated ? await readGate().catch(explain) : undefined;
  await logInIfNeeded(options, terminal);
  await withCloud(options, terminal, async session => {
    const deadline = Date.now() + timeoutMs;
    const name = await organizationFor(session, terminal);
    const buildId = options.build ?? wanted.deploy.buildId;
    const next = gate?.isFirst ? nextName(wanted.deploy.agentName) : undefined;
    const seen = await look(wanted, wanted.upload ? undefined : buildId, name, session.cloud, next).catch(
      inPhase('look'),
    );
    const mayAsk = terminal.interactive && !options.skip;
    const plan = planDeploy(wanted, seen, { force: options.force === true, mayAsk });
    const planned = { wanted, seen, plan };
    if (options['dry-run']) return reportTrial(planned, gate, options, terminal);
    if (plan.refusal) throw plan.refusal;
    if (!plan.isUnchanged) {
      noteAddress(session, terminal);
      terminal.note(describePlan(planned, gate, terminal.noteStyle).join('\n'));
    }
    // A rollout that goes on needs no consent: botcli only watches it.
    if (plan.isUnderWay) {
      terminal.note(
        `${wanted.deploy.agentName} is being deployed like this already: deployment ` +
          `${short(seen.agent?.desiredDeploymentId ?? '')}. botcli waits for it. To deploy anew instead, add --force.`,
      );
    } else if (!plan.isUnchanged) await confirm('Deploy it?', options, terminal);
    // What only this needs takes long to load.
    const { carryOut } = await import('./carry-out.ts');
    const agents = new Agents(session.cloud, name);
    const tools = { agents, signal: session.signal, deadline, steps: new Steps(terminal), terminal };
    const work = { ...planned, session, options, ...tools };
    report(work, await carryOut(work, gate));
  });
}

function lineErrors(options: DeployOptions, terminal: Terminal): UserError[] {
  const { build, secrets, 'env-file': old } = options;
  const minutes = minutesIn(options);
  const errors = inputProblems({ organization: options.organization }).map(problem => usageError(problem));
  if (build !== undefined && !isUuid(build)) {
    const hint = 'The plan of cloud deploy names it, and so does cloud status.';
    errors.push(usageError('--build must be the ID of a build', { hint }));
  }
  if (!(minutes > 0 && minutes <= 1440)) errors.push(usageError('--timeout must be a number of minutes, at most 1440'));
  if (!options['dry-run']) attempt(() => checkCanAsk(options, terminal), errors);
  if (old !== undefined && secrets !== undefined)
    errors.push(usageError('Pass --secrets or --env-file, not both', { hint: 'They are the same.' }));
  return errors;
}

const minutesIn = ({ timeout = '20' }: DeployOptions): number =>
  /^\d+(?:\.\d+)?$|^\.\d+$/.test(timeout) ? Number(timeout) : 0;

/** The file of `--secrets`, or of its old name, which Node.js takes for its own option. */
function secretsFileOf({ secrets, 'env-file': old }: DeployOptions, { note }: Terminal): string | undefined {
  if (old === undefined || secrets !== undefined) return secrets;
  note(
    'Use --secrets instead of --env-file: Node.js reads that option, too, and lets the file change how botcli runs.',
  );
  return old;
}

async function logInIfNeeded(options: DeployOptions, terminal: Terminal): Promise<void> {
  try {
    readAccount(terminal, options.organization);
  } catch (error) {
    const isMissing = error instanceof UserError && error.reason === 'not-logged-in';
    if (!isMissing || !terminal.interactive) throw error;
    terminal.note(error.message);
    await logIn(options, terminal);
  }
}

async function organizationFor(session: CloudSession, terminal: Terminal): Promise<string> {
  try {
    // The plan names it.
    return await organizationOf(session, { note: () => {} });
  } catch (error) {
    const isMissing = error instanceof UserError && error.reason === 'no-organization';
    const all = isMissing ? await session.cloud.organizations() : [];
    if (all.length < 2 || !terminal.interactive) throw error;
    return terminal.choose('Organization', {
      choices: all.map(({ name }) => ({ value: name, label: name })),
      instead: 'Pass it with -o.',
    });
  }
}

type Planned = Pick<Work, 'wanted' | 'seen' | 'plan'>;
type GatePlan = { paths: readonly string[]; isFirst: boolean } | undefined;

function describePlan(job: Planned, gate: GatePlan, style: Style): string[] {
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

function describeAgent({ plan: { region }, wanted: { deploy }, seen: { agent } }: Planned, style: Style): string {
  const name = style.bold(deploy.agentName);
  if (!agent) return `${name} (new) in ${region}`;
  const created = Date.parse(agent.createdAt ?? '');
  const age = Number.isNaN(created) ? [] : [`created ${ago(created)}`];
  const set = agent.deployment?.manifest?.spec?.envFromSecretNames[0];
  const facts = ['exists', ...age, ...(set && set !== deploy.secretSet ? [`now with secret set ${set}`] : [])];
  return `${name} (${facts.join(', ')}) in ${region}`;
}

function describeImage({ plan: { build }, wanted: { deploy, upload, folder } }: Planned): string {
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

function describeMachine({ wanted }: Planned): string {
  const { agentProfile, minAgents: least = 0, maxAgents } = wanted.deploy;
  const instances = least === 1 ? '1 instance always runs and is' : `${least} instances always run and are`;
  const idle = least === 0 ? 'nothing runs while idle' : `${instances} billed around the clock`;
  const most = maxAgents === undefined ? '' : `, at most ${maxAgents}`;
  return `${agentProfile ?? 'the default profile'}; ${idle}${most}`;
}

/** Conversations cost something, wherever they take place. */
function describeGate(gate: GatePlan, { seen: { next }, wanted: { deploy } }: Planned): string[] {
  if (!gate) return [];
  const names = gate.paths.map(path => onOneLine(posix.basename(path).replace(/\.ya?ml$/, '')));
  const first = `${nextName(deploy.agentName)}${next ? ', which exists and is replaced,' : ''}`;
  const where = gate.isFirst ? `with ${first} that is deleted afterwards` : 'with the new deployment';
  return [row('Decides', `${listed(names)}, ${where}; each conversation is a session`)];
}

/** All files of the context, and which line leaves out which. */
function describeFiles({ wanted: { upload } }: Planned): string[] {
  if (!upload) return [];
  return [
    '',
    'Files:',
    ...upload.files.map(({ name, bytes }) => `  ${onOneLine(name)}  ${size(bytes)}`),
    ...(upload.leftOut.length > 0 ? ['Excluded:'] : []),
    ...upload.leftOut.map(({ name, by }) => `  ${onOneLine(name)}  by ${by}`),
  ];
}

/** @throws {UserError} What the platform would refuse, after the plan. */
function reportTrial(planned: Planned, gate: GatePlan, { json }: DeployOptions, terminal: Terminal) {
  const { refusal } = planned.plan;
  const facts = factsOf(planned, 'planned');
  if (json && refusal) throw refusal.withMessage(refusal.message, { facts: { ...facts, ...refusal.facts } });
  if (json) return terminal.printJson(facts);
  terminal.print([...describePlan(planned, gate, terminal.style), ...describeFiles(planned)].join('\n'));
  terminal.note('This was a dry run: nothing was changed.');
  if (refusal) throw refusal;
}

function report(work: Work, { built, done, scenarios, left }: Awaited<ReturnType<typeof carryOut>>) {
  const { agents, seen, wanted, plan, options, steps, terminal } = work;
  const { agentName } = wanted.deploy;
  const build = built ?? null;
  if (!done) {
    const deployment = seen.agent?.desiredDeploymentId ?? null;
    if (options.json) return terminal.printJson(factsOf(work, 'unchanged', { deployment, build, scenarios }));
    for (const warning of plan.warnings) terminal.note(warning);
    terminal.print(`Nothing to deploy: ${agentName} already runs this (deployment ${short(deployment ?? '')})`);
    return terminal.note('If secret values changed since, add --force.');
  }
  const isElsewhere = done.region !== UNKNOWN && done.region !== plan.region;
  const elsewhere = isElsewhere
    ? `The platform runs ${agentName} in ${done.region}, not in ${plan.region}.`
    : undefined;
  const useful = waysFor(wanted.transports).filter(word => word !== 'call' || !wanted.transport);
  const next = [...useful, 'status', 'logs'].map(word =>
    agents.command(`${word} ${agentName}${word === 'logs' ? ' --follow' : ''}`),
  );
  if (options.json) {
    const { deployment, warning } = done;
    const warnings = [...plan.warnings, ...[left, elsewhere, warning].flatMap(one => one || [])];
    const facts = { deployment, build, seconds: steps.seconds(), warnings, next, scenarios };
    return terminal.printJson(factsOf(work, seen.agent ? 'updated' : 'created', facts));
  }
  terminal.print(describeDone(agentName, done));
  const meaning = done.isIdle ? 'The first call starts an instance.' : 'Ready means that the platform could start it.';
  if (!wanted.transport && !scenarios) terminal.note(`${meaning} botcli hasn't called it.`);
  if (left) terminal.note(left);
  if (elsewhere) terminal.note(elsewhere);
  if (done.warning) terminal.note(`The platform says: ${done.warning}`);
  terminal.note(['Next:', ...next.map(line => `  ${line}`)].join('\n'));
}

/** What every deploy prints for programs. `more` is what it did. */
function factsOf(
  { wanted: { upload, deploy }, seen, plan }: Planned,
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
