import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { common, organization, skip } from '../account/session.ts';
import { allOf, attempt, explaining, type UserError, usageError } from '../errors.ts';
import { brokenLineIn, DEPLOY_FILE, parseDeployFile } from '../existing/deploy-file.ts';
import { readModules, requirementsOf, spelledAs } from '../existing/needs.ts';
import { openResolved, placeOf } from '../existing/open-project.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import { exists, readContents } from '../paths/read.ts';
import { NOTHING_SENT } from '../platform/names.ts';
import { STATE_FILE } from '../project/files/state.ts';
import { type Invocation, type OptionSpec, textOption } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath } from '../shells.ts';
import { isCopyable, onOneLine } from '../text.ts';
import { hideValues, valuesIn } from './agent-session.ts';
import { archiveOf } from './context/archive.ts';
import { type Context, readContext } from './context/context.ts';
import { chooseCallable } from './transports.ts';

export const deployOptions = [
  textOption('config', 'path', 'Use this deploy file instead of server/cloud-deploy.toml'),
  textOption('secrets', 'file', 'Also update the secret set with the keys of this file that the bot reads'),
  { flag: 'env-file', kind: 'text', placeholder: 'file', help: 'The old name of --secrets', hidden: true },
  textOption('build', 'id', 'Deploy this build instead of building these files'),
  { flag: 'force', kind: 'switch', help: 'Deploy again though nothing changed, such as after new secret values' },
  { flag: 'call', kind: 'switch', help: 'At the end, call the bot once, as botcli cloud call does' },
  {
    flag: 'gate',
    kind: 'words',
    placeholder: 'name',
    help: 'Have these test conversations with it (default: all in text), and go back unless all pass',
  },
  {
    flag: 'gate-first',
    kind: 'switch',
    help: 'Have them with an agent of its own first, and deploy only if all pass',
  },
  { flag: 'dry-run', kind: 'switch', help: 'Show the plan and all files, and change nothing' },
  textOption('timeout', 'minutes', 'How long everything may take (default: 20)'),
  skip,
  organization,
  ...common,
] as const satisfies readonly OptionSpec[];

export type DeployOptions = Invocation<[], typeof deployOptions>['options'];

/** The files to build an image from, and their archive. */
interface Upload extends Context {
  archive: Awaited<ReturnType<typeof archiveOf>>;
  /** The hash by which the platform knows it. */
  hash: string;
}

export type Wanted = Awaited<ReturnType<typeof readWanted>>;

/**
 * Reads what to deploy, without the network. One error has all that is wrong, also `found` in the command line. From
 * then on, nothing that is printed has a value of the bot's; names of files and settings are none.
 */
export async function readWanted(
  directory: string,
  options: Pick<DeployOptions, 'config' | 'secrets' | 'build' | 'call' | 'organization'>,
  terminal: Terminal,
  found: readonly UserError[] = [],
) {
  const { cwd, env } = terminal;
  const errors = [...found];
  const project = attempt(() => openResolved(directory, { command: 'cloud deploy', cwd, env }), errors);
  if (!project) throw refusal(errors);
  const { root, config } = project;
  const deploy = attempt(() => readDeploy(root, options.config, config.deploy_to_cloud, terminal), errors);
  const server = join(root, 'server');
  const ownFile = placeOf(cwd, join(server, '.env'));
  const ownValues = valuesIn(server, env);
  const read = requirementsOf(readModules(readPythonFiles(root).texts), config);
  const requirements = spelledAs(read, [...ownValues.map(({ key }) => key), ...Object.keys(env)]);
  const isBuilt = [deploy?.image, deploy?.buildId, options.build].some(one => one !== undefined);
  const contextOf = (file: NonNullable<typeof deploy>) =>
    readContext({ ...file, project: root, deployFile: file.path, imports: requirements.inImage });
  const context = deploy && !isBuilt ? attempt(() => contextOf(deploy), errors) : undefined;
  const place = placeOf(cwd, join(root, deploy?.path ?? ''));
  const lacksSet = deploy && requirements.inCloud.length > 0 && deploy.secretSet === undefined;
  const unsent = [
    ...(deploy?.problems ?? []).map(problem => usageError(`${place}: ${problem}`)),
    ...(lacksSet
      ? [usageError(`${place} names no secret_set, and the bot needs ${requirements.inCloud.join(', ')}`)]
      : []),
    ...(context?.problems ?? []).map(problem => usageError(problem, { reason: 'context' })),
  ];
  errors.push(...unsent);
  const call = () => chooseCallable(undefined, config.transports, deploy?.agentName, options.organization);
  const transport = options.call && deploy ? attempt(call, errors) : undefined;
  const { secrets: file } = options;
  const readSecrets = async (path: string) => {
    const { readSecretsFile } = await import('../secrets-cli/input/sources.ts');
    const withOthers = explaining(error => refusal([...errors, error]));
    return readSecretsFile(path, terminal, requirements.inCloud, errors.length > 0).catch(withOthers);
  };
  // After another problem, stdin stays as it is for the next try.
  const isRead = file !== undefined && (file !== '-' || errors.length === 0);
  const fromFile = isRead ? await readSecrets(file) : undefined;
  if (errors.length > 0 || !deploy) throw refusal(errors, unsent);
  const archive = context && (await archiveOf(context.files));
  const upload: Upload | undefined = archive && { ...context, archive, hash: archive.hash };
  hideValues([...ownValues, ...(fromFile?.secrets ?? [])], terminal);
  terminal.hidden.allow([...(context?.files ?? []), ...(context?.leftOut ?? [])].map(({ name }) => name));
  terminal.hidden.allow(Object.values(deploy).filter(setting => typeof setting === 'string'));
  return {
    root,
    deploy: { ...deploy, agentName: deploy.agentName as string },
    /** The directory of the deploy file, in the project, and its name. */
    folder: posix.dirname(deploy.path),
    deployFile: onOneLine(posix.basename(deploy.path)),
    requirements,
    transports: config.transports,
    /** How `--call` calls the bot. */
    transport,
    /** Undefined if an image or a build exists already. */
    upload,
    ownValues,
    /** What `--secrets` sets, and what that file has no value for; undefined without it. */
    fileValues: fromFile?.secrets,
    blank: fromFile?.blank,
    /** Where `server/.env` is, as a word of a command; undefined if no command should have it. */
    ownFile: isCopyable(ownFile) ? shellPath(ownFile, env) : undefined,
  };
}

/** One error for all. One of `unsent` that is alone says that nothing was sent. */
function refusal(errors: readonly UserError[], unsent: readonly UserError[] = []): UserError {
  const [only, other] = errors;
  if (only && !other && unsent.includes(only)) return only.withMessage(only.message, { hint: 'Nothing was sent.' });
  const context = errors.find(({ reason }) => reason === 'context');
  return allOf(errors, { ...NOTHING_SENT, ...(context && { reason: context.reason }) });
}

/** The deploy file, and its path in the project. `isDue`: the project should have it, so the user has deleted it. */
function readDeploy(root: string, typed: string | undefined, isDue: boolean, { cwd, env }: Terminal) {
  const inside = typed === undefined ? DEPLOY_FILE : relative(root, resolve(cwd, typed));
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    throw usageError(`--config must be a file in the project, and "${typed}" isn't`, { reason: 'context' });
  }
  const path = inside.split(sep).join('/');
  const [place, directory] = [placeOf(cwd, join(root, path)), placeOf(cwd, root)];
  const contents = readContents(root, path);
  if (contents === 'absent') {
    const isOurs = path === DEPLOY_FILE && isCopyable(directory);
    const state = shellPath(placeOf(cwd, join(root, STATE_FILE)), env);
    const ways = isDue
      ? `Restore it from git, or copy it from a new project: botcli init fresh-copy --config ${state}`
      : `To create it, run: botcli update${directory === '.' ? '' : ` ${shellPath(directory, env)}`} --deploy-to-cloud`;
    const hint = isOurs ? ways : undefined;
    throw usageError(`There is no ${place}`, { reason: 'context', hint });
  }
  if (typeof contents === 'string') {
    const example = exists(root, DEPLOY_FILE) ? `, such as ${placeOf(cwd, join(root, DEPLOY_FILE))}` : '';
    const hint = `--config takes a deploy file${example}.`;
    throw usageError(`${place} ${contents}`, { reason: 'context', hint });
  }
  const text = contents.toString('utf8');
  const deploy = parseDeployFile(text);
  if (deploy) return { path, ...deploy };
  const hint = 'Fix it, or restore it from git.';
  throw usageError(`${place}, line ${brokenLineIn(text)}: this isn't valid TOML`, { reason: 'context', hint });
}
