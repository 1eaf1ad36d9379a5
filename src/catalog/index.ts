import { remembered, unique } from '../std.ts';
import { knownAs } from './languages.ts';
import { llm } from './llm.ts';
import { realtime } from './realtime.ts';
import { type ServiceKind, type ServiceRow, variablesOf } from './service.ts';
import { stt } from './stt.ts';
import { type BotType, botTypeOf, type TransportRow, transports } from './transports.ts';
import { tts } from './tts.ts';
import { video } from './video.ts';

export * from './languages.ts';
export * from './service.ts';
export * from './transports.ts';

/** Every service, by kind. */
export const services: Readonly<Record<ServiceKind, readonly ServiceRow[]>> = { stt, llm, tts, realtime, video };

export const allServices: readonly ServiceRow[] = Object.values(services).flat();

/** The ids of a kind, as `--list-options` shows them. */
export const serviceIds = (kind: ServiceKind): string[] => services[kind].map(row => row.id);

/** Whether a service can be used in a bot with this language. */
export const speaks = ({ languages }: ServiceRow, code: string): boolean =>
  languages === undefined || knownAs(languages, code) !== undefined;

/** Compares rows for sorting: recommended ones first, in their order. */
export const recommendedFirst = (one: { recommended?: number }, other: { recommended?: number }): number =>
  (one.recommended ?? LAST) - (other.recommended ?? LAST);

const LAST = 99;

/** Whether a variable or a parameter holds a key or the like, rather than a setting. */
export const isSecret = (name: string): boolean =>
  /(?:^|_|API)(?:KEY|SECRET|TOKEN|SID|AUTH_ID|CREDENTIALS|HEADERS)(?:_ID|_JSON)?$/i.test(name);

/** The variables of all providers: of services, and what transports read. */
export const providerVariables = (): string[] =>
  unique(
    [
      ...allServices.flatMap(variablesOf),
      ...transports.flatMap(({ ambient, reads = [], serverReads = [], withoutCalls = [] }) => [
        ...ambient,
        ...reads,
        ...serverReads,
        ...withoutCalls,
      ]),
    ].map(({ env }) => env),
  );

/** The variables with the keys of a service's account. The wizard asks for them again and again. */
const credentialsOf = remembered((row: ServiceRow): readonly string[] =>
  variablesOf(row).flatMap(({ env }) => (isSecret(env) ? [env] : [])),
);

/** Whether two services use the same account, so that one key is enough for both. */
export function sharesAccount(one: ServiceRow, other: ServiceRow): boolean {
  const known = credentialsOf(one);
  return credentialsOf(other).some(env => known.includes(env));
}

/** The row of a service. Throws on an unknown id: configurations are validated before. */
export function findService(kind: ServiceKind, id: string): ServiceRow {
  return find(services[kind], id);
}

/** The row of a transport by its resolved id. Throws on an unknown id: configurations are validated before. */
export function findTransport(id: string): TransportRow {
  return find(transports, id);
}

/** The ids that `--transport` accepts for a bot type: generic ones first, then those that include their direction. */
export function transportIds(botType: BotType): string[] {
  const rows = transports.filter(row => botTypeOf(row) === botType);
  const generic = rows.map(row => row.generic ?? row.id);
  return unique([...generic, ...rows.map(row => row.id)]);
}

function find<Row extends { id: string }>(rows: readonly Row[], id: string): Row {
  const row = rows.find(one => one.id === id);
  if (!row) throw new Error(`The catalog has no ${id}`);
  return row;
}
