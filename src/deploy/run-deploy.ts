import { resolve } from 'node:path';
import { readAccount } from '../account/account.ts';
import { organizationOf } from '../account/organization.ts';
import { type CloudSession, noteAddress, withCloud } from '../account/session.ts';
import { explaining, hintOf, UserError, usageError } from '../errors.ts';
import { isDirectory } from '../paths/read.ts';
import { isUuid } from '../platform/location.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { onOneLine } from '../text.ts';
import { checkNames, type DeployOptions, nextName } from './inputs.ts';
import type { Job } from './job.ts';
import { look } from './look.ts';
import { planDeploy } from './plan.ts';
import { describeFiles, describePlan } from './plan-text.ts';
import { attempt, readWanted, secretValues, type Wanted } from './read.ts';
import { reportTrial, reportUnchanged } from './report-unchanged.ts';
import { short } from './steps.ts';

/** Deploys: reads, looks, plans, asks, and carries it out. */
export async function runDeploy(directory: string, options: DeployOptions, terminal: Terminal): Promise<void> {
  const timeoutMs = minutesIn(options) * 60_000;
  const secrets = secretsFileOf(options, terminal);
  const { gate: words = [] } = options;
  const explain = explaining(error => namingDirectory(error, words, terminal));
  const errors = lineErrors(options, terminal);
  const wanted = await readWanted(directory, { ...options, secrets }, terminal, errors).catch(explain);
  hideValues(wanted, terminal);
  const { transport } = wanted;
  const gate = await gateOf(directory, options, wanted, terminal).catch(explain);
  await logInIfNeeded(options, terminal);
  await withCloud(options, terminal, async session => {
    const deadline = Date.now() + timeoutMs;
    const name = await organizationFor(session, terminal);
    const buildId = options.build ?? wanted.deploy.buildId;
    const next = gate?.isFirst ? nextName(wanted.deploy.agentName) : undefined;
    const seen = await look(wanted, wanted.upload ? undefined : buildId, name, session.cloud, next).catch(
      explaining(error => error.withMessage(error.message, { facts: { phase: 'look' } })),
    );
    const mayAsk = terminal.interactive && !options.skip;
    const plan = planDeploy(wanted, seen, { force: options.force === true, mayAsk });
    const job = { wanted, seen, plan, limits: { signal: session.signal, deadline }, session, transport, gate };
    if (options['dry-run']) {
      const lines = [...describePlan(job, terminal.style), ...describeFiles(job)];
      return reportTrial(lines, job, options, terminal);
    }
    if (plan.refusal) throw plan.refusal;
    if (plan.isUnchanged) {
      const scenarios = await (await later()).tryUnchanged(job, options, terminal);
      return reportUnchanged({ ...job, scenarios }, options, terminal);
    }
    noteAddress(session, terminal);
    terminal.note(describePlan(job, terminal.noteStyle).join('\n'));
    // A rollout that goes on needs no consent: botcli only watches it.
    if (plan.isUnderWay) terminal.note(describeJoined(job));
    else await confirm('Deploy it?', options, terminal);
    await (await later()).carryOut(job, options, terminal);
  });
}

/** From now on, nothing that is printed has a value; names of files and settings are none. */
function hideValues({ ownValues, fileValues = [], upload, deploy }: Wanted, { hidden }: Terminal): void {
  hidden.hide(secretValues([...ownValues, ...fileValues]));
  const files = [...(upload?.files ?? []), ...(upload?.leftOut ?? [])].map(({ name }) => name);
  const settings = Object.values(deploy).filter(setting => typeof setting === 'string');
  hidden.allow([...files, ...settings]);
}

/** The conversations that decide whether the deployment stays. Their code is loaded only if some do. */
async function gateOf(directory: string, options: DeployOptions, wanted: Wanted, terminal: Terminal) {
  if (!options.gate && !options['gate-first']) return undefined;
  return (await import('./gate/gate.ts')).readGate(directory, options, wanted, terminal);
}

/** Adds to an error that a word after `--gate` isn't the directory to deploy. */
function namingDirectory(error: UserError, words: readonly string[], { cwd }: Terminal): UserError {
  const word = words.find(one => isDirectory(resolve(cwd, one)));
  if (word === undefined) return error;
  const hint = hintOf(error.hint, `"${onOneLine(word)}" is a directory. To deploy it, put it before --gate.`);
  return error.withMessage(error.message, { hint });
}

/** What only a change needs, and takes long to load. */
const later = () => import('./carry-out.ts');

const describeJoined = ({ wanted: { deploy }, seen: { agent } }: Job): string =>
  `${deploy.agentName} is being deployed like this already: deployment ${short(agent?.desiredDeploymentId ?? '')}. ` +
  'botcli waits for it. To deploy anew instead, add --force.';

/** What is wrong with the command line. */
function lineErrors(options: DeployOptions, terminal: Terminal): UserError[] {
  const { build, secrets, 'env-file': old } = options;
  const minutes = minutesIn(options);
  const errors: UserError[] = [];
  attempt(() => checkNames({ organization: options.organization }), errors);
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

/** In a terminal, asks for a token if there is none. */
async function logInIfNeeded(options: DeployOptions, terminal: Terminal): Promise<void> {
  try {
    readAccount(terminal, options.organization);
  } catch (error) {
    const isMissing = error instanceof UserError && error.reason === 'not-logged-in';
    if (!isMissing || !terminal.interactive) throw error;
    terminal.note(error.message);
    const { logIn } = await import('../account/log-in.ts');
    await logIn(options, terminal);
  }
}

/** The organization. In a terminal, asks for one of several. */
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
