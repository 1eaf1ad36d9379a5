import {
  type Argument,
  allServices,
  baseOf,
  botTypeOf,
  findService,
  findTransport,
  isEnglish,
  isSecret,
  knownAs,
  languageName,
  type PythonImport,
  regionalOf,
  type ServiceKind,
  type ServiceRow,
  services,
  sharesAccount,
  type TransportRow,
  type VariableArgument,
  variablesOf,
} from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { remembered, unique } from '../std.ts';

/** A variable, and its value for the bot's language if it isn't set. */
interface BotVariable extends VariableArgument {
  fallback?: string;
}

interface BotObject extends Extract<Argument, { className: string }> {
  args: readonly BotArgument[];
}

/** An argument of a service in one bot: it no longer depends on the language. */
type BotArgument = BotVariable | Extract<Argument, { code: string }> | BotObject;

/** A service in one bot. */
interface BotService extends ServiceRow {
  args: readonly BotArgument[];
  settings: readonly BotArgument[];
  imports: readonly Required<PythonImport>[];
}

const LANGUAGE_IMPORT = { module: 'pipecat.transcriptions.language', names: ['Language'] };

/** A service in a bot that speaks a language. Without a language, the library's defaults apply. */
export function inLanguage(row: ServiceRow, language: string | null): BotService {
  const { preload, ...rest } = row;
  const imports = [...(row.imports ?? [])];
  const resolve = (argument: Argument): BotArgument[] => {
    if ('env' in argument) return [resolveVariable(argument, row, language)];
    if ('className' in argument) {
      if (argument.inLanguage && language === null) return [];
      imports.push(...(argument.inLanguage ?? []));
      return [{ ...argument, args: argument.args.flatMap(resolve) }];
    }
    if (!('inLanguage' in argument)) return [argument];
    const { name, code, inLanguage: template, notInEnglish, imports: more = [] } = argument;
    if (language === null || (notInEnglish && isEnglish(language))) return code === undefined ? [] : [{ name, code }];
    imports.push(...(template.includes('<language>') ? [LANGUAGE_IMPORT] : []), ...more);
    return [{ name, code: fill(template, row, language) }];
  };
  const args = (row.args ?? []).flatMap(resolve);
  const settings = (row.settings ?? []).flatMap(resolve);
  const loads = preload && language !== null && !isEnglish(language) ? preloadOf(row, settings) : preload;
  return { ...rest, args, settings, imports, ...(loads && { preload: loads }) };
}

/** A variable with its value for a language. Without a value, the owner has to set it. */
function resolveVariable(variable: VariableArgument, row: ServiceRow, language: string | null): BotVariable {
  const { inLanguages, description } = variable;
  if (!inLanguages || language === null) return documented(variable);
  const own = inLanguages[language] ?? inLanguages[baseOf(language)];
  if (own === undefined && isEnglish(language)) return documented(variable);
  const value = own ?? inLanguages['*'];
  if (value === undefined) {
    return { ...variable, required: true, description: `${description} (must support ${languageName(language)})` };
  }
  return optional(variable, fill(value, row, language));
}

/** A variable with the value that its provider documents for English, or a note of the library's, if the row has one. */
function documented(variable: VariableArgument): BotVariable {
  const { documented: value, usual, description } = variable;
  if (value) return optional(variable, value.value);
  return usual === undefined ? variable : { ...variable, description: `${description} (default: ${usual})` };
}

const optional = (variable: VariableArgument, fallback: string): BotVariable => ({
  ...variable,
  required: false,
  description: `${variable.description} (default: ${fallback})`,
  fallback,
});

/** Fills in a language, by the code that the service knows. */
function fill(template: string, { languages }: ServiceRow, language: string): string {
  const code = (languages && knownAs(languages, language)) ?? language;
  const names: Readonly<Record<string, string>> = {
    language: `Language.${code.toUpperCase().replaceAll('-', '_')}`,
    code,
    base: baseOf(code),
    locale: (languages && regionalOf(languages, code)) ?? code,
    name: languageName(language),
  };
  return template.replace(/<(\w+)>/g, (whole, name: string) => names[name] ?? whole);
}

/** Python that creates a service with the model for its language; undefined if only the owner knows which one that is. */
function preloadOf({ className }: ServiceRow, settings: readonly BotArgument[]): string | undefined {
  if (settings.some(argument => 'env' in argument && argument.required)) return undefined;
  const known = settings.flatMap(argument => {
    if ('code' in argument) return [`${argument.name}=${argument.code}`];
    return 'fallback' in argument ? [`${argument.name}="${argument.fallback}"`] : [];
  });
  return `${className}(settings=${className}.Settings(${known.join(', ')}))`;
}

export const KIND_LABELS: Readonly<Record<ServiceKind, string>> = {
  stt: 'speech-to-text',
  llm: 'language model',
  tts: 'text-to-speech',
  realtime: 'speech-to-speech',
  video: 'video avatar',
};

export interface ChosenService {
  kind: ServiceKind;
  row: BotService;
}

/** The services of a configuration, in the order of the pipeline. */
export const chosenServices = remembered((config: ScaffoldConfig): readonly ChosenService[] => {
  const kinds = ['stt', 'llm', 'realtime', 'tts', 'video'] as const;
  return kinds.flatMap(kind => {
    const id = config[`${kind}_service`];
    return id === null ? [] : [{ kind, row: inLanguage(findService(kind, id), config.language) }];
  });
});

/** The variables that hold the keys of a configuration's services, each with its provider. */
export const keysOf = (config: ScaffoldConfig): { env: string; provider: string }[] => {
  const keys = chosenServices(config).flatMap(({ row }) =>
    variablesOf(row).flatMap(({ env, required }) => (required && isSecret(env) ? [[env, row.label] as const] : [])),
  );
  return [...new Map(keys)].map(([env, provider]) => ({ env, provider }));
};

/** The variables that a bot can't work without, by what needs them. */
export const requiredBy = remembered((config: ScaffoldConfig) => {
  const rows = config.transports.map(findTransport);
  const phones = rows.filter(row => botTypeOf(row) === 'telephony');
  // A browser reaches the bot without any account. Then nothing else needs to work before somebody calls.
  const isOpen = rows.some(row => botTypeOf(row) === 'web' && requiredIn(row.ambient).length === 0);
  /** Those that `bot.py` reads for its services, in their order. */
  const services = requiredIn(chosenServices(config).flatMap(({ row }) => variablesOf(row)));
  /** Those of `server.py`, which starts calls. */
  const callServer = requiredIn(rows.flatMap(({ serverReads = [] }) => serverReads));
  /** Those without which nobody reaches the bot: of its phones, or of browsers if it has no phone. */
  const transports = isOpen ? [] : requiredIn((phones.length > 0 ? phones : rows).flatMap(readsOf));
  const project = unique([...services, ...transports, ...(isOpen ? [] : callServer)]);
  const ofCalls = isOpen ? unique([...requiredIn(phones.flatMap(readsOf)), ...callServer]) : [];
  return {
    services,
    callServer,
    transports,
    /** All of these. */
    project,
    /** Those that only calls need, in a bot that browsers reach without them. */
    callsAlone: ofCalls.filter(name => !project.includes(name)),
    /** Those that `bot.py` reads itself in a call, so that calls need them in the cloud too. */
    botInCalls: requiredIn(rows.flatMap(({ reads = [] }) => reads)),
    /** Those of each transport, by the runner's key, which `bot.py -t` takes. */
    byTransport: new Map(
      rows.map(({ runnerKey: key }) => [key, requiredIn(rows.filter(row => row.runnerKey === key).flatMap(readsOf))]),
    ),
  };
});

const readsOf = ({ ambient, reads = [] }: TransportRow): VariableArgument[] => [...ambient, ...reads];

const requiredIn = (variables: readonly VariableArgument[]): string[] =>
  unique(variables.filter(({ required }) => required).map(({ env }) => env));

/**
 * The language model that judges a bot's evals and plays the person in simulations. A cascade has one. A
 * speech-to-speech service can do neither, but its provider may have a language model for the same key.
 */
export function judgeOf({ language, llm_service, realtime_service }: ScaffoldConfig): BotService | undefined {
  if (llm_service !== null) return inLanguage(findService('llm', llm_service), language);
  if (realtime_service === null) return undefined;
  const known = variablesOf(inLanguage(findService('realtime', realtime_service), language)).map(({ env }) => env);
  const models = services.llm.map(row => inLanguage(row, language));
  const candidates = models.filter(row => {
    const variables = variablesOf(row);
    // A model's name isn't a credential.
    const isShared = variables.some(({ env, name }) => name !== 'model' && known.includes(env));
    return isShared && requiredIn(variables).every(env => known.includes(env));
  });
  const row = candidates.find(({ recommended }) => recommended) ?? candidates[0];
  // Its optional settings could be variables of the other service, such as the name of a speech-to-speech model.
  return row && { ...row, settings: [] };
}

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

const SERVER_ALONE = "server.py only: the bot doesn't need these";

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
  const { project: required, callsAlone } = requiredBy(config);
  const variableOf = (argument: VariableArgument): Variable => ({
    ...readVariable(argument),
    required: required.includes(argument.env),
    ...(callsAlone.includes(argument.env) && { isForCalls: true }),
  });
  const rows = config.transports.map(findTransport);
  const hasFlow = rows.some(({ family }) => family === 'flow');
  const transports = rows.map(({ id, label, ambient, withoutCalls = [], reads = [] }) => ({
    id,
    label,
    variables: [...ambient, ...(hasFlow ? [] : withoutCalls), ...reads].map(variableOf),
  }));
  const services = chosenServices(config).map(({ kind, row }) => ({
    id: row.id,
    label: row.label,
    role: KIND_LABELS[kind],
    variables: readService(row),
  }));
  const bot = [...services, ...transports];
  // Bots must not get the keys that start bots, so these have their own group.
  const known = bot.flatMap(({ variables }) => variables.map(({ name }) => name));
  const servers = rows.flatMap(({ id, serverReads = [] }) => {
    const alone = serverReads.filter(({ env }) => !known.includes(env));
    return alone.length > 0 ? [{ id, label: SERVER_ALONE, variables: alone.map(variableOf) }] : [];
  });
  return [...bot, ...(config.journal ? [JOURNAL] : []), ...(config.enable_observability ? [TRACES] : []), ...servers];
}

function readService(row: BotService): Variable[] {
  const keys = row.keys ?? issuerOf(row);
  return variablesOf(row).map(argument => readVariable(argument, keys));
}

/** `keys` is where the provider of the row issues keys. */
function readVariable({ env, required, description, issuer }: VariableArgument, keys?: string): Variable {
  const from = issuer ?? (isSecret(env) ? keys : undefined);
  const page = from ?? /\bfrom (https:\S+)/.exec(description)?.[1];
  return { name: env, required, description, ...(from && { issuer: from }), ...(page && { page }) };
}

/** What a service or a transport can't work without, each with the page where its provider issues it, if known. */
export function requiredPages(row: ServiceRow | TransportRow): Record<string, string | null> {
  const variables =
    'family' in row
      ? [...readsOf(row), ...(row.serverReads ?? [])].map(one => readVariable(one))
      : readService(inLanguage(row, null));
  return Object.fromEntries(variables.flatMap(({ name, required, page = null }) => (required ? [[name, page]] : [])));
}

/** Where to get a service's key, from another service of the same provider: its key has the same variable. */
const issuerOf = (row: ServiceRow): string | undefined =>
  allServices.find(other => other.keys !== undefined && sharesAccount(other, row))?.keys;

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
