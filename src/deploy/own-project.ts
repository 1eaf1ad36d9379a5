import { join } from 'node:path';
import { findProject, knownConfigOf, readProject } from '../existing/open-project.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { readEnvFile } from '../paths/read.ts';
import type { Terminal } from '../shell/terminal.ts';
import { agentOf } from './read.ts';

/** The values of the env file of the project around the working directory. */
export function ownValues({ cwd, env }: Terminal): string[] {
  const root = findProject(cwd);
  const contents = root === undefined ? undefined : readEnvFile(join(root, 'server'));
  if (contents === undefined || typeof contents === 'string') return [];
  return [...parseDotEnv(contents.toString('utf8'), env).entries.values()].flatMap(({ value }) => value ?? []);
}

/** The transports of the project around the working directory, if it's the one that deploys this agent. */
export function ownTransports(agent: string, cwd: string): readonly string[] {
  const root = agentOf(cwd) === agent ? findProject(cwd) : undefined;
  const project = root === undefined ? undefined : readProject(root);
  const config = project === undefined || typeof project === 'string' ? undefined : knownConfigOf(project);
  return config?.transports ?? [];
}
