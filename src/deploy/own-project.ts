import { join } from 'node:path';
import { isSecret, providerVariables } from '../catalog/index.ts';
import { findProject, knownConfigOf, readProject } from '../existing/open-project.ts';
import type { Secret } from '../platform/secret.ts';
import type { Terminal } from '../shell/terminal.ts';
import { agentOf, valuesIn } from './read.ts';

/** Variables of providers that have no key: models, voices, addresses, rooms. Errors are about them. */
const SETTINGS = new Set(providerVariables().filter(name => !isSecret(name)));

/** The values that must not be printed. An address may have a password. */
export const secretValues = (all: readonly Secret[]): string[] =>
  all.filter(({ key, value }) => !SETTINGS.has(key) || /[@?]/.test(value)).map(({ value }) => value);

/** The secret values in the env file of the project around the working directory. */
export function ownValues({ cwd, env }: Terminal): string[] {
  const root = findProject(cwd);
  return root === undefined ? [] : secretValues(valuesIn(join(root, 'server'), env));
}

/** The transports of the project around the working directory, if it's the one that deploys this agent. */
export function ownTransports(agent: string, cwd: string): readonly string[] {
  const root = agentOf(cwd) === agent ? findProject(cwd) : undefined;
  const project = root === undefined ? undefined : readProject(root);
  const config = project === undefined || typeof project === 'string' ? undefined : knownConfigOf(project);
  return config?.transports ?? [];
}
