import { join } from 'node:path';
import { findProject, knownConfigOf, readProject } from '../existing/open-project.ts';
import type { Terminal } from '../shell/terminal.ts';
import { agentOf, valuesIn } from './read.ts';

/** The values of the env file of the project around the working directory. */
export function ownValues({ cwd, env }: Terminal): string[] {
  const root = findProject(cwd);
  return root === undefined ? [] : valuesIn(join(root, 'server'), env).map(({ value }) => value);
}

/** The transports of the project around the working directory, if it's the one that deploys this agent. */
export function ownTransports(agent: string, cwd: string): readonly string[] {
  const root = agentOf(cwd) === agent ? findProject(cwd) : undefined;
  const project = root === undefined ? undefined : readProject(root);
  const config = project === undefined || typeof project === 'string' ? undefined : knownConfigOf(project);
  return config?.transports ?? [];
}
