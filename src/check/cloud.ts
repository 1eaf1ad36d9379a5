import { posix } from 'node:path';
import { UserError } from '../errors.ts';
import { DEPLOY_FILE, type DeployFile, parseDeployFile } from '../existing/deploy-file.ts';
import { exists, readText } from '../paths/read.ts';
import type { Terminal } from '../shell/terminal.ts';
import { cloudChecks, deployChecks } from './checks/cloud.ts';
import type { Facts, PlatformFacts } from './checks/facts.ts';
import { type Finding, runChecks } from './checks/finding.ts';
import type { AskPlatform } from './platform.ts';
import type { GroupResult } from './report.ts';

/** Checks what a deploy needs: the files, the login, and the secrets. */
export async function checkPlatform(
  facts: Facts,
  ask: AskPlatform,
  options: { readonly organization?: string; readonly debug?: boolean },
  terminal: Terminal,
): Promise<GroupResult> {
  const text = readText(facts.project.root, DEPLOY_FILE);
  const deploy = text === undefined ? undefined : parseDeployFile(text);
  const buildFile = deploy?.buildFile && posix.join('server', deploy.buildFile);
  const files = {
    ...facts,
    hasDeployFile: text !== undefined,
    deploy,
    missingBuildFile: buildFile && !exists(facts.project.root, buildFile) ? buildFile : undefined,
  };
  const before = runChecks('cloud', deployChecks, files);
  try {
    const platform = await ask(deploy?.secretSet, options, terminal);
    const asked = { platform, organization: options.organization };
    const after = deploy ? runChecks('cloud', cloudChecks, { ...files, ...asked, deploy }) : [];
    return { group: 'cloud', findings: [...before, ...after], passed: passedCloud(deploy, platform) };
  } catch (error) {
    // Ctrl-C, and wrong options, end the command.
    if (!(error instanceof UserError) || error.exitCode > 2 || error.reason === 'usage') throw error;
    return { group: 'cloud', findings: [...before, findingOf(error)], passed: '' };
  }
}

/** The commands that fix what keeps botcli from asking the platform. */
const FIXES: Readonly<Record<string, string>> = {
  'not-logged-in': 'botcli cloud auth login',
  unauthorized: 'botcli cloud auth login',
  'no-organization': 'botcli cloud organizations select',
};

function findingOf({ reason, message, hint }: UserError): Finding {
  const command = FIXES[reason];
  return {
    code: reason,
    level: 'error',
    group: 'cloud',
    message,
    ...(hint && { hint }),
    ...(command && { fix: { command } }),
  };
}

function passedCloud(deploy: DeployFile | undefined, { organization, secrets, keys }: PlatformFacts): string {
  const set = secrets.find(({ name }) => name === deploy?.secretSet);
  if (!set) return `organization ${organization} has what a deploy needs`;
  const number = keys ? ` and has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}` : '';
  // The platform never returns values.
  return `secret set ${set.name} is ready in ${set.region}${number}; botcli can't compare its values with .env`;
}
