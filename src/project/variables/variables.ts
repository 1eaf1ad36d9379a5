import type { ScaffoldConfig } from '../../config/config.ts';
import { unique } from '../../std.ts';
import { readersOf } from './consumers.ts';

type Reader = ReturnType<typeof readersOf>[number];

/** The variables of one provider, under one heading. */
interface VariableGroup {
  title: string;
  /** The title, and where to get the keys, if known. */
  heading: string;
  /** Where to get the keys, if known. */
  getItAt: string[];
  variables: Reader['variables'];
}

/** The groups of `.env.example`: services first, then transports, then `server.py`. Readers that share a variable share a group. */
export function variableGroups(config: ScaffoldConfig): VariableGroup[] {
  let groups: Reader[][] = [];
  for (const reader of readersOf(config)) {
    const names = reader.variables.map(({ name }) => name);
    const shares = (readers: Reader[]) => readers.some(one => one.variables.some(({ name }) => names.includes(name)));
    const [first, ...more] = groups.filter(shares);
    groups = groups.filter(group => !more.includes(group));
    if (first) first.push(...more.flat(), reader);
    else groups.push([reader]);
  }
  return groups.filter(readers => readers.some(one => one.variables.length > 0)).map(groupOf);
}

/** The required variables of one account. */
interface Need {
  names: string[];
  /** Where to get them, if known. */
  getItAt: string[];
}

/** The variables that a bot can't work without, or that only calls need, one account after another. */
export const needsOf = (config: ScaffoldConfig, forCalls = false): Need[] =>
  variableGroups(config).flatMap(({ variables, getItAt }) => {
    const names = variables.filter(one => (forCalls ? one.isForCalls : one.required)).map(({ name }) => name);
    return names.length > 0 ? [{ names, getItAt }] : [];
  });

function groupOf(readers: readonly Reader[]): VariableGroup {
  const titles = unique(readers.map(({ label }) => label)).map(label => {
    const roles = readers.filter(one => one.label === label).flatMap(({ role }) => role ?? []);
    return roles.length > 0 ? `${label} (${roles.join(', ')})` : label;
  });
  const variables = mergedVariables(readers);
  const getItAt = unique(variables.flatMap(({ issuer }) => issuer ?? []));
  // A label may hold a comma.
  const title = titles.join('; ');
  const heading = getItAt.length > 0 ? `${title}: ${getItAt.join(', ')}` : title;
  return { title, heading, getItAt, variables };
}

/** The variables of several readers, each once. It is required if one of them requires it. */
function mergedVariables(readers: readonly Reader[]): Reader['variables'] {
  const variables = new Map<string, Reader['variables'][number]>();
  for (const variable of readers.flatMap(reader => reader.variables)) {
    const known = variables.get(variable.name);
    variables.set(variable.name, { ...(known ?? variable), required: known?.required || variable.required });
  }
  return [...variables.values()];
}

/** A variable as programs see it. Keys are in snake case, as in all JSON. */
interface ListedVariable {
  name: string;
  required: boolean;
  /** True if only calls need it: browsers reach the bot without it. */
  for_calls?: true;
  description: string;
  /** The ids of the services and transports that read it. */
  used_by: string[];
  /** The page where its provider issues it; null if that is unknown, or if it's a setting. */
  get_it_at: string | null;
}

/** Every variable of `.env.example`, in the same order. */
export function listVariables(config: ScaffoldConfig): ListedVariable[] {
  const readers = readersOf(config);
  const variables = variableGroups(config).flatMap(group => group.variables);
  return variables.map(({ name, required, isForCalls, description, page = null }) => {
    const users = readers.filter(reader => reader.variables.some(one => one.name === name));
    const calls = isForCalls && { for_calls: isForCalls };
    return { name, required, ...calls, description, used_by: unique(users.map(({ id }) => id)), get_it_at: page };
  });
}
