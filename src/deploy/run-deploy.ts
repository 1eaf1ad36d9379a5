import { readAccount } from '../account/account.ts';
import { organizationOf } from '../account/organization.ts';
import { type CloudSession, noteAddress, withCloud } from '../account/session.ts';
import { explaining, UserError, usageError } from '../errors.ts';
import { isUuid } from '../platform/location.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { chooseTransport } from './call/transport.ts';
import { checkNames, type DeployOptions, inTyped } from './inputs.ts';
import type { Job } from './job.ts';
import { look } from './look.ts';
import { planDeploy } from './plan.ts';
import { describeFiles, describePlan } from './plan-text.ts';
import { readWanted, type Wanted } from './read.ts';
import { reportTrial, reportUnchanged } from './report-unchanged.ts';
import { short } from './steps.ts';

/** Deploys: reads, looks, plans, asks, and carries it out. */
export async function runDeploy(directory: string, options: DeployOptions, terminal: Terminal): Promise<void> {
  const timeoutMs = checkOptions(options);
  if (!options['dry-run']) checkCanAsk(options, terminal);
  const secrets = secretsFileOf(options, terminal);
  const wanted = await readWanted(directory, { ...options, secrets }, terminal);
  hideValues(wanted, terminal);
  const watch = `botcli cloud logs ${wanted.deploy.agentName} --follow${inTyped(options.organization)}`;
  const transport = options.call ? chooseTransport(undefined, wanted.transports, watch) : undefined;
  await logInIfNeeded(options, terminal);
  await withCloud(options, terminal, async session => {
    const deadline = Date.now() + timeoutMs;
    const name = await organizationFor(session, terminal);
    const buildId = options.build ?? wanted.deploy.buildId;
    const seen = await look(wanted, wanted.upload ? undefined : buildId, name, session.cloud).catch(
      explaining(error => error.withMessage(error.message, { facts: { phase: 'look' } })),
    );
    const mayAsk = terminal.interactive && !options.skip;
    const plan = planDeploy(wanted, seen, { force: options.force === true, mayAsk });
    const job = { wanted, seen, plan, limits: { signal: session.signal, deadline }, session, transport };
    if (options['dry-run']) {
      const lines = [...describePlan(job, terminal.style), ...describeFiles(job)];
      return reportTrial(lines, job, options, terminal);
    }
    if (plan.refusal) throw plan.refusal;
    if (plan.isUnchanged) {
      if (transport) await (await later()).tryOut(job, seen.agent?.desiredDeploymentId, options, terminal);
      return reportUnchanged(job, options, terminal);
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
  hidden.hide([...ownValues, ...fileValues].map(({ value }) => value));
  const files = [...(upload?.files ?? []), ...(upload?.leftOut ?? [])].map(({ name }) => name);
  const settings = Object.values(deploy).filter(setting => typeof setting === 'string');
  hidden.allow([...files, ...settings]);
}

/** What only a change needs, and takes long to load. */
const later = () => import('./carry-out.ts');

const describeJoined = ({ wanted: { deploy }, seen: { agent } }: Job): string =>
  `${deploy.agentName} is being deployed like this already: deployment ${short(agent?.desiredDeploymentId ?? '')}. ` +
  'botcli waits for it. To deploy anew instead, add --force.';

/** Checks what needs no files. Returns the timeout in milliseconds. */
function checkOptions({ organization, build, timeout = '20' }: DeployOptions): number {
  checkNames({ organization });
  if (build !== undefined && !isUuid(build)) {
    throw usageError('--build must be the ID of a build', {
      hint: 'The plan of cloud deploy names it, and so does cloud status.',
    });
  }
  const minutes = /^\d+(?:\.\d+)?$|^\.\d+$/.test(timeout) ? Number(timeout) : 0;
  if (minutes <= 0 || minutes > 1440) throw usageError('--timeout must be a number of minutes, at most 1440');
  return minutes * 60_000;
}

/** The file of `--secrets`, or of its old name, which Node.js takes for its own option. */
function secretsFileOf({ secrets, 'env-file': old }: DeployOptions, { note }: Terminal): string | undefined {
  if (old === undefined) return secrets;
  if (secrets !== undefined) throw usageError('Pass --secrets or --env-file, not both', { hint: 'They are the same.' });
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
