import { posix } from 'node:path';
import { findTransport, type MachineCredentials, type ServiceRow, services, variablesIn } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import type { Problem } from '../formats/python/tokens.ts';
import { neededForCalls, requiredByTransports } from '../project/variables/environment.ts';
import { variableGroups } from '../project/variables/variables.ts';
import { unique } from '../unique.ts';
import { BOT, CALL_SERVER } from './python-files.ts';
import { type PythonReads, readsOf } from './python-reads.ts';

/** A name that a shell or an env file can set. */
const VARIABLE = /^[A-Za-z_]\w*$/;

/** What a project's code needs, as it is now. */
export interface Requirements {
  /** Variables that the bot, or the server for its calls, can't work without. */
  needed: readonly string[];
  /** Variables that only calls need: browsers reach the bot without them. */
  forCalls: readonly string[];
  /**
   * Variables that they need in some cases, or pass on as keys without checking them. If that is so only if one of other
   * variables is set, each has these.
   */
  conditional: ReadonlyMap<string, readonly string[]>;
  /** Variables that only other files need, such as the evals. Each has the first file that does. */
  elsewhere: ReadonlyMap<string, string>;
  /** Every variable that the bot may read itself. */
  inBot: ReadonlySet<string>;
  /** Variables that the bot needs in the cloud, which provides those of the transports. */
  inCloud: readonly string[];
  /** What libraries look for on the machine, each with the services that need it. */
  credentials: ReadonlyMap<MachineCredentials, readonly ServiceRow[]>;
  /** The extras of the framework's package that the chosen services need, if the code still names them, each with the first service that does. */
  extras: ReadonlyMap<string, ServiceRow>;
  /** Those whose case doesn't count. */
  anyCase: ReadonlySet<string>;
  /** The files that need variables which can't be named. */
  untraced: readonly string[];
  /** The files that get values from elsewhere, in a way that can't be followed. */
  sources: readonly string[];
  /** The env files that a file names, in addition to the usual one. Each may be at several places in the project. */
  envFiles: readonly { path: string; places: readonly string[] }[];
  /** The bot, the server for its calls, and what they import. */
  started: ReadonlySet<string>;
  /** The first problem of each file that Python would refuse. */
  problems: ReadonlyMap<string, Problem>;
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
  const modules = readModules(files);
  const bot = withImports(BOT, modules);
  const started = withImports(CALL_SERVER, modules, bot);
  const read = (paths: Iterable<string>, pick: (reads: PythonReads, path: string) => Iterable<string>) =>
    unique([...paths].flatMap(path => [...pick(modules.get(path) as PythonReads, path)]));
  const assigned = new Set(read(started, reads => reads.assigned));
  const isOpen = (name: string) => VARIABLE.test(name) && !assigned.has(name) && !BY_SYSTEM.test(name);
  const requiredIn = (reads: PythonReads, path: string) =>
    path === BOT || path === CALL_SERVER ? [...reads.required, ...reads.asScript] : reads.required;
  const named = servicesNamed(read(modules.keys(), reads => reads.names));
  const ambient = named.flatMap(row => row.ambient ?? []);
  const byServices = ambient.filter(({ required }) => required).map(({ env }) => env);
  const mentioned = read(bot, reads => reads.mentioned);
  const transports = config.transports.filter(id => mentioned.includes(findTransport(id).runnerKey));
  const atStart = read(bot, reads => reads.transport);
  const forCalls = neededForCalls({ ...config, transports }).filter(name => isOpen(name) && !atStart.includes(name));
  const needed = unique([
    ...read(started, (reads, path) => [...requiredIn(reads, path), ...reads.transport]),
    ...byServices,
    ...requiredByTransports({ ...config, transports }),
  ]).filter(name => isOpen(name) && !forCalls.includes(name));
  const isNeeded = new Set([...needed, ...forCalls]);
  const others = [...modules].filter(([path]) => !started.has(path));
  const assignedByOthers = new Set(others.flatMap(([, reads]) => [...reads.assigned]));
  const elsewhere = others.flatMap(([path, reads]) =>
    [...reads.required, ...reads.asScript]
      .filter(name => isOpen(name) && !isNeeded.has(name) && !assignedByOthers.has(name) && !reads.hasSources)
      .map(name => [name, path] as const),
  );
  const inStarted = (isWanted: (reads: PythonReads) => boolean) =>
    [...started].filter(path => isWanted(modules.get(path) as PythonReads));
  return {
    needed,
    forCalls,
    conditional: new Map(
      [...started]
        .flatMap(path => [...(modules.get(path)?.conditional ?? [])])
        .filter(([name]) => isOpen(name) && !isNeeded.has(name) && !isOptional(name)),
    ),
    // The first file that needs it wins.
    elsewhere: new Map(elsewhere.reverse()),
    inCloud: unique([...read(bot, requiredIn), ...byServices]).filter(isOpen),
    inBot: new Set([...mentioned, ...ambient.map(({ env }) => env)]),
    credentials: credentialsOf(named),
    extras: extrasOf(servicesNamed(read(started, reads => reads.names)).filter(({ id }) => isChosen(id, config))),
    untraced: inStarted(reads => reads.isUntraced),
    sources: inStarted(reads => reads.hasSources),
    envFiles: [...started].flatMap(path =>
      (modules.get(path)?.envFiles ?? []).map(file => ({ path, places: placesOf(file, path) })),
    ),
    started,
    problems: new Map(
      [...modules].flatMap(
        ([
          path,
          {
            problems: [first],
          },
        ]) => (first ? [[path, first] as const] : []),
      ),
    ),
    anyCase: new Set(read(modules.keys(), reads => reads.anyCase)),
    known: new Set([
      ...read(modules.keys(), reads => reads.mentioned),
      ...ambient.map(({ env }) => env),
      ...variableGroups(config).flatMap(({ variables }) => variables.map(({ name }) => name)),
    ]),
    attributes: new Set(read(modules.keys(), reads => reads.names).map(name => name.toLowerCase())),
    imported: new Set([...modules].flatMap(([path, reads]) => [...reads.imports].flatMap(name => pathsOf(name, path)))),
  };
}

/** The same with the variables whose case doesn't count as these names have them. */
export function spelledAs(requirements: Requirements, names: Iterable<string>): Requirements {
  const { anyCase, known, needed, conditional, inCloud } = requirements;
  const written = new Set(names);
  const spelled = new Map([...written].map(name => [name.toUpperCase(), name]));
  const spell = (name: string) =>
    anyCase.has(name) && !written.has(name) ? (spelled.get(name.toUpperCase()) ?? name) : name;
  return {
    ...requirements,
    needed: needed.map(spell),
    conditional: new Map([...conditional].map(([name, switches]) => [spell(name), switches])),
    inCloud: inCloud.map(spell),
    known: new Set([...known, ...[...anyCase].map(spell)]),
  };
}

/** Variables that the operating system sets, of which each system has others. */
const BY_SYSTEM =
  /^(?:PATH|PWD|HOME|USER|USERNAME|USERPROFILE|LOGNAME|SHELL|TMP|TEMP|TMPDIR|HOSTNAME|COMPUTERNAME|APPDATA|LOCALAPPDATA)$/;

/** How many modules may look names up in each other. */
const MOST_LOOK_UPS = 50;

/** Reads the modules of a project. Each may use what another one gives a meaning. */
function readModules(files: ReadonlyMap<string, string>): Map<string, PythonReads> {
  const modules = new Map<string, PythonReads>();
  const open = new Set<string>();
  const read = (path: string): PythonReads | undefined => {
    const text = files.get(path);
    if (modules.has(path) || text === undefined || open.has(path) || open.size > MOST_LOOK_UPS)
      return modules.get(path);
    open.add(path);
    const reads = readsOf(text, name => lookUp(name, path));
    open.delete(path);
    modules.set(path, reads);
    return reads;
  };
  const lookUp = (full: string, importer: string) => {
    const [, dots = '', module = '', name = ''] = /^(\.*)(?:(.*)\.)?([^.]+)$/.exec(full) ?? [];
    const paths = dots + module === '' ? [] : pathsOf(dots + module, importer);
    const meaning = paths.flatMap(path => read(path) ?? [])[0]?.meaningOf(name);
    // What another module imports from its own package means something else here.
    return meaning?.is === 'import' && meaning.path.startsWith('.') ? undefined : meaning;
  };
  for (const path of files.keys()) read(path);
  // In the order of the files, whichever was read first.
  return new Map(
    [...files.keys()].flatMap(path => (modules.has(path) ? [[path, modules.get(path) as PythonReads]] : [])),
  );
}

/** Where a file may be that a module names: Python is started next to the bot. None of them is outside of the project. */
const placesOf = (file: string, importer: string): string[] =>
  posix.isAbsolute(file)
    ? []
    : unique(['server', posix.dirname(importer), '.'].map(folder => posix.join(folder, file))).filter(
        place => !place.startsWith('..'),
      );

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

const isChosen = (id: string, config: ScaffoldConfig): boolean => Object.values(config).includes(id);

/** Another service's class may be named for its settings only: its package isn't needed then. */
const extrasOf = (rows: readonly ServiceRow[]): Map<string, ServiceRow> =>
  new Map(rows.flatMap(row => row.extras.map(extra => [extra, row] as const)).reverse());

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
