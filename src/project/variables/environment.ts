import {
  botTypeOf,
  findService,
  findTransport,
  isSecret,
  type ServiceKind,
  type TransportRow,
  type VariableArgument,
  variablesIn,
} from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { unique } from '../../unique.ts';
import { type BotService, inLanguage } from './service-language.ts';

export const KIND_LABELS: Readonly<Record<ServiceKind, string>> = {
  stt: 'speech-to-text',
  llm: 'language model',
  tts: 'text-to-speech',
  realtime: 'speech-to-speech',
  video: 'video avatar',
};

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
    variablesOf(row).flatMap(({ env, required }) => (required && isSecret(env) ? [[env, row.label] as const] : [])),
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

/** The variables that the framework reads for one of a configuration's transports. */
export function ambientOf({ ambient, withoutCalls = [] }: TransportRow, config: ScaffoldConfig): VariableArgument[] {
  const hasFlow = config.transports.some(id => findTransport(id).family === 'flow');
  return [...ambient, ...(hasFlow ? [] : withoutCalls)];
}
