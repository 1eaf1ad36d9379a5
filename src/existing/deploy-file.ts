import { posix } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { orElse } from '../std.ts';
import { didYouMean, isUuid } from '../text.ts';

export const DEPLOY_FILE = 'server/cloud-deploy.toml';

/** What cloud-deploy.toml says about a deploy. */
export type DeployFile = ReturnType<typeof readDeployFile>;

/** A rule for a value, and its words: "agent_profile must be …". */
type Rule = readonly [isRight: (value: unknown) => boolean, rule: string];

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value);
const name: Rule = [matches(/^(?!\.+$)[A-Za-z0-9._-]{1,128}$/), 'a name of letters, digits, and hyphens'];
const oneOf = (...words: string[]): Rule => [
  value => words.includes(`${value}`),
  words.map(one => `"${one}"`).join(' or '),
];
const integer = (least: number, most: number): Rule => [
  value => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  `a whole number from ${least} to ${most}`,
];
const folder: Rule = [value => isText(value) && !posix.isAbsolute(value), 'a relative path'];
const texts: Rule = [value => Array.isArray(value) && value.every(isText), 'a list of patterns'];
const anything: Rule = [() => true, ''];

/** The keys that the platform's own command line knows. Those in tables have the table's name before a dot. */
const KEYS: Readonly<Record<string, Rule>> = {
  agent_name: [
    matches(/^(?=.{2,54}$)[a-z0-9][-a-z0-9]*[a-z0-9]$/),
    '2 to 54 lowercase letters, digits, and hyphens, and begin and end with a letter or digit',
  ],
  image: [matches(/^\S+(?::[\w][\w.-]*|@sha256:[0-9a-f]{64})$/), 'an image with its tag, such as me/my-bot:1.0'],
  build_id: [value => isText(value) && isUuid(value), 'the ID of a build'],
  image_credentials: name,
  secret_set: name,
  region: [matches(/^[a-z0-9-]{1,64}$/), 'a code such as us-west'],
  agent_profile: [matches(/^[A-Za-z0-9._-]{1,64}$/), 'a profile such as agent-1x'],
  websocket_auth: oneOf('none', 'token'),
  max_session_duration: integer(60, 14_400),
  architecture: oneOf('arm64', 'amd64'),
  'scaling.min_agents': integer(0, 10_000),
  'scaling.max_agents': integer(1, 10_000),
  'build.context_dir': folder,
  'build.dockerfile': folder,
  'build.exclude.patterns': texts,
  'krisp_viva.audio_filter': oneOf('tel', 'pro'),
  'resources.cpu': anything,
  'resources.memory': anything,
};

/** What to do instead of a key that botcli doesn't take. */
const INSTEAD: Readonly<Record<string, string>> = {
  enable_krisp: 'is no longer used. Write audio_filter = "tel" or "pro" in [krisp_viva].',
  git: "deploys from GitHub, which botcli doesn't. Remove it, or deploy from the dashboard.",
};

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Reads cloud-deploy.toml. Undefined if it isn't TOML. The platform's own program uses these names and defaults. */
export const parseDeployFile = (contents: string): DeployFile | undefined =>
  orElse(() => readDeployFile(parse(contents)), undefined);

/** The line where it stops being TOML, counted from 1. */
export function brokenLineIn(contents: string): number {
  try {
    parse(contents);
  } catch (error) {
    if (error instanceof TomlError) return error.line;
  }
  return 1;
}

function readDeployFile(file: Table) {
  const values = new Map<string, unknown>();
  const problems = collect(file, '', values);
  const textAt = (key: string) => {
    const value = values.get(key);
    return isText(value) ? value : undefined;
  };
  const numberAt = (key: string) => {
    const value = values.get(key);
    return typeof value === 'number' ? value : undefined;
  };
  const contextDir = textAt('build.context_dir') ?? '.';
  const dockerfile = textAt('build.dockerfile') ?? 'Dockerfile';
  const image = textAt('image');
  const [minAgents, maxAgents] = [numberAt('scaling.min_agents'), numberAt('scaling.max_agents')];
  if (image !== undefined && values.has('build_id')) problems.push('image and build_id exclude each other');
  if ((minAgents ?? 0) > (maxAgents ?? Number.POSITIVE_INFINITY)) {
    problems.push('min_agents in [scaling] is larger than max_agents');
  }
  if (!values.has('agent_name')) problems.push('agent_name is missing');
  return {
    agentName: textAt('agent_name'),
    secretSet: textAt('secret_set'),
    pullSecret: textAt('image_credentials'),
    region: textAt('region'),
    /** An image that exists already, with its tag. */
    image,
    /** A build that exists already. */
    buildId: textAt('build_id'),
    /** The build context, relative to the deploy file. */
    contextDir,
    /** The build file, relative to the context. */
    dockerfile,
    /** Whether the file itself says which one that is. */
    namesDockerfile: values.has('build.dockerfile'),
    /** The build file, relative to the deploy file. Undefined if no image is built. */
    buildFile: image === undefined ? `${contextDir}/${dockerfile}` : undefined,
    /** Patterns of files to leave out if there is no .dockerignore. */
    exclude: values.has('build.exclude.patterns') ? [values.get('build.exclude.patterns')].flat().filter(isText) : [],
    agentProfile: textAt('agent_profile'),
    minAgents,
    maxAgents,
    audioFilter: textAt('krisp_viva.audio_filter'),
    websocketAuth: textAt('websocket_auth'),
    /** In seconds. */
    maxSessionDuration: numberAt('max_session_duration'),
    architecture: textAt('architecture'),
    resources: isTable(file.resources) ? file.resources : undefined,
    /** Everything that would make a deploy fail, or that has no effect. */
    problems,
  };
}

/** Collects the values of a table by their full names. Returns its problems. */
function collect(table: Table, path: string, values: Map<string, unknown>): string[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const full = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(KEYS, full) ? KEYS[full] : undefined;
    const where = path === '' ? key : `${key} in [${path}]`;
    if (known) {
      values.set(full, value);
      return known[0](value) ? [] : [`${where} must be ${known[1]}`];
    }
    const instead = Object.hasOwn(INSTEAD, full) ? INSTEAD[full] : undefined;
    if (instead) return [`${where} ${instead}`];
    const isPart = (one: string) => one.startsWith(`${full}.`);
    // The platform's own command line reads this table for local builds.
    if (full === 'docker' && isTable(value)) return [];
    if (Object.keys(KEYS).some(isPart))
      return isTable(value) ? collect(value, full, values) : [`${where} must be a table`];
    return [unknownKey(key, path, where)];
  });
}

function unknownKey(key: string, path: string, where: string): string {
  const start = path === '' ? '' : `${path}.`;
  const siblings = Object.keys(KEYS).filter(one => one.startsWith(start));
  const names = siblings.map(one => one.slice(start.length).split('.')[0] as string);
  const meant = didYouMean(key, names);
  return `${where} isn't a setting${meant ? `. ${meant}` : ''}`;
}
