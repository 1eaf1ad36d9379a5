import { posix } from 'node:path';
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
import { readText } from '../paths/read.ts';
import { requiredBy, variableGroups } from '../project/variables.ts';
import { unique } from '../std.ts';
import { DEPLOY_FILE, parseDeployFile } from './deploy-file.ts';
import { findProject, knownConfigOf, readProject } from './open-project.ts';
import { BOT, CALL_SERVER, readPythonFiles } from './python/files.ts';
import { PythonReads, VARIABLE } from './python/reads.ts';

type Modules = ReadonlyMap<string, PythonReads>;

/** Reads each module, by its path, and adds what it needs by the classes of settings of others. */
export function readModules(files: ReadonlyMap<string, string>): Modules {
  const modules = new Map([...files].map(([path, text]) => [path, new PythonReads(text)]));
  const all = [...modules.values()];
  const classes = all.flatMap(reads => reads.classes);
  const fieldsOf = settingsIn(classes);
  const bases = new Set(classes.flatMap(one => one.bases));
  const made = new Set(all.flatMap(reads => [...reads.made.keys()]));
  const given = new Set(all.flatMap(reads => [...reads.given]));
  for (const reads of all) {
    for (const { variables, hasDefault } of reads.classes.flatMap(({ name }) => fieldsOf(name))) {
      for (const variable of variables) {
        reads.mentioned.add(variable);
        reads.anyCase.add(variable);
      }
      // Nobody knows the variables of a field that has others in it.
      reads.isUntraced ||= !hasDefault && variables.length !== 1;
    }
    const never = reads.classes.filter(({ name }) => !made.has(name) && !bases.has(name));
    for (const [name, runs] of [...never.map(one => [one.name, one.runs] as const), ...reads.made]) {
      for (const { name: field, aliases, variables, hasDefault } of fieldsOf(name)) {
        const [variable, ...others] = variables;
        const isGiven = [name, field, ...aliases].some(one => given.has(one));
        if (hasDefault || isGiven || variable === undefined || others.length > 0) continue;
        (runs === 'always' ? reads.required : reads.conditional).add(variable);
      }
    }
  }
  return modules;
}

/** More inherited fields, or bases of bases, than people write are not followed. */
const MOST_FIELDS = 100;
const MOST_BASES = 20;

type SettingsClass = PythonReads['classes'][number];

interface Says extends Pick<SettingsClass, 'prefix'> {
  fields: ReadonlyMap<string, SettingsClass['fields'][number]>;
}

/**
 * Finds the fields of a class of settings, with those that it inherits, and the variables that each may be from: not
 * exactly one if that can't be followed. Other classes have no fields.
 */
function settingsIn(all: readonly SettingsClass[]) {
  const classes = new Map(all.map(one => [one.name, one]));
  const known = new Map<string, Says | undefined>([['BaseSettings', { prefix: '', fields: new Map() }]]);
  const read = (name: string, depth = 0): Says | undefined => {
    if (known.has(name) || depth > MOST_BASES) return known.get(name);
    known.set(name, undefined);
    const own = classes.get(name);
    const base = own?.bases.map(one => read(one, depth + 1)).find(Boolean);
    if (!own || !base) return undefined;
    const { prefix = base.prefix } = own;
    const inherited = base.fields.size > MOST_FIELDS ? [] : base.fields;
    const fields = new Map([...inherited, ...own.fields.map(one => [one.name, one] as const)]);
    known.set(name, { prefix, fields });
    return known.get(name);
  };
  return (className: string) => {
    const { prefix, fields } = read(className) ?? {};
    return [...(fields?.values() ?? [])].map(({ name, aliases, hasDefault, types }) => {
      const own = typeof prefix === 'string' ? [`${prefix}${name}`.toUpperCase()] : [];
      const variables = aliases ?? own;
      // One that is a class has a variable for each field of that.
      const isNested = types.some(type => classes.has(type));
      return {
        name,
        aliases: aliases ?? [],
        hasDefault,
        variables: isNested ? variables.flatMap(one => [one, `${one}_`]) : variables,
      };
    });
  };
}

/** A file and what it imports, directly or not. */
function withImports(path: string, modules: Modules, known: Iterable<string> = []): Set<string> {
  const found = new Set(known);
  const visit = (one: string) => {
    const reads = modules.get(one);
    if (!reads || found.has(one)) return;
    found.add(one);
    for (const name of reads.imports) for (const paths of modulesFor(name, one)) paths.forEach(visit);
  };
  visit(path);
  return found;
}

/**
 * The modules that a file doesn't work without, and those that these need, whether or not they exist; then those that
 * some of them may need. Each has the paths of which one is enough.
 */
function importsBelow(start: string, modules: Modules): { paths: string[]; by: string; isCertain: boolean }[] {
  const found = new Map<string, { paths: string[]; by: string; isCertain: boolean }>();
  const visit = (by: string, isCertain: boolean): void => {
    for (const [name, isAlways] of modules.get(by)?.needs ?? []) {
      for (const paths of isAlways || !isCertain ? modulesFor(name, by) : []) {
        if (found.has(`${paths}`) || paths.includes(start)) continue;
        found.set(`${paths}`, { paths, by, isCertain });
        for (const path of paths) visit(path, isCertain);
      }
    }
  };
  visit(start, true);
  for (const path of [start, ...[...found.values()].flatMap(({ paths }) => paths)]) visit(path, false);
  return [...found.values()];
}

/** The files that an imported module, and each package around it, may be: Python loads those first. */
function modulesFor(name: string, importer: string): string[][] {
  const [dots = ''] = /^\.*/.exec(name) ?? [];
  const parts = name.slice(dots.length).split('.');
  return parts.map((_, at) => pathsOf(dots + parts.slice(0, at + 1).join('.'), importer));
}

/** The files that an imported module may be. Python looks for it next to `bot.py`; `.call` is next to the importer. */
function pathsOf(name: string, importer: string): string[] {
  const [dots = ''] = /^\.*/.exec(name) ?? [];
  const folders = importer.split('/');
  const folder = dots === '' ? ['server'] : folders.slice(0, folders.length - dots.length);
  const rest = name.slice(dots.length).split('.');
  const base = [...folder, ...rest].filter(part => part !== '').join('/');
  return [`${base}.py`, `${base}/__init__.py`];
}

/** Where in the project a file may be that a module names: Python is started next to the bot. */
const placesOf = (file: string, importer: string): string[] =>
  posix.isAbsolute(file)
    ? []
    : unique(['server', posix.dirname(importer), '.'].map(folder => posix.join(folder, file))).filter(
        place => !place.startsWith('..'),
      );

/** What a project's code needs, as it is now. */
type Requirements = ReturnType<typeof requirementsOf>;

/**
 * Finds what a project needs, according to its code: people edit it, so the recorded choices say only what the
 * framework reads for a transport that is still there.
 *
 * @param modules Its Python files, by path.
 */
export function requirementsOf(modules: Modules, config: ScaffoldConfig) {
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
  const required = requiredBy({ ...config, transports });
  const forCalls = required.callsAlone.filter(isOpen);
  // What people added to the variables of each transport. Without `-t`, it is enough if those of one are set.
  const atTransports = read(bot, reads => reads.byTransport).map(([key, names]) =>
    names.filter(name => !requiredBy(config).byTransport.get(key)?.includes(name)),
  );
  const needed = unique([
    ...(atTransports.length === 1 ? atTransports.flat() : []),
    ...read(started, requiredIn),
    ...byServices,
    ...required.transports,
  ]).filter(name => isOpen(name) && !forCalls.includes(name));
  const isNeeded = new Set([...needed, ...forCalls]);
  const others = [...modules].filter(([path]) => !started.has(path));
  const assignedByOthers = new Set(others.flatMap(([, reads]) => [...reads.assigned]));
  const elsewhere = others.flatMap(([path, reads]) =>
    [...reads.required, ...reads.asScript]
      .filter(name => isOpen(name) && !isNeeded.has(name) && !assignedByOthers.has(name) && !reads.hasSources)
      .map(name => [name, path] as const),
  );
  const imported = new Set(read(started, reads => reads.imports));
  const atStart = servicesAtStart(servicesNamed(read(started, reads => reads.names)), imported, config);
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
     * The extras of the framework's package that services need, each with the first one: those chosen that the code
     * still names, and those that it imports.
     */
    extras: new Map(atStart.flatMap(row => extrasOf(row).map(extra => [extra, row] as const)).reverse()),
    /** Whether they import the framework. */
    isFramework: [...imported].some(name => name.split('.')[0] === 'pipecat'),
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
    imported: new Set(read(modules.keys(), (reads, path) => [...reads.imports].flatMap(name => pathsOf(name, path)))),
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

/** The services of which the code names the classes. */
const servicesNamed = (names: readonly string[]): ServiceRow[] =>
  allServices.filter(({ className }) => names.includes(className));

/** The services that code starts. One with OpenAI's items comes with a class of OpenAI's own, and has its package. */
function servicesAtStart(named: readonly ServiceRow[], imported: ReadonlySet<string>, config: ScaffoldConfig) {
  const isChosen = ({ id }: ServiceRow): boolean => Object.values(config).includes(id);
  const hasItems = named.some(row => row.typed === 'item' && isChosen(row));
  return named.filter(row => isChosen(row) || (imported.has(moduleOf(row)) && !(hasItems && row.typed === 'item')));
}

function credentialsOf(rows: readonly ServiceRow[]): Map<MachineCredentials, ServiceRow[]> {
  const kinds = unique(rows.flatMap(({ credentials }) => credentials ?? []));
  return new Map(kinds.map(kind => [kind, rows.filter(({ credentials }) => credentials === kind)]));
}

/**
 * The keys that a secret set needs, according to the code of the project around a directory. None if there is no
 * project, or its deploys use another set.
 */
export function keysOfSet(set: string, directory: string): readonly string[] {
  const root = findProject(directory);
  const deploy = root === undefined ? undefined : parseDeployFile(readText(root, DEPLOY_FILE) ?? '');
  if (root === undefined || deploy?.secretSet !== set) return [];
  const project = readProject(root);
  const config = typeof project === 'string' ? undefined : knownConfigOf(project);
  // What is wrong with the project is nothing that this command can't work without.
  return config ? requirementsOf(readModules(readPythonFiles(root).texts), config).inCloud : [];
}
