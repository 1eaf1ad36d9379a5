import { resolve } from 'node:path';
import { type CloudSession, logIn, noteAddress, organizationOf, readAccount, withCloud } from '../account/session.ts';
import { attempt, explaining, hintOf, UserError, usageError } from '../errors.ts';
import { isDirectory } from '../paths/read.ts';
import { Agents } from '../platform/agents.ts';
import { inputProblems } from '../platform/names.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isUuid, onOneLine } from '../text.ts';
import { look, planDeploy } from './plan.ts';
import { type DeployOptions, deployOptions, readWanted, secretValues } from './read.ts';
import { describePlan, reportTrial } from './report.ts';
import { short } from './steps.ts';
import { nextName } from './verdict.ts';

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
  const folder = words.find(word => isDirectory(resolve(terminal.cwd, word)));
  const explain = explaining(error => {
    if (folder === undefined) return error;
    const hint = hintOf(error.hint, `"${onOneLine(folder)}" is a directory. To deploy it, put it before --gate.`);
    return error.withMessage(error.message, { hint });
  });
  const errors = lineErrors(options, terminal);
  const wanted = await readWanted(directory, { ...options, secrets }, terminal, errors).catch(explain);
  // From now on, nothing that is printed has a value; names of files and settings are none.
  const { ownValues, fileValues = [], upload } = wanted;
  terminal.hidden.hide(secretValues([...ownValues, ...fileValues]));
  const files = [...(upload?.files ?? []), ...(upload?.leftOut ?? [])].map(({ name }) => name);
  terminal.hidden.allow([...files, ...Object.values(wanted.deploy).filter(setting => typeof setting === 'string')]);
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
    const seen = await look(wanted, upload ? undefined : buildId, name, session.cloud, next).catch(
      explaining(error => error.withMessage(error.message, { facts: { phase: 'look' } })),
    );
    const mayAsk = terminal.interactive && !options.skip;
    const plan = planDeploy(wanted, seen, { force: options.force === true, mayAsk });
    const agents = new Agents(session.cloud, name);
    const { signal } = session;
    const job = { wanted, seen, plan, session, options, agents, signal, deadline, terminal };
    if (options['dry-run']) return reportTrial(job, gate);
    if (plan.refusal) throw plan.refusal;
    if (!plan.isUnchanged) {
      noteAddress(session, terminal);
      terminal.note(describePlan(job, gate, terminal.noteStyle).join('\n'));
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
    await carryOut(job, gate);
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
