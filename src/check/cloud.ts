import { posix } from 'node:path';
import { hashArchive } from '../deploy/context/archive.ts';
import { type Context, readContext } from '../deploy/context/context.ts';
import { UserError } from '../errors.ts';
import { brokenLineIn, DEPLOY_FILE, type DeployFile, parseDeployFile } from '../existing/deploy-file.ts';
import { findTarget } from '../paths/locate.ts';
import { exists, readText } from '../paths/read.ts';
import type { Terminal } from '../shell/terminal.ts';
import { agentChecks, type CloudFacts, secretChecks } from './checks/agents.ts';
import { deployChecks } from './checks/deploy-files.ts';
import type { Facts } from './checks/facts.ts';
import { type Finding, runChecks } from './checks/finding.ts';
import type { GroupResult } from './report.ts';

/**
 * Asks the platform about a secret set and an agent. The program provides it, so that checks don't know how.
 *
 * @throws {UserError} There is no login, or no answer.
 */
type AskPlatform = (
  asked: { readonly set: string | undefined; readonly agent: string | undefined },
  options: { readonly organization?: string; readonly debug?: boolean },
  terminal: Terminal,
) => Promise<CloudFacts['platform']>;

/** Checks what a deploy needs: the files, the login, and the secrets. */
export async function checkPlatform(
  facts: Facts,
  ask: AskPlatform,
  options: Parameters<AskPlatform>[1],
  terminal: Terminal,
): Promise<GroupResult> {
  const text = readText(facts.project.root, DEPLOY_FILE);
  const deploy = text === undefined ? undefined : parseDeployFile(text);
  const buildFile = deploy?.buildFile && posix.join('server', deploy.buildFile);
  const missingBuildFile = buildFile && !exists(facts.project.root, buildFile) ? buildFile : undefined;
  const files = {
    ...facts,
    brokenAt: text === undefined || deploy ? undefined : brokenLineIn(text),
    deploy,
    missingBuildFile,
    context: deploy && !missingBuildFile ? contextOf(facts, deploy) : undefined,
  };
  const before = runChecks('cloud', deployChecks, files);
  try {
    const platform = await ask({ set: deploy?.secretSet, agent: deploy?.agentName }, options, terminal);
    const hash = platform.agent?.build && (await hashOf(files.context));
    const asked = { platform, hash, organization: options.organization };
    const after = deploy ? runChecks('cloud', [...secretChecks, ...agentChecks], { ...files, ...asked, deploy }) : [];
    return { group: 'cloud', findings: [...before, ...after], passed: passedCloud(deploy, platform) };
  } catch (error) {
    // Ctrl-C, and wrong options, end the command.
    if (!(error instanceof UserError) || error.exitCode > 2 || error.reason === 'usage') throw error;
    return { group: 'cloud', findings: [...before, findingOf(error)], passed: '' };
  }
}

/** What a deploy would upload, if it builds an image. */
function contextOf({ project, requirements }: Facts, deploy: DeployFile): Context | undefined {
  const { image, buildId, contextDir, dockerfile, exclude } = deploy;
  if (image !== undefined || buildId !== undefined) return undefined;
  const place = { project: findTarget(project.root).root, deployFile: DEPLOY_FILE };
  const files = { directory: contextDir, buildFile: dockerfile, patterns: exclude, imports: requirements.inImage };
  return readContext({ ...place, ...files });
}

/** The hash of these files; undefined if they can't be deployed, or changed meanwhile. */
async function hashOf(context: Context | undefined): Promise<string | undefined> {
  if (!context || context.problems.length > 0) return undefined;
  return hashArchive(context.files).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
}

/** The commands that fix what keeps botcli from asking the platform. */
const FIXES: Readonly<Record<string, string>> = {
  'not-logged-in': 'botcli cloud auth login',
  unauthorized: 'botcli cloud auth login',
  'no-organization': 'botcli cloud organizations select',
};

function findingOf({ reason, message, hint }: UserError): Finding {
  const command = FIXES[reason];
  const advice = { ...(hint && { hint }), ...(command && { fix: { command } }) };
  return { code: reason, level: 'error', group: 'cloud', message, ...advice };
}

function passedCloud(deploy: DeployFile | undefined, { organization, secrets, keys }: CloudFacts['platform']): string {
  const set = secrets.find(({ name }) => name === deploy?.secretSet);
  if (!set) return `organization ${organization} has what a deploy needs`;
  const number = keys ? ` and has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}` : '';
  // The platform never returns values.
  return `secret set ${set.name} is ready in ${set.region}${number}; botcli can't compare its values with .env`;
}
