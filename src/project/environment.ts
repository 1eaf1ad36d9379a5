import {
  botTypeOf,
  findService,
  findTransport,
  isCredential,
  type ServiceKind,
  type TransportRow,
  type VariableArgument,
  variablesIn,
} from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { unique } from '../unique.ts';
import { type BotService, inLanguage } from './service-language.ts';

/** A variable of `.env.example`. */
export interface Variable {
  name: string;
  required: boolean;
  /** What the value is. */
  description: string;
}

/** The variables of one provider, under one heading. */
export interface VariableGroup {
  title: string;
  /** The title, and where to get the keys, if known. */
  heading: string;
  /** Where to get the keys, if known. */
  getItAt: string[];
  variables: Variable[];
}

export const KIND_LABELS: Readonly<Record<ServiceKind, string>> = {
  stt: 'speech-to-text',
  llm: 'language model',
  tts: 'text-to-speech',
  realtime: 'speech-to-speech',
  video: 'video avatar',
};

/** The start of the heading above the variables that only `server.py` reads. The README cuts `.env` there for the cloud. */
export const SERVER_HEADING = 'server.py';
const SERVER_ALONE = `${SERVER_HEADING} only: the bot doesn't need these`;

/** A service that a configuration chose. */
export interface ChosenService {
  kind: ServiceKind;
  row: BotService;
}

/** The services of a configuration, in the order of the pipeline. */
export function chosenServices(config: ScaffoldConfig): ChosenService[] {
  const kinds = ['stt', 'llm', 'realtime', 'tts', 'video'] as const;
  return kinds.flatMap(kind => {
    const id = config[`${kind}_service`];
    return id === null ? [] : [{ kind, row: inLanguage(findService(kind, id), config.language) }];
  });
}

/** The variables that hold the keys of a configuration's services, each with its provider. */
export const keysOf = (config: ScaffoldConfig): { env: string; provider: string }[] => {
  const keys = chosenServices(config).flatMap(({ row }) =>
    variablesOf(row).flatMap(({ env, required }) => (required && isCredential(env) ? [[env, row.label] as const] : [])),
  );
  return [...new Map(keys)].map(([env, provider]) => ({ env, provider }));
};

/** Everything that a service reads from the environment. */
export const variablesOf = ({ args, settings, ambient = [] }: BotService): VariableArgument[] => [
  ...variablesIn([...args, ...settings]),
  ...ambient,
];

/** The variables that `bot.py` reads and can't work without, in the order of the services. */
export function requiredByServices(config: ScaffoldConfig): string[] {
  return unique(chosenServices(config).flatMap(({ row }) => requiredOf(variablesOf(row))));
}

/**
 * The variables that a bot's transports can't work without. Phones need theirs. A browser's are needed only if there is no
 * other way to reach the bot, such as a local transport or a phone.
 */
export function requiredByTransports(config: ScaffoldConfig): string[] {
  const rows = config.transports.map(findTransport);
  const phones = rows.filter(row => botTypeOf(row) === 'telephony');
  const needed = (phones.length > 0 ? phones : rows).map(row => requiredOf([...row.ambient, ...(row.reads ?? [])]));
  const isOptional = phones.length === 0 && needed.some(list => list.length === 0);
  return isOptional ? [] : unique(needed.flat());
}

/** Those of them that `bot.py` reads itself, so that every session needs them, in the cloud too. */
export const requiredInSessions = (config: ScaffoldConfig): string[] =>
  unique([
    ...requiredByServices(config),
    ...config.transports.flatMap(id => requiredOf(findTransport(id).reads ?? [])),
  ]);

/** The variables that `server.py` can't work without. */
export const requiredByCallServer = (config: ScaffoldConfig): string[] =>
  unique(config.transports.flatMap(id => requiredOf(findTransport(id).serverReads ?? [])));

/** The variables that a project can't work without. */
export const requiredVariables = (config: ScaffoldConfig): string[] =>
  unique([...requiredByServices(config), ...requiredByTransports(config), ...requiredByCallServer(config)]);

const requiredOf = (variables: readonly VariableArgument[]): string[] =>
  variables.filter(({ required }) => required).map(({ env }) => env);

/** Something that reads variables: a service, or a transport. */
interface Reader {
  label: string;
  /** What it's for; absent for a transport, whose label says so. */
  role?: string;
  /** Where to get its keys. */
  keys?: string;
  variables: Variable[];
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
export interface Need {
  names: string[];
  /** Where to get them, if known. */
  getItAt: string[];
}

/** The variables that a bot can't work without, one account after another. */
export const needsOf = (config: ScaffoldConfig): Need[] =>
  variableGroups(config).flatMap(({ variables, getItAt }) => {
    const names = variables.filter(({ required }) => required).map(({ name }) => name);
    return names.length > 0 ? [{ names, getItAt }] : [];
  });

/** The variables that the framework reads for one of a configuration's transports. */
export function ambientOf({ ambient, withoutCalls = [] }: TransportRow, config: ScaffoldConfig): VariableArgument[] {
  const hasFlow = config.transports.some(id => findTransport(id).family === 'flow');
  return [...ambient, ...(hasFlow ? [] : withoutCalls)];
}

function readersOf(config: ScaffoldConfig): Reader[] {
  const services = chosenServices(config).map(({ kind, row }) => ({
    label: row.label,
    role: KIND_LABELS[kind],
    ...(row.keys && { keys: row.keys }),
    variables: variablesOf(row).map(({ env, required, description }) => ({ name: env, required, description })),
  }));
  const required = [...requiredByTransports(config), ...requiredByCallServer(config)];
  const variableOf = ({ env, description }: VariableArgument): Variable => ({
    name: env,
    required: required.includes(env),
    description,
  });
  const rows = config.transports.map(findTransport);
  const transports = rows.map(row => ({
    label: row.label,
    variables: [...ambientOf(row, config), ...(row.reads ?? [])].map(variableOf),
  }));
  const bot = [...services, ...transports];
  // Bots must not get the keys that start bots, so these have their own group.
  const known = bot.flatMap(({ variables }) => variables.map(({ name }) => name));
  const alone = rows.flatMap(row => row.serverReads ?? []).filter(({ env }) => !known.includes(env));
  return [...bot, { label: SERVER_ALONE, variables: alone.map(variableOf) }];
}

function groupOf(readers: readonly Reader[]): VariableGroup {
  const titles = unique(readers.map(({ label }) => label)).map(label => {
    const roles = readers.filter(one => one.label === label).flatMap(({ role }) => role ?? []);
    return roles.length > 0 ? `${label} (${roles.join(', ')})` : label;
  });
  const variables = new Map<string, Variable>();
  for (const variable of readers.flatMap(reader => reader.variables)) {
    const known = variables.get(variable.name);
    variables.set(variable.name, { ...(known ?? variable), required: known?.required || variable.required });
  }
  const keys = unique(readers.flatMap(reader => reader.keys ?? []));
  // A label may hold a comma.
  const title = titles.join('; ');
  return { title, heading: [title, ...keys].join(': '), getItAt: keys, variables: [...variables.values()] };
}
