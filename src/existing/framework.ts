import compare from 'semver/functions/compare.js';
import gt from 'semver/functions/gt.js';
import { importsOf, isImport, localName } from '../formats/python/imports.ts';
import {
  codeOf,
  type Group,
  type Item,
  indexOf,
  isGroup,
  isName,
  type Module,
  readPython,
  type Statement,
  split,
} from '../formats/python/module.ts';
import type { Scope } from '../formats/python/scope.ts';
import type { Token } from '../formats/python/tokens.ts';
import { remembered, unique } from '../std.ts';

/** What changed in the framework, for one name. */
interface FrameworkChange {
  kind: 'module' | 'name' | 'member' | 'argument' | 'default' | 'note';
  /** Its full name. */
  name: string;
  effect: 'gone' | 'changed' | 'deprecated';
  since: string;
  argument?: string;
  /** Where the argument, or the one of `unless`, can come without its name, counted from 0. */
  position?: number;
  /** An argument with which a note says nothing new. */
  unless?: string;
  /** A regular expression. A note means nothing to files without a match. */
  only?: string;
  /** What to write instead. */
  use?: string;
  /** Whether `use` is the same thing, so that only its name changes. */
  rename?: boolean;
  /** A default, before and after. */
  was?: string | number | boolean;
  is?: string | number | boolean;
  /** A sentence for what the other fields don't say. */
  note?: string;
}

export interface FrameworkTable {
  /** How many changes the framework lists for each release, oldest first. */
  releases: Readonly<Record<string, number>>;
  changes: readonly FrameworkChange[];
}

/** A change that a bot's code meets. */
export interface Touched {
  change: FrameworkChange;
  /** Lines are counted from 1. */
  places: { path: string; line: number }[];
}

/** What to use instead, or the fields of a change that its place in the file doesn't say. */
type Details = string | null | Partial<FrameworkChange>;

/**
 * `catalog/framework-changes.json` by class or module. Each has, by effect and release, such as `gone 1.9.0`, what of
 * it changes, such as `method(argument)`, or nothing for all of it. It has the changes of the classes that it's `like`,
 * too.
 */
type Lines = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Details>>>> & { like: string[] }>>;

/** Loads the table, which is large. */
export const loadFrameworkTable = async (): Promise<FrameworkTable> => {
  const { default: table } = await import('../catalog/framework-changes.json', { with: { type: 'json' } });
  const lines = table.changes as unknown as Lines;
  const changes = Object.keys(lines).flatMap(place => changesAt(place, lines, place));
  return { releases: table.releases, changes: changes.sort(byArgument) };
};

const byArgument = ({ argument: one = '' }: FrameworkChange, { argument: other = '' }: FrameworkChange) =>
  one < other ? -1 : Number(one > other);

/** The changes of a class or module that are in the line of this one. */
function changesAt(place: string, lines: Lines, line: string): FrameworkChange[] {
  const { like = [], ...changes } = lines[line] ?? {};
  const own = Object.entries(changes).flatMap(([when, abouts]) =>
    Object.entries(abouts).map(([about, details]) => {
      const [effect, since = ''] = when.split(' ') as [FrameworkChange['effect'], string];
      const [, part, argument] = /^([^(]*)(?:\((.*)\))?$/.exec(about) ?? [];
      const more = typeof details === 'string' ? { use: details } : (details ?? {});
      const name = part ? `${place}.${part}` : place;
      return {
        kind: kindOf(place, part, { argument, ...more }),
        name,
        effect,
        since,
        ...(argument && { argument }),
        ...more,
      };
    }),
  );
  return [...own, ...like.flatMap(base => changesAt(place, lines, base))];
}

function kindOf(
  place: string,
  part: string | undefined,
  { argument, note, is }: Partial<FrameworkChange>,
): FrameworkChange['kind'] {
  const isOfClass = /\.[A-Z]\w*$/.test(place);
  if (!part && !isOfClass) return 'module';
  if (note !== undefined) return 'note';
  if (is !== undefined) return 'default';
  if (argument !== undefined) return 'argument';
  return isOfClass ? 'member' : 'name';
}

/** Something of the framework's that code names, in full. */
interface Mention {
  name: string;
  line: number;
  isImport: boolean;
  /** How many parts of the name only say what a variable is. */
  known?: number;
  call?: Arguments;
}

/** The arguments of a call. It's open if it may have others, or those in it may. */
interface Arguments {
  names: string[];
  inner: string[];
  /** How many come before the first name. */
  unnamed: number;
  isOpen: boolean;
}

/** A Python file that Python can read. */
interface Code {
  path: string;
  text: string;
  module: Module;
}

/** Also the package that became a part of it. */
const FRAMEWORK = /^pipecat(?:_flows)?(?:\.|$)/;

/** Reads the files that mention the framework. Python would refuse the others of the result. */
export function readCode(texts: ReadonlyMap<string, string>): { code: Code[]; broken: string[] } {
  const read = [...texts].flatMap(([path, text]) =>
    text.includes('pipecat') ? [{ path, text, module: readPython(text) }] : [],
  );
  return {
    code: read.filter(({ module }) => module.problems.length === 0),
    broken: read.filter(({ module }) => module.problems.length > 0).map(({ path }) => path),
  };
}

/**
 * What changed between two releases for what code names: by an import, after the name of a module or a class, or as an
 * argument of a call. What is deprecated counts whenever that began. It claims nothing about what it can't follow.
 */
export function findTouched(code: readonly Code[], { changes }: FrameworkTable, from: string, to: string): Touched[] {
  const rows = changes.filter(({ effect, since }) => !gt(since, to) && (effect === 'deprecated' || gt(since, from)));
  const byName = new Map<string, FrameworkChange[]>();
  for (const row of withoutStops(rows)) byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
  const found = new Map<FrameworkChange, Touched['places']>();
  for (const { path, text, module } of code) {
    for (const mention of mentionsIn(module)) {
      for (const change of changesOf(mention, byName)) {
        if (change.only && !new RegExp(change.only).test(text)) continue;
        const places = found.get(change) ?? [];
        const place = { path, line: mention.line + 1 };
        if (!places.some(one => one.path === path && one.line === place.line)) places.push(place);
        found.set(change, places);
      }
    }
  }
  return withoutCovered([...found].map(([change, places]) => ({ change, places }))).sort(
    (one, other) => ORDER.indexOf(one.change.effect) - ORDER.indexOf(other.change.effect),
  );
}

/** Joins the changes of one default: only what it was first and is last matters. */
function withoutStops(rows: readonly FrameworkChange[]): FrameworkChange[] {
  const defaults = new Map<string, FrameworkChange>();
  const inOrder = rows.toSorted((one, other) => compare(one.since, other.since));
  for (const row of inOrder.filter(({ kind }) => kind === 'default')) {
    const key = `${row.name}(${row.argument})`;
    defaults.set(key, { ...row, was: defaults.get(key)?.was ?? row.was });
  }
  const joined = [...defaults.values()].filter(({ was, is }) => was !== is);
  return [...rows.filter(({ kind }) => kind !== 'default'), ...joined];
}

const ORDER = ['gone', 'changed', 'deprecated'];

/** What is in a module or class that goes needs no line of its own. */
function withoutCovered(touched: readonly Touched[]): Touched[] {
  const whole = new Set(
    touched.flatMap(({ change: { kind, effect, name } }) => (effect === 'gone' && kind !== 'argument' ? [name] : [])),
  );
  return touched.filter(({ change }) => !whole.has(change.name.slice(0, change.name.lastIndexOf('.'))));
}

type Rows = ReadonlyMap<string, readonly FrameworkChange[]>;

/** The rows about a mention, also by the name that its module or class has now. */
function changesOf(mention: Mention, rows: Rows): FrameworkChange[] {
  const { known = 0 } = mention;
  const parts = mention.name.split('.');
  const found: FrameworkChange[] = [];
  for (let count = 1; count <= parts.length; count += 1) {
    const name = parts.slice(0, count).join('.');
    for (const row of rows.get(name) ?? []) {
      if (count > known && isAbout(row, mention, count === parts.length)) found.push(row);
      if (row.use && (row.kind === 'module' ? count < parts.length : row.rename)) {
        const now = row.use.split('.');
        const moved = { name: [...now, ...parts.slice(count)].join('.'), known: known && known - count + now.length };
        found.push(...changesOf({ ...mention, ...moved }, rows));
      }
    }
  }
  return unique(found);
}

function isAbout(change: FrameworkChange, { call, isImport }: Mention, isWhole: boolean): boolean {
  const { kind, argument } = change;
  if (kind === 'module') return isImport || isWhole;
  if (kind === 'name' || kind === 'member') return true;
  if (!isWhole || !call) return false;
  const unless = kind === 'default' ? argument : change.unless;
  const { position = unless === undefined ? call.unnamed : 0 } = change;
  if (unless !== undefined) return !call.isOpen && call.unnamed <= position && !call.inner.includes(unless);
  return argument === undefined || call.names.includes(argument) || position < call.unnamed;
}

/** What code names of the framework. */
function mentionsIn(module: Module): Mention[] {
  const origins = originsIn(module);
  const variables = variablesIn(module, origins);
  const imported = module.statements.flatMap(({ tokens }) =>
    importsOf(tokens).flatMap(({ module: source, name, line }) =>
      FRAMEWORK.test(source) ? [{ name: name ? `${source}.${name}` : source, line, isImport: true }] : [],
    ),
  );
  const used = module.statements.flatMap(({ tokens, items }) =>
    isImport(tokens) ? [] : usesIn(items, finderIn(module, origins, variables)),
  );
  return [...imported, ...used];
}

/** What each name of a scope is: imported, or the object that a class makes. */
interface Origin {
  name: string;
  isObject?: boolean;
}

/** A name that means something else too has none. */
type Origins = ReadonlyMap<Scope, ReadonlyMap<string, Origin | undefined>>;

function originsIn({ statements, scopes }: Module): Origins {
  const all = new Map(scopes.map(scope => [scope, new Map<string, Origin | undefined>()]));
  for (const { tokens, scope } of statements) {
    for (const one of importsOf(tokens)) {
      const { module, name, alias } = one;
      const full = name ? `${module}.${name}` : alias ? module : localName(one);
      const [local, known] = [localName(one), all.get(scope)];
      const isOnly = scope.defines.get(local)?.every(({ by }) => by === 'import') && FRAMEWORK.test(full);
      const isSame = !known?.has(local) || known.get(local)?.name === full;
      known?.set(local, isOnly && isSame ? { name: full } : undefined);
    }
  }
  return all;
}

/** Variables that only ever get an object of one class: `runner = PipelineRunner(…)`. */
function variablesIn(module: Module, origins: Origins): Origins {
  const found = new Map<Scope, Map<string, Origin>>();
  for (const { items, scope: inner } of module.statements) {
    const [variable, sign] = items;
    if (!isName(variable) || !['=', ':'].includes(codeOf(sign) ?? '')) continue;
    const scope = inner.resolve(variable.code);
    const [binding, ...others] = scope?.defines.get(variable.code) ?? [];
    if (!scope || binding?.by !== 'assignment' || others.length > 0) continue;
    if (binding.line !== variable.line || binding.column !== variable.column) continue;
    const value = items.slice(indexOf(items, '=') + 1);
    const { name = '', end } = chainAt(value, 0, finderIn(module, origins));
    const isObject = /\.[A-Z]\w*$/.test(name) && isCall(value[end]) && end === value.length - 1;
    if (isObject) found.set(scope, (found.get(scope) ?? new Map()).set(variable.code, { name, isObject }));
  }
  return found;
}

/** The scope of each name that code uses, by its place. */
const scopesOfNames = remembered(({ scopes }: Module): ReadonlyMap<string, Scope> => {
  const all = scopes.flatMap(scope => [...scope.uses.values()].flat().map(use => ({ ...use, scope })));
  return new Map(all.map(({ name, line, column, scope }) => [`${line}:${column} ${name}`, scope]));
});

/** Finds what a name means where it is. */
const finderIn =
  (module: Module, ...known: Origins[]) =>
  ({ code, line, column }: Token): Origin | undefined => {
    const owner = scopesOfNames(module).get(`${line}:${column} ${code}`)?.resolve(code);
    return owner && known.map(origins => origins.get(owner)?.get(code)).find(Boolean);
  };

const isCall = (item: Item | undefined): item is Group => isGroup(item) && item.open.code === '(';

/** What a name, and those after its dots, mean in full; and the item after them. */
function chainAt(items: readonly Item[], at: number, originOf: (token: Token) => Origin | undefined) {
  const first = items[at];
  const origin = isName(first) && codeOf(items[at - 1]) !== '.' ? originOf(first) : undefined;
  let [name, end] = [origin?.name, at + 1];
  for (; name && codeOf(items[end]) === '.' && codeOf(items[end + 1]); end += 2) name += `.${codeOf(items[end + 1])}`;
  return { name, end, known: origin?.isObject ? origin.name.split('.').length : 0 };
}

function usesIn(items: readonly Item[], originOf: (token: Token) => Origin | undefined): Mention[] {
  const found: Mention[] = [];
  for (const [at, item] of items.entries()) {
    if (isGroup(item)) found.push(...usesIn(item.items, originOf));
    else {
      const { name, end, known } = chainAt(items, at, originOf);
      const group = items[end];
      const call = isCall(group) && { call: argumentsOf(group.items) };
      if (name) found.push({ name, line: item.line, isImport: false, known, ...call });
    }
  }
  return found;
}

const isStar = (item: Item | undefined): boolean => /^\*/.test(codeOf(item) ?? '');

/** Arguments whose value may set others. */
const HOLDERS = ['settings', 'params', 'live_options'];

function argumentsOf(items: readonly Item[]): Arguments {
  const parts = split(items, ',').filter(({ length }) => length > 0);
  const named = parts.map(([name, sign, ...value]) =>
    codeOf(sign) === '=' ? { name: codeOf(name) ?? '', value } : undefined,
  );
  const names = named.flatMap(one => one?.name ?? []);
  const inner = [...names, ...items.flatMap(item => (isGroup(item) ? argumentsOf(item.items).inner : []))];
  const isOpen = named.some((one, at) => {
    if (!one || !HOLDERS.includes(one.name)) return !one && isStar(parts[at]?.[0]);
    const [maker, last] = one.value.slice(-2);
    const set = /^[A-Z]/.test(codeOf(maker) ?? '') && isCall(last) ? argumentsOf(last.items) : undefined;
    return !set || set.isOpen || set.unnamed > 0;
  });
  const unnamed = parts.findIndex(([first], at) => named[at] !== undefined || isStar(first));
  return { names, inner, unnamed: unnamed === -1 ? parts.length : unnamed, isOpen };
}

/** A change as a sentence. */
export function sentenceOf({ kind, name, argument = '', effect, since, use, was, is, note }: FrameworkChange): string {
  const parts = name.split('.');
  const isInClass = /^[A-Z]/.test(parts.at(-2) ?? '');
  const label = kind === 'module' ? name : parts.slice(isInClass ? -2 : -1).join('.');
  const subject = argument && kind !== 'default' ? `${label}(${argument}=…)` : label;
  if (note !== undefined) return `${label} since ${since}: ${note}`;
  if (kind === 'default') {
    return `${label} has ${argument} ${JSON.stringify(is)} since ${since}, and had ${JSON.stringify(was)}. You don't set it`;
  }
  const instead = use ? `: use ${use}` : '';
  return effect === 'gone'
    ? `${subject} is gone since ${since}${instead}`
    : `${subject}${instead || ': nothing takes its place one for one'}`;
}

/** A name that a file writes in another way now. */
interface Renamed {
  path: string;
  from: string;
  to: string;
  since: string;
}

/**
 * Gives what has only another name now that name, in imports and where code uses it. Comments and texts stay. A name
 * that something else in the project depends on stays, too, and so does an import in a `try`, which is for several
 * releases.
 *
 * @param others The project's other Python files.
 */
export function renameIn(
  code: readonly Code[],
  { changes }: FrameworkTable,
  to: string,
  others: ReadonlyMap<string, string> = new Map(),
): { texts: Map<string, string>; renamed: Renamed[] } {
  const rows = new Map(
    changes.flatMap(row =>
      row.rename && row.use && !gt(row.since, to) ? [[row.name, { use: row.use, since: row.since }] as const] : [],
    ),
  );
  const fixed = namesOfOthers(code, others);
  const texts = new Map<string, string>();
  const renamed: Renamed[] = [];
  for (const one of code) {
    const found = renameOne(one, rows, fixed);
    if (found.edits.length > 0) texts.set(one.path, applyEdits(one.text, found.edits));
    renamed.push(...found.renamed.map(row => ({ path: one.path, ...row })));
  }
  return { texts, renamed };
}

/**
 * Names that a file has from elsewhere than the framework, such as `bot.PipelineTask`, and those in texts that lead to
 * a name or are a type. In a file that Python refuses, any name may be one.
 */
function namesOfOthers(code: readonly Code[], others: ReadonlyMap<string, string>): Set<string> {
  const unread = [...others].filter(([path]) => !code.some(one => one.path === path));
  const files = [...code, ...unread.map(([path, text]) => ({ path, text, module: readPython(text) }))];
  return new Set(
    files.flatMap(({ text, module: { statements, problems } }) => {
      if (problems.length > 0) return text.match(WORD) ?? [];
      const imported = statements.flatMap(({ tokens }) => importsOf(tokens));
      const own = new Set(
        imported.filter(one => FRAMEWORK.test(one.module)).flatMap(one => [one.name, localName(one)]),
      );
      return statements.flatMap(({ tokens }) =>
        tokens.flatMap(({ kind, code }) => {
          if (kind === 'text') return namesInText(code);
          return kind === 'name' && !own.has(code) ? code : [];
        }),
      );
    }),
  );
}

const WORD = /\w+/g;

function namesInText(text: string): string[] {
  const isType = /^[\w.\s[\],|]+$/.test(text) && !/\w\s+\w/.test(text);
  return (isType ? text.match(WORD) : /\.(\w+)$/.exec(text)?.slice(1)) ?? [];
}

/** Text to put in place of some on a line. Lines and columns are counted from 0. */
interface Edit {
  line: number;
  column: number;
  length: number;
  text: string;
}

/** The new names, by the old ones in full. */
type NewNames = ReadonlyMap<string, { use: string; since: string }>;

function renameOne({ module }: Code, rows: NewNames, fixed: ReadonlySet<string>) {
  const edits: Edit[] = [];
  const renamed: Omit<Renamed, 'path'>[] = [];
  const imported = importedIn(module, rows);
  for (const statement of module.statements) {
    const { tokens, scope, header } = statement;
    if (['try', 'except'].includes(header?.tokens[0]?.code ?? '')) continue;
    const imports = importsOf(tokens).map(one => ({ ...one, ...targetOf(one, rows) }));
    const isStaying = imports.some(one => {
      const { name = '', newModule, newName = '', alias } = one;
      const isTaken = [...(imported.get(newName) ?? [])].some(full => full !== `${newModule}.${newName}`);
      return name !== newName && !alias && (isTaken || !canRename(name, newName, module, scope, fixed));
    });
    if (isStaying || !imports.some(one => one.newModule !== one.module || one.newName !== one.name)) continue;
    const written = rewriteImport(statement, imports);
    if (!written) continue;
    edits.push(...written);
    for (const { module: source, name, newModule, newName, alias, since } of imports) {
      if (name === newName && newModule !== source) renamed.push({ from: source, to: newModule, since });
      if (name === undefined || newName === undefined || newName === name) continue;
      // A module's own name says little without the package.
      const isModule = /^[a-z]/.test(name);
      renamed.push({
        from: isModule ? `${source}.${name}` : name,
        to: isModule ? `${newModule}.${newName}` : newName,
        since,
      });
      for (const { line, column = 0 } of alias ? [] : usesOf(name, scope, module)) {
        edits.push({ line, column, length: name.length, text: newName });
      }
    }
  }
  return { edits, renamed };
}

function targetOf({ module, name }: ReturnType<typeof importsOf>[number], rows: NewNames) {
  const moved = rows.get(module) ?? { use: module, since: '' };
  const target = name && (rows.get(`${module}.${name}`) ?? rows.get(`${moved.use}.${name}`));
  if (!target) return { newModule: moved.use, newName: name, since: moved.since };
  const dot = target.use.lastIndexOf('.');
  return { newModule: target.use.slice(0, dot), newName: target.use.slice(dot + 1), since: target.since };
}

/** What imports give each name to, in full and as it's called now. */
function importedIn({ statements }: Module, rows: NewNames): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const one of statements.flatMap(({ tokens }) => importsOf(tokens))) {
    const { newModule, newName } = targetOf(one, rows);
    const full = newName ? `${newModule}.${newName}` : newModule;
    found.set(localName(one), (found.get(localName(one)) ?? new Set()).add(full));
  }
  return found;
}

/** Whether nothing else has the new name, and all uses of the old one can be found. */
function canRename(name: string, next: string, module: Module, scope: Scope, fixed: ReadonlySet<string>): boolean {
  const isOnly = scope.defines.get(name)?.every(({ by }) => by === 'import') === true;
  const isTaken = module.scopes.some(one => one.defines.get(next)?.some(({ by }) => by !== 'import'));
  const uses = usesOf(name, scope, module);
  return isOnly && !isTaken && !fixed.has(name) && uses.every(({ column }) => column !== undefined);
}

const usesOf = (name: string, scope: Scope, { scopes }: Module) =>
  scopes.flatMap(one => (one.resolve(name) === scope ? (one.uses.get(name) ?? []) : []));

/** The edits of an import; nothing if it would have to be several, or is `import a.b`, as code names it, too. */
function rewriteImport(
  { tokens }: Statement,
  imports: readonly (ReturnType<typeof importsOf>[number] & ReturnType<typeof targetOf>)[],
): Edit[] | undefined {
  const at = tokens.findIndex(({ kind, code }) => kind === 'name' && code === 'import');
  const [start, end] = [tokens[1], tokens[at - 1]];
  const [module = '', ...others] = unique(imports.map(({ newModule }) => newModule));
  if (at < 2 || start?.line !== end?.line || !start || !end || others.length > 0) return undefined;
  const names = imports.flatMap(({ name, newName, line }) => {
    const token = tokens.find((one, index) => index > at && one.line === line && one.code === name);
    return token && newName && newName !== name
      ? [{ line, column: token.column, length: token.code.length, text: newName }]
      : [];
  });
  return [
    { line: start.line, column: start.column, length: end.column + end.code.length - start.column, text: module },
    ...names,
  ];
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  // A byte order mark isn't part of its line.
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  const sorted = edits.toSorted((one, other) => other.line - one.line || other.column - one.column);
  return sorted.reduce((result, { line, column, length, text: own }) => {
    const at = (starts[line] ?? text.length) + column;
    return result.slice(0, at) + own + result.slice(at + length);
  }, text);
}
