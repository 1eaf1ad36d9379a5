import { botTypeOf, findTransport, transports } from '../../catalog/index.ts';
import { DEPLOY_FILE, type DeployFile } from '../../existing/deploy-file.ts';
import { shellPath, shellWord } from '../../shells.ts';
import type { PlatformFacts, PlatformSecret } from './facts.ts';
import { type Facts, valueFor } from './facts.ts';
import type { Check, Detail } from './finding.ts';
import { describeMissing, isForDeploy } from './project.ts';

/** The files of a deploy, in addition to the other facts. */
interface DeployFacts extends Facts {
  hasDeployFile: boolean;
  /** Undefined if there is no such file, or it isn't TOML. */
  deploy: DeployFile | undefined;
  missingBuildFile: string | undefined;
}

/** The same, with what the platform says. */
interface CloudFacts extends DeployFacts {
  deploy: DeployFile;
  platform: PlatformFacts;
  /** The organization on the command line, which commands repeat. */
  organization: string | undefined;
}

/** Whether the files of a deploy are complete. */
export const deployChecks: readonly Check<DeployFacts>[] = [
  {
    code: 'missing-files',
    level: 'error',
    find: facts =>
      describeMissing(
        facts.missing.filter(path => isForDeploy(path, facts)),
        facts,
      ),
  },
  {
    code: 'deploy-file',
    level: 'error',
    find({ hasDeployFile, deploy, project, missing, place }) {
      if (deploy || missing.includes(DEPLOY_FILE)) return [];
      if (hasDeployFile)
        return [{ message: `${place(DEPLOY_FILE)} is not valid TOML`, hint: 'Fix it, or restore it from git.' }];
      const hint = project.config.deploy_to_cloud ? '' : 'This project was created without cloud files.';
      return [
        {
          message: `There is no ${place(DEPLOY_FILE)}`,
          ...(hint && { hint }),
          fix: { command: 'botcli update --deploy-to-cloud' },
        },
      ];
    },
  },
  {
    code: 'build-file',
    level: 'error',
    find: ({ missingBuildFile, missing, place }) =>
      missingBuildFile === undefined || missing.includes(missingBuildFile)
        ? []
        : [
            {
              message: `${place(missingBuildFile)}, which ${place(DEPLOY_FILE)} names, doesn't exist`,
              hint: 'Set dockerfile in its [build] section to container-file.',
            },
          ],
  },
  {
    code: 'transport-not-in-cloud',
    level: 'error',
    find: ({ project: { config } }) =>
      config.transports.map(findTransport).every(({ isPeerToPeer }) => isPeerToPeer)
        ? [
            {
              message: `Nobody can reach this bot in the cloud: ${config.transports.map(id => findTransport(id).label).join(', ')} only works locally`,
              hint: 'Add a transport that the cloud can serve, such as Daily.',
              fix: { command: `botcli update ${withHosted(config.transports)}` },
            },
          ]
        : [],
  },
  {
    code: 'value-local',
    level: 'warning',
    find: ({ env, requirements, place }) =>
      [...env.file.entries.values()]
        .filter(({ name, value = '' }) => requirements.inBot.has(name) && THIS_COMPUTER.test(value))
        .map(({ name, line }) => ({
          message: `${place(env.path)}, line ${line}: ${name} points to this computer, which the cloud can't reach`,
          hint: 'Give the secret set an address that works from the cloud.',
        })),
  },
];

/** The address of the machine that reads it, with or without a scheme. */
const THIS_COMPUTER =
  /^(?:[a-z][a-z+.-]*:\/\/)?(?:[^@/]*@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)(?::\d+)?(?:[/?#]|$)/i;

/** Whether the platform has the secrets that a deploy needs. */
export const cloudChecks: readonly Check<CloudFacts>[] = [
  {
    code: 'secret-set-missing',
    level: 'error',
    find(facts) {
      const { deploy, platform, requirements, place } = facts;
      if (requirements.inCloud.length === 0 && deploy.secretSet === undefined) return [];
      if (deploy.secretSet === undefined) {
        return [
          {
            message: `${place(DEPLOY_FILE)} names no secret_set`,
            hint: `The bot needs ${requirements.inCloud.join(', ')}.`,
          },
        ];
      }
      if (setOf(facts)) return [];
      return [
        {
          message: `Organization ${platform.organization} has no secret set ${deploy.secretSet}`,
          ...fixBy(setCommand(deploy.secretSet, facts), deploy.secretSet, deploy.region),
        },
      ];
    },
  },
  {
    code: 'secret-set-type',
    level: 'error',
    find(facts) {
      const set = setOf(facts);
      if (!set || set.type === 'secret') return [];
      const hint = `Change secret_set in ${facts.place(DEPLOY_FILE)}, and create a set of that name.`;
      return [{ message: `${set.name} is an image pull secret, not a secret set`, hint }];
    },
  },
  {
    code: 'secret-not-ready',
    level: 'error',
    find: facts => wanted(facts).flatMap(one => describeStatus(one, facts, 'failed')),
  },
  {
    code: 'secret-not-ready',
    level: 'warning',
    find: facts => wanted(facts).flatMap(one => describeStatus(one, facts, 'pending')),
  },
  {
    code: 'secret-region',
    level: 'error',
    find(facts) {
      const { deploy, platform, place } = facts;
      const region = deploy.region ?? platform.defaultRegion;
      return wanted(facts)
        .filter(one => region !== undefined && one.region !== UNKNOWN && one.region !== region)
        .map(one => ({
          message: `${one.name} is in ${one.region}, but deploys go to ${region}`,
          hint: `Set region = "${one.region}" in ${place(DEPLOY_FILE)}, or create the secret there under another name.`,
        }));
    },
  },
  {
    code: 'secret-key-missing',
    level: 'error',
    find(facts) {
      const { deploy, platform, requirements } = facts;
      const lacking = requirements.inCloud.filter(name => platform.keys && !platform.keys.includes(name));
      if (lacking.length === 0 || deploy.secretSet === undefined) return [];
      return [
        {
          message: `Secret set ${deploy.secretSet} lacks ${lacking.join(', ')}`,
          ...fixBy(setCommand(deploy.secretSet, facts, lacking), deploy.secretSet, deploy.region),
        },
      ];
    },
  },
  {
    code: 'pull-secret-missing',
    level: 'error',
    find(facts) {
      const { deploy, platform } = facts;
      const name = deploy.pullSecret;
      if (name === undefined || platform.secrets.some(one => one.name === name && one.type !== 'secret')) return [];
      return [
        {
          message: `Organization ${platform.organization} has no image pull secret ${name}`,
          ...fixBy(inOrganization(`botcli cloud secrets image-pull-secret ${shellWord(name)} REGISTRY`, facts), name),
        },
      ];
    },
  },
];

/** The options for these transports, and one that the cloud serves to browsers. */
const withHosted = (ids: readonly string[]): string =>
  [...ids, ...transports.filter(row => botTypeOf(row) === 'web' && !row.isPeerToPeer).map(({ id }) => id)]
    .map(id => `-t ${id}`)
    .join(' ');

/** What the platform's answers have instead of a region that it doesn't name. */
const UNKNOWN = 'unknown';

const setOf = ({ deploy, platform }: CloudFacts): PlatformSecret | undefined =>
  platform.secrets.find(({ name }) => name === deploy.secretSet);

/** The secrets that a deploy uses. */
const wanted = ({ deploy, platform }: CloudFacts): PlatformSecret[] =>
  platform.secrets.filter(({ name }) => name === deploy.secretSet || name === deploy.pullSecret);

/** A command as the fix, unless a name in it could be anything else, such as an option. */
const fixBy = (command: string, ...names: (string | undefined)[]): Pick<Detail, 'fix'> =>
  names.every(name => name === undefined || /^[A-Za-z0-9][\w.-]{0,127}$/.test(name)) ? { fix: { command } } : {};

/** A command for the organization that was checked. */
const inOrganization = (command: string, { organization }: CloudFacts): string =>
  organization === undefined ? command : `${command} -o ${shellWord(organization)}`;

function describeStatus(
  { name, status, errorMessage }: PlatformSecret,
  facts: CloudFacts,
  wantedStatus: string,
): Detail[] {
  if (status !== wantedStatus) return [];
  const command = inOrganization(`botcli cloud secrets list ${shellWord(name)}`, facts);
  if (status === 'pending') {
    return [
      {
        message: `${name} isn't ready yet, and a deploy would be refused`,
        hint: 'Wait some seconds.',
        ...fixBy(command, name),
      },
    ];
  }
  const isSet = name === facts.deploy.secretSet;
  return [
    {
      message: `${name} failed${errorMessage ? `: ${errorMessage}` : ''}`,
      ...fixBy(isSet ? setCommand(name, facts) : command, name),
    },
  ];
}

/** The command that stores keys: from the env file if that has them, else from prompts. */
function setCommand(set: string, facts: CloudFacts, keys: readonly string[] = facts.requirements.inCloud): string {
  const { env, place, deploy } = facts;
  const region = deploy.region && !setOf(facts) ? ` --region ${shellWord(deploy.region)}` : '';
  const isInFile = keys.every(name => valueFor(name, { ...env, shell: {} }) !== undefined);
  const from = isInFile ? `--file ${shellPath(place(env.path))}` : keys.map(key => shellWord(key)).join(' ');
  return inOrganization(`botcli cloud secrets set ${shellWord(set)} ${from}${region}`, facts);
}
