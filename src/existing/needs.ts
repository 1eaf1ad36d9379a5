import { findTransport, type MachineCredentials, type ServiceRow, services, variablesIn } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { neededForCalls, requiredByTransports } from '../project/variables/environment.ts';
import { variableGroups } from '../project/variables/variables.ts';
import { unique } from '../unique.ts';
import { type PythonReads, readsOf } from './python-reads.ts';

/** The files that Python starts. */
export const BOT = 'server/bot.py';
const CALL_SERVER = 'server/server.py';

/** What a project's code needs, as it is now. */
export interface Requirements {
  /** Variables that the bot, or the server for its calls, can't work without. */
  needed: readonly string[];
  /** Variables that only calls need: browsers reach the bot without them. */
  forCalls: readonly string[];
  /** Variables that they pass on as keys without checking them. */
  passed: readonly string[];
  /** Variables that only other files need, such as the evals. Each has the first file that does. */
  elsewhere: ReadonlyMap<string, string>;
  /** Variables that the bot needs in the cloud, which provides those of the transports. */
  inCloud: readonly string[];
  /** What libraries look for on the machine, each with the services that need it. */
  credentials: ReadonlyMap<MachineCredentials, readonly ServiceRow[]>;
  /** Every variable that anything may read. */
  known: ReadonlySet<string>;
  /** Every identifier in lower case: libraries of settings read a variable for each attribute of a class. */
  attributes: ReadonlySet<string>;
  /** The files of the project that some file imports, whether or not they exist. */
  imported: ReadonlySet<string>;
}

/**
 * Finds what a project needs, according to its code: people edit it, so the recorded choices say only what the framework
 * reads for a transport that is still there.
 *
 * @param files The texts of its Python files, by path.
 */
export function requirementsOf(files: ReadonlyMap<string, string>, config: ScaffoldConfig): Requirements {
  const modules = new Map([...files].map(([path, text]) => [path, readsOf(text)]));
  const bot = withImports(BOT, modules);
  const started = withImports(CALL_SERVER, modules, bot);
  const read = (paths: Iterable<string>, pick: (reads: PythonReads) => Iterable<string>) =>
    unique([...paths].flatMap(path => [...pick(modules.get(path) as PythonReads)]));
  const assigned = new Set(read(started, reads => reads.assigned));
  const isOpen = (name: string) => !assigned.has(name);
  const named = servicesNamed(read(modules.keys(), reads => reads.names));
  const ambient = named.flatMap(row => row.ambient ?? []);
  const byServices = ambient.filter(({ required }) => required).map(({ env }) => env);
  const transports = config.transports.filter(id =>
    read(bot, reads => reads.mentioned).includes(findTransport(id).runnerKey),
  );
  const atStart = read(bot, reads => reads.transport);
  const forCalls = neededForCalls({ ...config, transports }).filter(name => isOpen(name) && !atStart.includes(name));
  const needed = unique([
    ...read(started, reads => reads.required),
    ...atStart,
    ...byServices,
    ...requiredByTransports({ ...config, transports }),
  ]).filter(name => isOpen(name) && !forCalls.includes(name));
  const others = [...modules].filter(([path]) => !started.has(path));
  const elsewhere = others.flatMap(([path, reads]) =>
    [...reads.required]
      .filter(name => !needed.includes(name) && !forCalls.includes(name) && !reads.assigned.has(name))
      .map(name => [name, path] as const),
  );
  return {
    needed,
    forCalls,
    passed: read(started, reads => reads.passed).filter(
      name => isOpen(name) && !needed.includes(name) && !forCalls.includes(name) && !isOptional(name),
    ),
    // The first file that needs it wins.
    elsewhere: new Map(elsewhere.reverse()),
    inCloud: unique([...read(bot, reads => reads.required), ...byServices]).filter(isOpen),
    credentials: credentialsOf(named),
    known: new Set([
      ...read(modules.keys(), reads => reads.mentioned),
      ...ambient.map(({ env }) => env),
      ...variableGroups(config).flatMap(({ variables }) => variables.map(({ name }) => name)),
    ]),
    attributes: new Set(read(modules.keys(), reads => reads.names).map(name => name.toLowerCase())),
    imported: new Set([...modules].flatMap(([path, reads]) => [...reads.imports].flatMap(name => pathsOf(name, path)))),
  };
}

/** Every variable in the catalog. */
const ROWS = Object.values(services)
  .flat()
  .flatMap(({ args = [], settings = [], ambient = [] }) => variablesIn([...args, ...settings, ...ambient]));

/** Whether no service requires a variable, and some service takes it. */
function isOptional(name: string): boolean {
  const rows = ROWS.filter(({ env }) => env === name);
  return rows.length > 0 && rows.every(({ required }) => !required);
}

/** The services of which the code names the classes. */
const servicesNamed = (names: readonly string[]): ServiceRow[] =>
  Object.values(services)
    .flat()
    .filter(({ className }) => names.includes(className));

function credentialsOf(rows: readonly ServiceRow[]): Requirements['credentials'] {
  const kinds = unique(rows.flatMap(({ credentials }) => credentials ?? []));
  return new Map(kinds.map(kind => [kind, rows.filter(({ credentials }) => credentials === kind)]));
}

/** A file and what it imports, directly or not. */
function withImports(
  path: string,
  modules: ReadonlyMap<string, PythonReads>,
  known: Iterable<string> = [],
): Set<string> {
  const found = new Set(known);
  const visit = (one: string) => {
    const reads = modules.get(one);
    if (!reads || found.has(one)) return;
    found.add(one);
    for (const name of reads.imports) pathsOf(name, one).forEach(visit);
  };
  visit(path);
  return found;
}

/** The files that an imported module may be. Python looks for it next to `bot.py`; `.call` is next to the importer. */
function pathsOf(name: string, importer: string): string[] {
  const [dots = ''] = /^\.*/.exec(name) ?? [];
  const folders = importer.split('/');
  const folder = dots === '' ? ['server'] : folders.slice(0, folders.length - dots.length);
  const rest = name
    .slice(dots.length)
    .split('.')
    .filter(part => part !== '');
  const base = [...folder, ...rest].join('/');
  return [`${base}.py`, `${base}/__init__.py`];
}
