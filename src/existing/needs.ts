import {
  allServices,
  extrasOf,
  findTransport,
  type MachineCredentials,
  moduleOf,
  type ServiceRow,
  variablesOf,
} from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { neededForCalls, requiredByTransport, requiredByTransports, variableGroups } from '../project/variables.ts';
import { unique } from '../std.ts';
import { importsBelow, pathsOf, placesOf, withImports } from './modules.ts';
import { BOT, CALL_SERVER } from './python/files.ts';
import { type PythonReads, VARIABLE } from './python/reads.ts';

/** What a project's code needs, as it is now. */
type Requirements = ReturnType<typeof requirementsOf>;

/**
 * Finds what a project needs, according to its code: people edit it, so the recorded choices say only what the framework
 * reads for a transport that is still there.
 *
 * @param modules Its Python files, by path.
 */
export function requirementsOf(modules: ReadonlyMap<string, PythonReads>, config: ScaffoldConfig) {
  const bot = withImports(BOT, modules);
  const started = withImports(CALL_SERVER, modules, bot);
  const read = <Item = string>(paths: Iterable<string>, pick: (reads: PythonReads, path: string) => Iterable<Item>) =>
    unique([...paths].flatMap(path => [...pick(modules.get(path) as PythonReads, path)]));
  const assigned = new Set(read(started, reads => reads.assigned));
  const isOpen = (name: string) => VARIABLE.test(name) && !assigned.has(name) && !BY_SYSTEM.test(name);
  const requiredIn = (reads: PythonReads, path: string) => [
    ...reads.required,
    ...(path === BOT || path === CALL_SERVER ? reads.asScript : []),
  ];
  const named = servicesNamed(read(modules.keys(), reads => reads.names));
  const ambient = named.flatMap(row => row.ambient ?? []);
  const byServices = ambient.filter(({ required }) => required).map(({ env }) => env);
  const mentioned = read(bot, reads => reads.mentioned);
  const transports = config.transports.filter(id => mentioned.includes(findTransport(id).runnerKey));
  const atStart = read(bot, reads => reads.transport);
  const forCalls = neededForCalls({ ...config, transports }).filter(name => isOpen(name) && !atStart.includes(name));
  const atTransports = ownOfTransports(
    read(bot, reads => reads.byTransport),
    config,
  );
  const needed = unique([
    ...(atTransports.length === 1 ? atTransports.flat() : []),
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
  const imported = new Set(read(started, reads => reads.modules));
  const namedAtStart = servicesNamed(read(started, reads => reads.names));
  const inStarted = (isWanted: (reads: PythonReads) => boolean) =>
    [...started].filter(path => isWanted(modules.get(path) as PythonReads));
  return {
    /** Variables that the bot, or the server for its calls, can't work without. */
    needed,
    /** Variables that only calls need: browsers reach the bot without them. */
    forCalls,
    /** Variables that they need in some cases, or read as secrets without a default. */
    conditional: unique([...read(started, reads => reads.conditional), ...atTransports.flat()]).filter(
      name => isOpen(name) && !isNeeded.has(name) && !isOptional(name),
    ),
    /** Variables that only other files need, such as the evals. Each has the first file that does. */
    elsewhere: new Map(elsewhere.reverse()),
    /** Variables that the bot needs in the cloud, which provides those of the transports. */
    inCloud: unique([...read(bot, requiredIn), ...byServices]).filter(isOpen),
    /** The modules that the bot imports in the cloud, which starts nothing else. */
    inImage: importsBelow(BOT, modules),
    /** Every variable that the bot may read itself. */
    inBot: new Set([...mentioned, ...ambient.map(({ env }) => env)]),
    /** What libraries look for on the machine, each with the services that need it. */
    credentials: credentialsOf(named),
    /**
     * The extras of the framework's package that services need, each with the first one: those chosen that the code still
     * names, and those that it imports.
     */
    extras: byExtra(servicesAtStart(namedAtStart, imported, config)),
    /** The files whose statements botcli can't tell apart. */
    unparsed: inStarted(reads => reads.hasProblems),
    /** Whether the framework starts the bot, and can't find the function for it. */
    lacksBot: inStarted(reads => !reads.mayDefineBot && reads.imports.has(RUNNER)).includes(BOT),
    /** The files that need variables which can't be named. */
    untraced: inStarted(reads => reads.isUntraced),
    /** The files that get values from elsewhere, in a way that can't be followed. */
    sources: inStarted(reads => reads.hasSources),
    /** The env files that a file names, in addition to the usual one. Each may be at several places in the project. */
    envFiles: [...started].flatMap(path =>
      [...(modules.get(path)?.envFiles ?? [])].map(file => ({ path, places: placesOf(file, path) })),
    ),
    /** The bot, the server for its calls, and what they import. */
    started,
    /**
     * The modules that they can't do without, each with the first file that imports it; none if they change where Python
     * looks.
     */
    modules: new Map(
      inStarted(reads => reads.changesPath).length > 0
        ? []
        : // The last one of a name wins.
          read(started, (reads, path) => [...reads.modules].map(name => [name, path] as const)).reverse(),
    ),
    /** The variables whose case doesn't count. */
    anyCase: new Set(read(modules.keys(), reads => reads.anyCase)),
    /** Every variable that anything may read. */
    known: new Set([
      ...read(modules.keys(), reads => reads.mentioned),
      ...ambient.map(({ env }) => env),
      ...variableGroups(config).flatMap(({ variables }) => variables.map(({ name }) => name)),
    ]),
    /** Every identifier in lower case: libraries of settings read a variable for each attribute of a class. */
    attributes: new Set(read(modules.keys(), reads => reads.names).map(name => name.toLowerCase())),
    /** The files of the project that some file imports, whether or not they exist. */
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
    conditional: conditional.map(spell),
    inCloud: inCloud.map(spell),
    known: new Set([...known, ...[...anyCase].map(spell)]),
  };
}

/** The framework's module that starts `bot()` of the file which runs. */
const RUNNER = 'pipecat.runner.run';

/** Variables that the operating system sets, of which each system has others. */
const BY_SYSTEM =
  /^(?:PATH|PWD|HOME|USER|USERNAME|USERPROFILE|LOGNAME|SHELL|TMP|TEMP|TMPDIR|HOSTNAME|COMPUTERNAME|APPDATA|LOCALAPPDATA)$/;

const VARIABLES = allServices.flatMap(variablesOf);

/** Whether no service requires a variable, and some service takes it. */
function isOptional(name: string): boolean {
  const rows = VARIABLES.filter(({ env }) => env === name);
  return rows.length > 0 && rows.every(({ required }) => !required);
}

/** What people added to the variables of each transport. Without `-t`, it is enough if those of one are set. */
const ownOfTransports = (tables: Iterable<readonly [string, readonly string[]]>, config: ScaffoldConfig): string[][] =>
  [...tables].map(([key, names]) => names.filter(name => !requiredByTransport(config).get(key)?.includes(name)));

/** The services of which the code names the classes. */
const servicesNamed = (names: readonly string[]): ServiceRow[] =>
  allServices.filter(({ className }) => names.includes(className));

/** The services that code starts. One with OpenAI's items comes with a class of OpenAI's own service, whose package it has. */
function servicesAtStart(named: readonly ServiceRow[], imported: ReadonlySet<string>, config: ScaffoldConfig) {
  const hasItems = named.some(({ id, typed }) => typed === 'item' && isChosen(id, config));
  return named.filter(
    row => isChosen(row.id, config) || (imported.has(moduleOf(row)) && !(hasItems && row.typed === 'item')),
  );
}

const isChosen = (id: string, config: ScaffoldConfig): boolean => Object.values(config).includes(id);

const byExtra = (rows: readonly ServiceRow[]): Map<string, ServiceRow> =>
  new Map(rows.flatMap(row => extrasOf(row).map(extra => [extra, row] as const)).reverse());

function credentialsOf(rows: readonly ServiceRow[]): Map<MachineCredentials, ServiceRow[]> {
  const kinds = unique(rows.flatMap(({ credentials }) => credentials ?? []));
  return new Map(kinds.map(kind => [kind, rows.filter(({ credentials }) => credentials === kind)]));
}
