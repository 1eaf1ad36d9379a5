import {
  botTypeOf,
  findService,
  findTransport,
  isSecret,
  type ServiceKind,
  services,
  type TransportRow,
  type VariableArgument,
  variablesOf,
} from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { remembered, unique } from '../../std.ts';
import { type BotService, inLanguage } from './service-language.ts';

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

/** The variables that `bot.py` reads and can't work without, in the order of the services. */
export function requiredByServices(config: ScaffoldConfig): string[] {
  return unique(chosenServices(config).flatMap(({ row }) => requiredOf(variablesOf(row))));
}

/** The variables that each transport can't work without, by the runner's key, which `bot.py -t` takes. */
export function requiredByTransport(config: ScaffoldConfig): ReadonlyMap<string, string[]> {
  const needs = new Map<string, string[]>();
  for (const row of config.transports.map(findTransport)) {
    needs.set(row.runnerKey, unique([...(needs.get(row.runnerKey) ?? []), ...requiredOf(readsOf(row))]));
  }
  return needs;
}

/** Whether a browser reaches the bot without any account. Then nothing else needs to work before somebody calls. */
const isOpenToBrowsers = ({ transports }: ScaffoldConfig): boolean =>
  transports.map(findTransport).some(row => botTypeOf(row) === 'web' && requiredOf(row.ambient).length === 0);

/** The variables without which nobody reaches the bot: those of its phones, or of browsers if it has no phone. */
export function requiredByTransports(config: ScaffoldConfig): string[] {
  const rows = config.transports.map(findTransport);
  const phones = rows.filter(row => botTypeOf(row) === 'telephony');
  return isOpenToBrowsers(config)
    ? []
    : unique((phones.length > 0 ? phones : rows).flatMap(row => requiredOf(readsOf(row))));
}

const readsOf = ({ ambient, reads = [] }: TransportRow): VariableArgument[] => [...ambient, ...reads];

/** Those that `bot.py` reads itself in a call, so that calls need them in the cloud too. */
export const requiredInCalls = (config: ScaffoldConfig): string[] =>
  unique(config.transports.flatMap(id => requiredOf(findTransport(id).reads ?? [])));

/** The variables that `server.py`, which starts calls, can't work without. */
export const requiredByCallServer = (config: ScaffoldConfig): string[] =>
  unique(config.transports.flatMap(id => requiredOf(findTransport(id).serverReads ?? [])));

/** The variables that a project can't work without. */
export const requiredVariables = (config: ScaffoldConfig): string[] =>
  unique([
    ...requiredByServices(config),
    ...requiredByTransports(config),
    ...(isOpenToBrowsers(config) ? [] : requiredByCallServer(config)),
  ]);

/** The variables that only calls need, in a bot that browsers reach without them. */
export function neededForCalls(config: ScaffoldConfig): string[] {
  if (!isOpenToBrowsers(config)) return [];
  const phones = config.transports.map(findTransport).filter(row => botTypeOf(row) === 'telephony');
  const known = requiredVariables(config);
  const needed = [...phones.flatMap(row => requiredOf(readsOf(row))), ...requiredByCallServer(config)];
  return unique(needed).filter(name => !known.includes(name));
}

const requiredOf = (variables: readonly VariableArgument[]): string[] =>
  variables.filter(({ required }) => required).map(({ env }) => env);

/** The variables that the framework reads for one of a configuration's transports. */
export function ambientOf({ ambient, withoutCalls = [] }: TransportRow, config: ScaffoldConfig): VariableArgument[] {
  const hasFlow = config.transports.some(id => findTransport(id).family === 'flow');
  return [...ambient, ...(hasFlow ? [] : withoutCalls)];
}

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
    return variables.every(({ env, required }) => !required || known.includes(env)) && shares(variables, known);
  });
  const row = candidates.find(({ recommended }) => recommended) ?? candidates[0];
  // Its optional settings could be variables of the other service, such as the name of a speech-to-speech model.
  return row && { ...row, settings: [] };
}

/** Whether they include a credential that is known. A model's name isn't one. */
const shares = (variables: ReturnType<typeof variablesOf>, known: readonly string[]) =>
  variables.some(({ env, name }) => name !== 'model' && known.includes(env));
