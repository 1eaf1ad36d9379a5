import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { usageError } from '../errors.ts';
import { brokenLineIn, DEPLOY_FILE, type DeployFile, parseDeployFile } from '../existing/deploy-file.ts';
import { readModules } from '../existing/modules.ts';
import { requirementsOf, spelledAs } from '../existing/needs.ts';
import { openResolved, placeOf } from '../existing/open-project.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { exists, readContents, readEnvFile, readText } from '../paths/read.ts';
import type { BlankLine, Secret } from '../platform/secret.ts';
import { isCopyable, onOneLine } from '../printable.ts';
import { STATE_FILE } from '../project/files/state.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath } from '../shells.ts';
import { archiveBytes, hashArchive } from './context/archive.ts';
import { type Context, readContext } from './context/context.ts';
import type { DeployOptions } from './inputs.ts';

/** The files to build an image from. */
interface Upload extends Context {
  /** The size of the archive. */
  archiveBytes: number;
  /** The hash by which the platform knows the archive. */
  hash: string;
}

/** Everything that a deploy takes from this computer. */
export interface Wanted {
  /** The real path of the project. */
  root: string;
  deploy: DeployFile & { agentName: string };
  /** The directory of the deploy file, in the project. */
  folder: string;
  /** The name of the deploy file. */
  deployFile: string;
  requirements: ReturnType<typeof requirementsOf>;
  /** The transports of the project, by their ids. */
  transports: readonly string[];
  /** Undefined if an image or a build exists already. */
  upload: Upload | undefined;
  /** What `server/.env` sets. */
  ownValues: readonly Secret[];
  /** What `--secrets` sets; undefined without it. */
  fileValues: readonly Secret[] | undefined;
  /** What that file has no value for. */
  blank?: readonly BlankLine[] | undefined;
  /** Where `server/.env` is, as a word of a command; undefined if no command should have it. */
  ownFile: string | undefined;
}

/**
 * Reads what to deploy, without the network.
 *
 * @throws {UserError} Exit code 2: everything that is wrong with the project, the deploy file, and the context.
 */
export async function readWanted(
  directory: string,
  options: Pick<DeployOptions, 'config' | 'secrets' | 'build'>,
  terminal: Terminal,
): Promise<Wanted> {
  const { cwd, env } = terminal;
  const { root, config } = openResolved(directory, { command: 'cloud deploy', cwd, env });
  const path = options.config === undefined ? DEPLOY_FILE : pathIn(root, resolve(cwd, options.config), options.config);
  const place = placeOf(cwd, join(root, path));
  const deploy = readDeploy(root, path, config.deploy_to_cloud, terminal);
  const folder = posix.dirname(path);
  const needsBuild = deploy.image === undefined && deploy.buildId === undefined && options.build === undefined;
  const { contextDir, dockerfile, exclude } = deploy;
  const server = join(root, 'server');
  const ownFile = placeOf(cwd, join(server, '.env'));
  const ownValues = valuesIn(server, env);
  const read = requirementsOf(readModules(readPythonFiles(root).texts), config);
  const requirements = spelledAs(read, [...ownValues.map(({ key }) => key), ...Object.keys(env)]);
  const files = { directory: contextDir, buildFile: dockerfile, patterns: exclude, imports: requirements.inImage };
  const context = needsBuild ? readContext({ project: root, deployFile: path, ...files }) : undefined;
  const problems = [
    ...deploy.problems.map(problem => `${place}: ${problem}`),
    ...(requirements.inCloud.length > 0 && deploy.secretSet === undefined
      ? [`${place} names no secret_set, and the bot needs ${requirements.inCloud.join(', ')}`]
      : []),
  ];
  const wrong = context?.problems ?? [];
  if (problems.length + wrong.length > 0) throw refusal(problems, wrong);
  const file = options.secrets;
  const fromFile =
    file === undefined
      ? undefined
      : await (await import('../secrets-cli/input/sources.ts')).readSecretsFile(file, terminal, requirements.inCloud);
  return {
    root,
    deploy: { ...deploy, agentName: deploy.agentName as string },
    folder,
    deployFile: onOneLine(posix.basename(path)),
    requirements,
    transports: config.transports,
    upload: context && {
      ...context,
      archiveBytes: archiveBytes(context.files),
      hash: await hashArchive(context.files),
    },
    ownValues,
    fileValues: fromFile?.secrets,
    blank: fromFile?.blank,
    ownFile: isCopyable(ownFile) ? shellPath(ownFile, env) : undefined,
  };
}

function refusal(problems: readonly string[], context: readonly string[]) {
  const all = [...problems, ...context];
  const reason = context.length > 0 ? 'context' : 'usage';
  const [only] = all;
  const hint = 'Nothing was sent.';
  if (all.length === 1 && only !== undefined) return usageError(only, { reason, hint });
  return usageError(`${all.length} problems; nothing was sent:`, { reason, problems: all });
}

/** A path in the project, in POSIX form. */
function pathIn(root: string, path: string, typed: string): string {
  const inside = relative(root, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    throw usageError(`--config must be a file in the project, and "${typed}" isn't`, { reason: 'context' });
  }
  return inside.split(sep).join('/');
}

/** @param isDue Whether the project should have the file. Then an update takes it for one that the user deleted. */
function readDeploy(root: string, path: string, isDue: boolean, { cwd, env }: Terminal): DeployFile {
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
  if (deploy) return deploy;
  const hint = 'Fix it, or restore it from git.';
  throw usageError(`${place}, line ${brokenLineIn(text)}: this isn't valid TOML`, { reason: 'context', hint });
}

/** What the env file in a directory sets. */
export function valuesIn(directory: string, env: Terminal['env']): Secret[] {
  const contents = readEnvFile(directory);
  if (typeof contents === 'string') return [];
  const { entries } = parseDotEnv(contents.toString('utf8'), env);
  return [...entries.values()].flatMap(({ name, value }) => (value ? [{ key: name, value }] : []));
}

/** The agent that the project around a directory deploys; undefined if there is none. */
export function agentOf(directory: string): string | undefined {
  for (let path = resolve(directory); ; path = dirname(path)) {
    const text =
      readText(path, DEPLOY_FILE) ?? (basename(path) === 'server' ? readText(dirname(path), DEPLOY_FILE) : undefined);
    const name = text === undefined ? undefined : parseDeployFile(text)?.agentName;
    if (name !== undefined || dirname(path) === path) return name;
  }
}
