import { type Argument, findService, findTransport, type ServiceKind, type ServiceRow } from './catalog/index.ts';
import type { ScaffoldConfig } from './config.ts';

/** A variable of `.env.example`. */
export interface Variable {
  name: string;
  required: boolean;
  /** What the value is. */
  meaning: string;
}

/** The variables of one provider, under one heading. */
export interface VariableGroup {
  title: string;
  variables: Variable[];
}

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
  row: ServiceRow;
}

/** The services of a configuration, in the order of the pipeline. */
export function chosenServices(config: ScaffoldConfig): ChosenService[] {
  const kinds = ['stt', 'llm', 'realtime', 'tts', 'video'] as const;
  return kinds.flatMap(kind => {
    const id = config[`${kind}_service`];
    return id === null ? [] : [{ kind, row: findService(kind, id) }];
  });
}

/** Everything that a service reads from the environment. */
const variablesOf = (row: ServiceRow): Argument[] => [
  ...(row.args ?? []),
  ...(row.settings ?? []),
  ...(row.ambient ?? []),
];

/** The variables that `bot.py` reads and can't do without, in the order of the services. */
export function requiredByServices(config: ScaffoldConfig): string[] {
  const read = chosenServices(config).flatMap(({ row }) => variablesOf(row));
  return unique(read.filter(argument => argument.required).map(argument => argument.env));
}

/**
 * The variables that the runner can't do without: none when another transport of the bot needs nothing, as a hosted
 * one beside a local one.
 */
export function requiredByTransports(config: ScaffoldConfig): string[] {
  const needed = config.transports.map(id => findTransport(id).ambient.filter(one => one.required));
  return needed.some(list => list.length === 0) ? [] : unique(needed.flat().map(one => one.env));
}

/** The groups of `.env.example`: services first, then transports; each variable once. */
export function variableGroups(config: ScaffoldConfig): VariableGroup[] {
  const groups: VariableGroup[] = [];
  const seen = new Map<string, Variable>();
  const add = (title: string, variables: Variable[]) => {
    const fresh = variables.filter(({ name, required }) => {
      const known = seen.get(name);
      if (known && required) known.required = true;
      return !known;
    });
    for (const variable of fresh) seen.set(variable.name, variable);
    if (fresh.length > 0) groups.push({ title, variables: fresh });
  };
  for (const { kind, row } of chosenServices(config)) {
    const title = `${row.label}, ${KIND_LABELS[kind]}`;
    add(
      title,
      variablesOf(row).map(({ env, required, meaning }) => ({ name: env, required, meaning })),
    );
  }
  const required = requiredByTransports(config);
  for (const row of config.transports.map(findTransport)) {
    const variables = row.ambient.map(({ env, meaning }) => ({ name: env, required: required.includes(env), meaning }));
    add(row.label, variables);
  }
  return groups;
}

export const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
