import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawConfig, scaffoldOptions } from '../../src/config/options.ts';
import { QUICKSTART_DIRECTORY, quickstart } from '../../src/config/quickstart.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';
import {
  CASCADE,
  FEATURES,
  type NamedProject as Project,
  REALTIME,
  serviceProjects,
  transportProjects,
} from '../support/projects.ts';
import { runWell } from './processes.ts';
import { ROOT } from './workshop.ts';

/**
 * The command under test. `BOTCLI` overrides it, such as with one installed from the packed tarball, and is split at
 * spaces.
 */
export const BOTCLI = process.env.BOTCLI?.split(' ') ?? [process.execPath, join(ROOT, 'dist/src/bin/botcli.js')];

export type { Project };

/** The only project that is created from a preset instead of flags. */
export const QUICKSTART: Project = { name: QUICKSTART_DIRECTORY, config: quickstart };

/** The bots whose services the local AI and its like replace. */
export { CASCADE as OPENAI, REALTIME };

/** Generates a project below `parent`, replacing any existing files, and returns its directory. */
export async function makeProject({ name, config }: Project, parent: string): Promise<string> {
  const directory = join(parent, name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(parent, { recursive: true });
  const args = name === QUICKSTART.name ? ['quickstart'] : [name, ...flagsOf(config)];
  await runWell([...BOTCLI, 'init', ...args], { cwd: parent });
  return directory;
}

function flagsOf(config: RawConfig): string[] {
  return scaffoldOptions.flatMap(({ key, flag, kind }) => {
    const value = config[key];
    if (value === undefined) return [];
    if (kind === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
    return [value].flat().flatMap(one => [`--${flag}`, String(one)]);
  });
}

const CLIENTS: Record<string, RawConfig> = {
  'client-component-bundler': { client_framework: 'component', client_server: 'bundler' },
  'client-component-fullstack': { client_framework: 'component', client_server: 'fullstack' },
  'client-vanilla': { client_framework: 'vanilla' },
  everything: { ...FEATURES['all-features'], client_framework: 'component' },
};

/** The projects to check: each service, transport, feature in both modes, pair of transports, and hostile name. */
export function matrixProjects(): Project[] {
  const web: RawConfig = { transports: ['rtc_local', 'rtc_hosted'] };
  const cascade = { ...CASCADE, ...web };
  const variations = {
    ...FEATURES,
    language: { language: 'pt-BR', enable_eval: true },
    'no-cloud': { deploy_to_cloud: false },
  };
  const varied = (prefix: string, base: RawConfig, some: Record<string, RawConfig>): Project[] =>
    Object.entries(some).map(([name, config]) => ({ name: `${prefix}-${name}`, config: { ...base, ...config } }));
  return [
    QUICKSTART,
    ...serviceProjects(),
    ...transportProjects().filter(({ name }) => /-evals-cloud$|-neither$/.test(name)),
    ...varied('with', cascade, { ...variations, ...CLIENTS }),
    ...varied('realtime-with', { ...REALTIME, ...web }, variations),
    ...HOSTILE_NAMES.map((name, at) => ({ name: `name-${at + 1}`, config: { ...cascade, project_name: name } })),
  ];
}
