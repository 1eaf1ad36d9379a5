import {
  allServices,
  credentialsOf,
  findTransport,
  isSecret,
  type ServiceRow,
  type VariableArgument,
  variablesOf,
} from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { unique } from '../../std.ts';
import {
  ambientOf,
  type ChosenService,
  chosenServices,
  KIND_LABELS,
  neededForCalls,
  requiredVariables,
} from './environment.ts';

/** A variable of `.env.example`. */
interface Variable {
  name: string;
  required: boolean;
  /** Whether only calls need it: browsers reach the bot without it. */
  isForCalls?: true;
  description: string;
  /** Where its provider issues it, if it's a key or the like and that is known. */
  issuer?: string;
  /** The page where the value is from: the issuer's, or the one that the description names. */
  page?: string;
}

/** Something that reads variables: a service, a transport, or the server that starts a transport's calls. */
interface Reader {
  /** The id of the service or the transport. */
  id: string;
  label: string;
  /** What it's for; absent for a transport, whose label says so. */
  role?: string;
  variables: Variable[];
}

/** The start of the heading above the variables that only `server.py` reads. */
export const SERVER_HEADING = 'server.py';
const SERVER_ALONE = `${SERVER_HEADING} only: the bot doesn't need these`;

const setting = (name: string, description: string): Variable => ({ name, description, required: false });

const JOURNAL: Reader = {
  id: 'journal',
  label: 'Journal',
  variables: [
    setting('BOTCLI_CALLS', '0 writes down no calls. 1 does so in the cloud, too, in its log'),
    setting('BOTCLI_CALLS_KEEP', 'How many days to keep the file of a call (default: 30)'),
    setting('BOTCLI_CALLS_TEXT', '0 leaves out what is said'),
  ],
};

const TRACES: Reader = {
  id: 'traces',
  label: 'Traces',
  variables: [
    setting('OTEL_EXPORTER_OTLP_ENDPOINT', 'Where to send traces of sessions (see botcli guide tracing)'),
    setting('OTEL_EXPORTER_OTLP_HEADERS', 'What that asks for, such as Authorization=Basic%20KEY'),
  ],
};

/** Everything in a project that reads variables: services first, then transports, then `server.py`. */
function readersOf(config: ScaffoldConfig): Reader[] {
  const required = requiredVariables(config);
  const forCalls = neededForCalls(config);
  const variableOf = (argument: VariableArgument): Variable => ({
    ...readVariable(argument),
    required: required.includes(argument.env),
    ...(forCalls.includes(argument.env) && { isForCalls: true }),
  });
  const rows = config.transports.map(findTransport);
  const transports = rows.map(row => ({
    id: row.id,
    label: row.label,
    variables: [...ambientOf(row, config), ...(row.reads ?? [])].map(variableOf),
  }));
  const bot = [...chosenServices(config).map(readService), ...transports];
  // Bots must not get the keys that start bots, so these have their own group.
  const known = bot.flatMap(({ variables }) => variables.map(({ name }) => name));
  const servers = rows.flatMap(({ id, serverReads = [] }) => {
    const alone = serverReads.filter(({ env }) => !known.includes(env));
    return alone.length > 0 ? [{ id, label: SERVER_ALONE, variables: alone.map(variableOf) }] : [];
  });
  return [...bot, ...(config.journal ? [JOURNAL] : []), ...(config.enable_observability ? [TRACES] : []), ...servers];
}

export function readService({ kind, row }: ChosenService): Reader {
  const keys = row.keys ?? issuerOf(row);
  const variables = variablesOf(row).map(argument => readVariable(argument, keys));
  return { id: row.id, label: row.label, role: KIND_LABELS[kind], variables };
}

/** `keys` is where the provider of the row issues keys. */
export function readVariable({ env, required, description, issuer }: VariableArgument, keys?: string): Variable {
  const from = issuer ?? (isSecret(env) ? keys : undefined);
  const page = from ?? /\bfrom (https:\S+)/.exec(description)?.[1];
  return { name: env, required, description, ...(from && { issuer: from }), ...(page && { page }) };
}

/** Where to get a service's key, from another service of the same provider: its key has the same variable. */
function issuerOf(row: ServiceRow): string | undefined {
  const needed = credentialsOf(row);
  return allServices.find(other => other.keys !== undefined && credentialsOf(other).some(env => needed.includes(env)))
    ?.keys;
}

/** The groups of `.env.example`: services first, then transports, then `server.py`. Readers that share a variable share a group. */
export function variableGroups(config: ScaffoldConfig) {
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

/** The variables that a bot can't work without, or that only calls need, one account after another, and where to get them. */
export const needsOf = (config: ScaffoldConfig, forCalls = false) =>
  variableGroups(config).flatMap(({ variables, getItAt }) => {
    const names = variables.filter(one => (forCalls ? one.isForCalls : one.required)).map(({ name }) => name);
    return names.length > 0 ? [{ names, getItAt }] : [];
  });

/** The variables of one provider, under one heading: its titles, and where to get the keys, if known. */
function groupOf(readers: readonly Reader[]) {
  const titles = unique(readers.map(({ label }) => label)).map(label => {
    const roles = readers.filter(one => one.label === label).flatMap(({ role }) => role ?? []);
    return roles.length > 0 ? `${label} (${roles.join(', ')})` : label;
  });
  // Each once. It is required if one of them requires it.
  const merged = new Map<string, Variable>();
  for (const variable of readers.flatMap(reader => reader.variables)) {
    const known = merged.get(variable.name);
    merged.set(variable.name, { ...(known ?? variable), required: known?.required || variable.required });
  }
  const variables = [...merged.values()];
  const getItAt = unique(variables.flatMap(({ issuer }) => issuer ?? []));
  // A label may hold a comma.
  const title = titles.join('; ');
  const heading = getItAt.length > 0 ? `${title}: ${getItAt.join(', ')}` : title;
  return { title, heading, getItAt, variables };
}

/**
 * Every variable of `.env.example`, in the same order, as programs see it: `for_calls` if only calls need it, the ids of
 * what reads it, and the page where its provider issues it; null if that is unknown, or if it's a setting.
 */
export function listVariables(config: ScaffoldConfig) {
  const readers = readersOf(config);
  const variables = variableGroups(config).flatMap(group => group.variables);
  return variables.map(({ name, required, isForCalls, description, page = null }) => {
    const users = readers.filter(reader => reader.variables.some(one => one.name === name));
    const calls = isForCalls && { for_calls: isForCalls };
    return { name, required, ...calls, description, used_by: unique(users.map(({ id }) => id)), get_it_at: page };
  });
}
