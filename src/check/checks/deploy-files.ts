import { posix } from 'node:path';
import { botTypeOf, findTransport, transports } from '../../catalog/index.ts';
import { nameInSentence } from '../../config/names.ts';
import type { Context } from '../../deploy/context/context.ts';
import { DEPLOY_FILE, type DeployFile } from '../../existing/deploy-file.ts';
import { describeLocal, isLocalAddress } from '../../this-computer.ts';
import type { Facts } from './facts.ts';
import { inDirectory } from './facts.ts';
import type { Check, Detail } from './finding.ts';
import { describeMissing, isForDeploy } from './project.ts';

/** The files of a deploy, in addition to the other facts. */
interface DeployFacts extends Facts {
  /** The line where the deploy file stops being TOML, counted from 1. */
  brokenAt: number | undefined;
  /** Undefined if there is no such file, or it isn't TOML. */
  deploy: DeployFile | undefined;
  missingBuildFile: string | undefined;
  /** What a deploy would upload; undefined if it builds no image, or the build file doesn't exist. */
  context: Context | undefined;
}

/** Whether the files of a deploy are complete. */
export const deployChecks: readonly Check<DeployFacts>[] = [
  {
    code: 'missing-files',
    level: 'error',
    find: facts => describeMissing(facts, path => isForDeploy(path, facts)),
  },
  {
    code: 'deploy-file',
    level: 'error',
    find({ brokenAt, deploy, project, missing, place }) {
      if (deploy || missing.includes(DEPLOY_FILE)) return undefined;
      if (brokenAt !== undefined) {
        const message = `${place(DEPLOY_FILE)}, line ${brokenAt}: this isn't valid TOML`;
        return { message, hint: 'Fix it, or restore it from git.' };
      }
      return {
        message: `There is no ${place(DEPLOY_FILE)}`,
        ...(!project.config.deploy_to_cloud && { hint: 'This project was created without cloud files.' }),
        fix: { command: inDirectory('botcli update --deploy-to-cloud', place('')) },
      };
    },
  },
  {
    code: 'build-file',
    level: 'error',
    find: ({ missingBuildFile, deploy, missing, place }) =>
      missingBuildFile !== undefined &&
      !missing.includes(missingBuildFile) && {
        message: deploy?.namesDockerfile
          ? `${place(missingBuildFile)}, which ${place(DEPLOY_FILE)} names, doesn't exist`
          : `${place(missingBuildFile)} doesn't exist, and ${place(DEPLOY_FILE)} names no other file to build from`,
        hint: 'Set dockerfile in its [build] section to container-file.',
      },
  },
  { code: 'agent-name', level: 'error', find: facts => describeSettings(facts, /^agent_name /) },
  { code: 'deploy-key', level: 'error', find: facts => describeSettings(facts, /^(?!agent_name )/) },
  {
    code: 'context',
    find: ({ context, deploy, place }, level) =>
      context?.[level === 'error' ? 'problems' : 'warnings'].map(one => ({
        message: `${place(posix.join('server', deploy?.contextDir ?? ''))}: ${one.replace(/\.$/, '')}`,
        hint: "A deploy uploads every file that .dockerignore doesn't exclude.",
      })),
  },
  {
    code: 'transport-not-in-cloud',
    level: 'error',
    find({ project: { config }, place }) {
      const rows = config.transports.map(findTransport);
      if (!rows.every(({ isPeerToPeer }) => isPeerToPeer)) return undefined;
      const labels = rows.map(({ label }) => nameInSentence(label)).join(', ');
      return {
        message: `Nobody can reach this bot in the cloud: ${labels} only works locally`,
        hint: 'Add a transport that the cloud can serve, such as Daily.',
        fix: { command: inDirectory(`botcli update ${withHosted(config.transports)}`, place('')) },
      };
    },
  },
  {
    code: 'value-local',
    level: 'warning',
    find: ({ env, requirements, place }) =>
      [...env.file.entries.values()]
        .filter(({ name, value = '' }) => requirements.inBot.has(name) && isLocalAddress(value))
        .map(({ name, line }) => ({
          message: `${place(env.path)}, line ${line}: ${describeLocal(name)}`,
          hint: 'Give the secret set an address that works from the cloud.',
        })),
  },
];

const describeSettings = ({ deploy, place }: DeployFacts, which: RegExp): Detail[] =>
  (deploy?.problems ?? [])
    .filter(one => which.test(one))
    .map(one => ({ message: `${place(DEPLOY_FILE)}: ${one}`, hint: 'Fix it before you deploy.' }));

/** The options for these transports, and one that the cloud serves to browsers. */
const withHosted = (ids: readonly string[]): string =>
  [...ids, ...transports.filter(row => botTypeOf(row) === 'web' && !row.isPeerToPeer).map(({ id }) => id)]
    .map(id => `-t ${id}`)
    .join(' ');
