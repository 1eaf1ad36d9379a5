import { isSecret } from '../../catalog/index.ts';
import { codeOf, type Group, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import { importsOf, isImport, localName } from '../../formats/python/imports.ts';
import { readPython, type Statement } from '../../formats/python/module.ts';
import type { Scope } from '../../formats/python/scope.ts';
import type { Token } from '../../formats/python/tokens.ts';
import {
  argumentsOf,
  Blocks,
  hasDefault,
  hasHole,
  mentionedIn,
  namedIn,
  STOPS,
  textOf,
  textsIn,
  wordOf,
} from './blocks.ts';
import { readClass, type SettingsClass } from './settings.ts';

/** What the code of a Python module reads from the environment, and imports. */
export type PythonReads = ReturnType<EnvironmentReader['read']>;

/**
 * Finds what a module reads from the environment, and imports. It follows imports and the constants of the file, and
 * nothing else: what names a variable in another way may be needed.
 */
export const readsOf = (source: string): PythonReads => new EnvironmentReader(source).read();

/** A name that a shell or an env file can set. */
export const VARIABLE = /^[A-Za-z_]\w*$/;
/** How people write such a name in a list. */
const IN_CAPITALS = /^[A-Z][A-Z0-9_]*$/;

const REQUIRED = 'REQUIRED_ENV';
const TRANSPORT = 'TRANSPORT_ENV';
/** What Python raises if there is no such module. A bare `except` names none. */
const NO_MODULE = /^$|\b(?:ImportError|ModuleNotFoundError|(?:Base)?Exception)\b/;
/** What gives names a meaning without naming them. */
const HIDDEN = /^(?:globals|vars|exec|setattr)$/;
/** Libraries with readers such as `config("X")` or `env.str("X")`. */
const READERS = /^(?:decouple|environs|environ|starlette\.config)\./;
/** What reads an env file. */
const LOADERS = /^(?:load_dotenv|dotenv_values|read_env|RepositoryEnv)$/;
/** A list of variables has fewer. */
const MOST_TEXTS = 200;

/** Where an expression is. */
interface Place {
  line: Statement;
  runs: 'always' | 'sometimes' | 'never';
  isScript: boolean;
  /** The variables that the condition around it asks for. */
  switches: readonly string[];
}

class EnvironmentReader {
  /** Variables that it can't work without, such as `os.environ["X"]` and the texts of `REQUIRED_ENV`. */
  private readonly required = new Set<string>();
  /** Those that it needs only if it is the file that Python starts. */
  private readonly asScript = new Set<string>();
  /**
   * Variables that it may need: under some condition, in a way that isn't followed, or as a key that may be absent. If it
   * does so only if one of other variables is set, each has these.
   */
  private readonly conditional = new Map<string, readonly string[]>();
  private readonly assigned = new Set<string>();
  /** The paths of env files that it reads, as it has them. */
  private readonly envFiles = new Set<string>();
  /** Functions that need the variable which their caller names. */
  private readonly helpers = new Set<string>();
  /** The calls of functions with only a name. */
  private readonly calls: { callee: string; name: string; runs: Place['runs'] }[] = [];
  private readonly classes: SettingsClass[] = [];
  /** The objects of classes that it makes, and the fields that they get; undefined if that can't be followed. */
  private readonly made: { callee: string; given: readonly string[] | undefined; runs: Place['runs'] }[] = [];
  /** Whether it requires variables that can't be named. */
  private isUntraced = false;
  /** Whether it sets variables that can't be named. */
  private hasSources = false;

  private readonly imports = new Map<string, string>();
  /** What the assignments give names, and the loops. */
  private readonly values = new Map<string, readonly Item[]>();
  /** Whether a name has a mapping with all variables. */
  private readonly copies = new Map<string, boolean>();
  /** The variables whose values names have, which are empty if they aren't set. */
  private readonly gets = new Map<string, readonly string[]>();
  /** The names that have what is missing. */
  private readonly missing = new Set<string>();
  /** The functions that look up the variable which a parameter names. */
  private readonly lookUps = new Set<Scope>();
  /** The texts and names that conditions ask about. */
  private readonly asked = new Set<string>();
  /** Variables that it reads under some condition. */
  private readonly sometimes: [name: string, switches: readonly string[]][] = [];
  private readonly switches = new Map<Statement, readonly string[]>();
  /** The texts of the lists that a statement names. */
  private readonly lists = new Map<Statement, readonly string[]>();
  private readonly module;
  private readonly blocks: Blocks;
  /** Whether the names that readers get lack their beginning. */
  private readonly hasPrefix: boolean;

  constructor(source: string) {
    this.module = readPython(source);
    this.blocks = new Blocks(this.module.statements);
    const isPrefix = ({ code }: Token) => /^(?:env_)?prefix(?:ed)?$/.test(code);
    this.hasPrefix = this.module.statements.some(({ tokens }) => tokens.some(isPrefix));
  }

  read() {
    const { statements: lines, problems } = this.module;
    for (const line of lines) this.define(line);
    for (const line of lines) this.readLine(line);
    for (const [name, switches] of this.sometimes) if (!this.asked.has(name)) this.want([name], switches);
    const tokens = lines.flatMap(line => line.tokens);
    const imports = lines.filter(line => isImport(line.tokens));
    const codesOf = (kind: Token['kind']) => tokens.filter(token => token.kind === kind).map(({ code }) => code);
    const { required, asScript, conditional, assigned, envFiles, helpers, calls, classes, made } = this;
    const defined = this.module.scopes[0]?.defines;
    return {
      required,
      asScript,
      conditional,
      assigned,
      envFiles,
      helpers,
      calls,
      classes,
      made,
      isUntraced: this.isUntraced,
      hasSources: this.hasSources,
      /** Those of `conditional` whose case doesn't count. */
      anyCase: new Set<string>(),
      /** Texts that may name a variable, or begin its name. */
      mentioned: new Set(codesOf('text').filter(text => VARIABLE.test(text))),
      /** The texts of `TRANSPORT_ENV`, which the cloud may provide in its own way. */
      transport: new Set(isTable(this.values.get(TRANSPORT)) ? [] : this.listAt(this.values.get(TRANSPORT) ?? [])),
      /** The same in newer projects: a dictionary, by the transport's name. */
      byTransport: this.tableNamed(TRANSPORT),
      /** Every identifier. */
      names: new Set(codesOf('name')),
      /**
       * The modules that it imports, such as `.call` or `evals.judge`. In `from a import b`, `a.b` may be a module or a
       * name, so both `a` and `a.b` are in the list.
       */
      imports: new Set(imports.filter(line => this.blocks.whenOf(line).runs !== 'never').flatMap(modulesIn)),
      /** Those that it doesn't work without when another module imports it: whether that is certain. */
      needs: this.needed(imports),
      /** The modules that it can't do without, as it has them: it imports them outside of all blocks. */
      modules: new Set(
        imports.filter(({ depth }) => depth === 0).flatMap(line => importsOf(line.tokens).map(({ module }) => module)),
      ),
      /** Whether it changes where Python looks for modules. */
      changesPath: tokens.some(({ code }, at) => code === 'sys' && tokens[at + 2]?.code === 'path'),
      /** Whether there is nothing in it but comments and texts. */
      doesNothing: tokens.every(({ kind }) => kind === 'text'),
      hasProblems: problems.length > 0,
      /** Whether it may give `bot` a meaning, which is what the framework starts. */
      mayDefineBot: ['bot', '*'].some(name => defined?.has(name)) || codesOf('name').some(name => HIDDEN.test(name)),
    };
  }

  private needed(imports: readonly Statement[]): Map<string, boolean> {
    const blocks = new Blocks(this.module.statements, NO_MODULE);
    const found = new Map<string, boolean>();
    for (const line of imports) {
      const { runs, isScript } = blocks.whenOf(line);
      if (runs === 'never' || isScript) continue;
      for (const name of modulesIn(line)) found.set(name, runs === 'always' || found.get(name) === true);
    }
    return found;
  }

  /** Takes what an import, an assignment or a loop gives a name. */
  private define(line: Statement): void {
    const { items, tokens } = line;
    for (const one of importsOf(tokens)) {
      const full = one.name === undefined ? one.module : inside(one.module, one.name);
      // `import a.b` gives a meaning to `a`.
      this.imports.set(localName(one), one.name === undefined && one.alias === undefined ? localName(one) : full);
    }
    const [first, sign] = items;
    if (codeOf(first) === 'for' && isName(sign)) this.values.set(sign.code, items.slice(indexOf(items, 'in') + 1));
    const equals = indexOf(items, '=');
    if (!isName(first) || equals === items.length || !(equals === 1 || codeOf(sign) === ':')) return;
    const value = items.slice(equals + 1);
    this.values.set(first.code, value);
    const keys = this.valuesIn(value, line);
    if (value.some(item => /^(?:or|and|if)$/.test(codeOf(item) ?? ''))) return;
    if (keys.length > 0) this.gets.set(first.code, keys);
    if (keys.length > 0 && mentions(value, 'not')) this.missing.add(first.code);
  }

  private readLine(line: Statement): void {
    const { items } = line;
    const { runs, isScript } = this.blocks.whenOf(line);
    const place = { line, runs, isScript, switches: this.switchesAround(line) };
    const word = wordOf(line);
    const rest = items.slice(1);
    if (/^(?:if|elif|while)$/.test(word)) this.ask(rest);
    if (word === 'if') {
      const values = this.valuesIn(rest, line);
      if (!rest.some(item => /^(?:not|or|!=|else)$/.test(codeOf(item) ?? ''))) this.switches.set(line, values);
      if (this.blocks.endingOf(line) === 'stops') this.refuse(rest, place);
    } else if (word === 'assert') this.refuse(split(rest, ',')[0] ?? [], place, true);
    else if (word === 'class' && runs !== 'never') this.readClass(line, runs);
    else if (word === REQUIRED) this.readRequired(line, place);
    const from = /^(?:def|class)$/.test(word)
      ? indexOf(items, word) + 2
      : /^(?:if|elif|while|return|assert)$/.test(word)
        ? 1
        : 0;
    this.visit(items.slice(from), place);
  }

  /** Takes the variables that the code refuses to miss. */
  private refuse(items: readonly Item[], { line, runs, switches }: Place, isForAbsence = false): void {
    if (runs === 'never' || indexOf(items, 'and') < items.length) return;
    const isMissing = mentionedIn(items).some(name => this.missing.has(name));
    if (!isForAbsence && !isMissing && !mentions(items, 'not') && !mentions(items, 'None') && !mentions(items, ''))
      return;
    this.want(this.valuesIn(items, line), switches);
    if (this.lookUps.has(line.scope)) this.helpers.add(line.scope.name);
  }

  private readRequired(line: Statement, place: Place): void {
    const { items } = line;
    const equals = indexOf(items, '=');
    const value = equals < items.length ? items.slice(equals + 1) : items.slice(1);
    const texts = this.listAt(value);
    const [first, next] = value;
    this.isUntraced ||= equals < items.length && isName(first) && isGroup(next);
    if (place.runs === 'sometimes') this.want(texts, place.switches);
    else for (const text of texts) this.required.add(text);
  }

  /** Reads expressions that commas separate. */
  private visit(items: readonly Item[], place: Place): void {
    for (const part of split(items, ',')) this.visitChoice(part, place);
  }

  /** Reads an expression whose parts may depend on each other: `a if b else c`, `a and b`. */
  private visitChoice(items: readonly Item[], place: Place): void {
    const starts = items.flatMap((item, at) => (at > 0 && /^(?:if|else|and|or)$/.test(codeOf(item) ?? '') ? at : []));
    const signs = starts.map(at => codeOf(items[at]));
    const parts = [0, ...starts].map((start, at) => items.slice(at === 0 ? 0 : start + 1, starts[at]));
    if (signs.join() === 'or' && isRefusal(parts[1] ?? [])) this.refuse(parts[0] ?? [], place, true);
    for (const [at, part] of parts.entries()) {
      const isCondition = signs[at - 1] === 'if';
      if (isCondition || /^(?:and|or)$/.test(signs[at] ?? '')) this.ask(part);
      const isSure = isCondition || (at === 0 && signs[0] !== 'if');
      this.visitRun(part, isSure && !part.some(item => codeOf(item) === 'lambda') ? place : sometimes(place));
    }
  }

  private ask(items: readonly Item[]): void {
    for (const one of mentionedIn(items)) this.asked.add(one);
  }

  private visitRun(items: readonly Item[], place: Place): void {
    for (let at = 0; at < items.length; ) {
      const item = items[at];
      const before = items[at - 1];
      if (isGroup(item)) this.visitGroup(item, place, isName(before) ? before.code : undefined, items[at - 3]);
      const isStart = isName(item) && codeOf(before) !== '.';
      const { path, end } = isStart ? this.pathAt(items, at, place.line.scope) : { path: undefined, end: at + 1 };
      if (isStart) this.readName(items, { at, path, end }, place);
      at = end;
    }
  }

  private visitGroup(group: Group, place: Place, callee: string | undefined, owner: Item | undefined): void {
    if (callee !== undefined && group.open.code === '(' && place.runs !== 'never') this.readCall(callee, group, place);
    // Services have classes of settings in them, such as `DeepgramSTTService.Settings`.
    if (callee !== undefined && !/^[A-Z]/.test(codeOf(owner) ?? '')) this.makeObject(callee, argumentsOf(group), place);
    const [element = [], ...loops] = split(group.items, 'for');
    const isChosen = loops.some(loop => indexOf(loop, 'if') < loop.length);
    for (const loop of loops) this.visit(loop, place);
    this.visit(element, isChosen ? sometimes(place) : place);
  }

  /** The full name of what is imported at a place, such as `os.environ`, and where it ends. */
  private pathAt(items: readonly Item[], at: number, scope: Scope): { path: string | undefined; end: number } {
    const { code: name = '' } = items[at] as Token;
    const owner = scope.resolve(name);
    const isImported = owner === undefined || owner.defines.get(name)?.[0]?.by === 'import';
    let path = isImported ? (this.imports.get(name) ?? name) : undefined;
    let end = at + 1;
    while (path === 'os' || READERS.test(`${path}.`)) {
      const next = items[end + 1];
      if (codeOf(items[end]) !== '.' || !isName(next)) break;
      path = `${path}.${next.code}`;
      end += 2;
    }
    return { path, end };
  }

  private readName(
    items: readonly Item[],
    { at, path, end }: { at: number; path: string | undefined; end: number },
    place: Place,
  ): void {
    const name = codeOf(items[at]) ?? '';
    const value = path === undefined ? this.values.get(name) : undefined;
    if (path === 'os.environ') this.readEnvironment(items, { at, end }, place);
    else if (value && this.hasCopy(name, place.line)) this.readCopy(items[end], value, place);
    else if (path === undefined ? this.isReader(value, place.line) : isReading(path)) {
      const isMethod = path === undefined && codeOf(items[end]) === '.';
      this.readWithReader(items[isMethod ? end + 2 : end], value, place);
    }
  }

  /** Whether a value is an object of a reader's class, such as `Env()`. */
  private isReader(value: readonly Item[] | undefined, { scope }: Statement): boolean {
    if (!value || !isName(value[0])) return false;
    const { path = '', end } = this.pathAt(value, 0, scope);
    return isGroup(value[end]) && READERS.test(path) && !isReading(path);
  }

  /** Reads `os.environ` with what is done to it. */
  private readEnvironment(items: readonly Item[], { at, end }: { at: number; end: number }, place: Place): void {
    const [next, method, call] = items.slice(end, end + 3);
    if (isGroup(next) && next.open.code === '[') {
      if (codeOf(items[at - 1]) === 'del') return;
      if (codeOf(method) === '=') this.assign(this.keysOf(next.items, place.line), items.slice(end + 2));
      else this.readKey(next.items, place);
    } else if (codeOf(next) === '.' && isGroup(call)) {
      const args = argumentsOf(call);
      const [key = []] = args;
      if (codeOf(method) === 'pop' && args.length === 1) this.readKey(key, place);
      else if (codeOf(method) === 'setdefault') this.assign(this.keysOf(key, place.line), []);
      else if (codeOf(method) === 'update') this.update(args, place.line);
    } else if (codeOf(next) === '|=' || (codeOf(next) === '=' && at === 0)) this.hasSources = true;
  }

  /** Takes a variable that the code can't miss where it reads it. */
  private readKey(key: readonly Item[], place: Place): void {
    const { line, runs, isScript, switches } = place;
    const texts = this.constantOf(key);
    if (runs === 'never') return;
    if (texts !== undefined && runs === 'always') (isScript ? this.asScript : this.required).add(texts);
    else if (texts !== undefined) this.sometimes.push([texts, switches]);
    else if (isParameter(key, line.scope)) this.helpers.add(line.scope.name);
    else {
      const names = this.asked.has(codeOf(key[0]) ?? '') ? [] : this.keysOf(key, line);
      this.isUntraced ||= names.length === 0 && runs === 'always';
      for (const name of names) this.sometimes.push([name, switches]);
    }
  }

  /** Reads from a mapping with all variables, and others that it may name. */
  private readCopy(next: Item | undefined, value: readonly Item[], { line, runs, switches }: Place): void {
    if (!isGroup(next) || next.open.code !== '[' || runs === 'never') return;
    const own = textsIn(value);
    for (const name of this.keysOf(next.items, line)) if (!own.includes(name)) this.sometimes.push([name, switches]);
  }

  /** Reads `env("X")`, `env.str("X")` and the like; not if the names of its variables begin with something. */
  private readWithReader(call: Item | undefined, value: readonly Item[] | undefined, { runs, switches }: Place): void {
    if (!isGroup(call) || call.open.code !== '(' || runs === 'never' || this.hasPrefix) return;
    const [key = [], ...more] = argumentsOf(call);
    const name = this.constantOf(key);
    if (name === undefined || hasDefault(more) || mentionedIn(value ?? []).includes(name)) return;
    this.sometimes.push([name, switches]);
  }

  /** Reads a call, whatever it calls: some pass variables on, and tests set them. */
  private readCall(callee: string, group: Group, place: Place): void {
    const { line, runs, switches } = place;
    const args = argumentsOf(group);
    const [first = []] = args;
    if (callee === 'setenv') for (const name of this.keysOf(first, line)) this.assigned.add(name);
    const isMock = callee === 'dict' && (mentions(first, 'environ') || textOf(first) === 'os.environ');
    if (isMock && args.length > 1) this.update(args.slice(1), line);
    const isConfig = /^(?:Auto)?Config$/.test(callee) && READERS.test(this.imports.get(callee) ?? '');
    if (LOADERS.test(callee) || (isConfig && this.constantOf(first) !== undefined)) this.readEnvFile(args);
    if (/^Repository(?:Ini|Secret)$/.test(callee)) this.hasSources = true;
    const name = textOf(first);
    if (name !== undefined && IN_CAPITALS.test(name) && !hasDefault(args.slice(1)))
      this.calls.push({ callee, name, runs });
    const file = args.find(arg => namedIn(arg).name === '_env_file');
    for (const path of file ? textsIn(file) : []) this.envFiles.add(path);
    for (const arg of args) {
      const passed = namedIn(arg);
      const keys = this.passedIn(passed.value, line);
      const isAlone = args.length === 1 && /^[A-Z]/.test(callee);
      const isKey = (one: string) =>
        passed.name === undefined ? isAlone && isSecret(one) : isSecret(passed.name) || isSecret(one);
      const [only] = passed.value;
      if (!(isName(only) && this.asked.has(only.code)))
        for (const one of keys.filter(isKey)) this.sometimes.push([one, switches]);
    }
  }

  /** Takes what may be an object of settings. */
  private makeObject(callee: string, args: readonly Item[][], { runs }: Place): void {
    const isOpen = args.some(arg => codeOf(arg[0]) === '**');
    this.made.push({ callee, given: isOpen ? undefined : args.map(arg => namedIn(arg).name ?? ''), runs });
  }

  /** The variables whose values are passed on although they may be absent. */
  private passedIn(value: readonly Item[], line: Statement): readonly string[] {
    const [only, ...more] = value;
    if (isName(only) && more.length === 0) return this.gets.get(only.code) ?? [];
    const get = this.getAt(value, 0, line.scope);
    return get?.isEmpty && get.end === value.length ? this.keysOf(get.key, line) : [];
  }

  private readEnvFile(args: readonly Item[][]): void {
    for (const arg of args) {
      const { name, value } = namedIn(arg);
      if (name === 'stream') this.hasSources = true;
      if (name !== undefined && !/^(?:(?:dotenv_)?path|env_file|source)$/.test(name)) continue;
      const [only] = value;
      const expression = (value.length === 1 && isName(only) && this.values.get(only.code)) || value;
      const texts = textsIn(expression);
      if (texts.length > 0 && !hasHole(expression)) this.envFiles.add(texts.join('/'));
      else if (!mentionedIn(expression).includes('find_dotenv')) this.hasSources = true;
    }
  }

  /** Reads `os.environ.update(…)`. What is from the environment itself changes nothing. */
  private update(args: readonly Item[][], line: Statement): void {
    const isOwn = (name: string) => name === 'environ' || this.hasCopy(name, line);
    if (args.flatMap(mentionedIn).some(isOwn)) return;
    for (const arg of args) {
      const { name, value } = namedIn(arg);
      const [only] = value;
      const entries = isGroup(only) && only.open.code === '{' ? argumentsOf(only) : [];
      const keys = entries.map(entry => (codeOf(entry[1]) === ':' ? this.constantOf(entry.slice(0, 1)) : undefined));
      if (name === undefined && (keys.length === 0 || keys.includes(undefined))) this.hasSources = true;
      for (const key of name === undefined ? keys : [name]) if (key !== undefined) this.assigned.add(key);
    }
  }

  /** Takes what it sets. A value that has the variable itself doesn't. */
  private assign(keys: readonly string[], value: readonly Item[]): void {
    const read = mentionedIn(value);
    if (keys.length === 0) this.hasSources = true;
    for (const key of keys) if (!read.includes(key)) this.assigned.add(key);
  }

  private want(names: readonly string[], switches: readonly string[]): void {
    for (const name of names) {
      if (VARIABLE.test(name)) this.conditional.set(name, this.conditional.get(name)?.length === 0 ? [] : switches);
    }
  }

  /** `os.getenv(X)` or `environ.get(X)` at a place, and whether it gives nothing if X isn't set. */
  private getAt(items: readonly Item[], at: number, scope: Scope) {
    if (!isName(items[at]) || codeOf(items[at - 1]) === '.') return undefined;
    const { path, end } = this.pathAt(items, at, scope);
    const isGet = path === 'os.environ' && codeOf(items[end]) === '.' && codeOf(items[end + 1]) === 'get';
    const call = items[isGet ? end + 2 : end];
    if (!(isGet || path === 'os.getenv') || !isGroup(call)) return undefined;
    const [key = [], preset = []] = argumentsOf(call);
    if (isParameter(key, scope)) this.lookUps.add(scope);
    const isEmpty = preset.length === 0 || isParameter(preset, scope) || isNothing(preset);
    return { key, isEmpty, end: isGet ? end + 3 : end + 1 };
  }

  /** The variables whose values an expression has, which are empty if they aren't set. */
  private valuesIn(items: readonly Item[], line: Statement): string[] {
    return items.flatMap((item, at) => {
      if (isGroup(item)) return this.valuesIn(item.items, line);
      if (codeOf(item) === 'in' && isName(items[at + 1])) {
        const isEnvironment = this.pathAt(items, at + 1, line.scope).path === 'os.environ';
        const key = items.slice(0, codeOf(items[at - 1]) === 'not' ? at - 1 : at).slice(-1);
        return isEnvironment ? this.keysOf(key, line) : [];
      }
      const get = this.getAt(items, at, line.scope);
      if (get) return get.isEmpty ? this.keysOf(get.key, line) : [];
      return isName(item) && codeOf(items[at - 1]) !== '.' ? (this.gets.get(item.code) ?? []) : [];
    });
  }

  /** The variables that a key may name: a constant, or those of the lists that its statement goes over. */
  private keysOf(key: readonly Item[], line: Statement): readonly string[] {
    const constant = this.constantOf(key);
    const [only] = key;
    if (constant !== undefined) return [constant];
    if (!isName(only) || key.length > 1) return [];
    const loop = this.listAt(this.values.get(only.code) ?? []);
    const texts = this.lists.get(line) ?? this.listAt(line.items);
    this.lists.set(line, texts);
    return [...loop, ...texts].filter(text => IN_CAPITALS.test(text)).slice(0, MOST_TEXTS);
  }

  /** A text, or that of the file's constant. */
  private constantOf(items: readonly Item[]): string | undefined {
    const [only] = items;
    const value = items.length === 1 && isName(only) ? this.values.get(only.code) : undefined;
    return textOf(items) ?? (value && textOf(value));
  }

  /** The texts of lists, and of those that they name. */
  private listAt(items: readonly Item[], seen = new Set<string>()): string[] {
    return split(items, ',').flatMap(part => {
      const text = textOf(part);
      if (text !== undefined) return [text];
      return part.flatMap(item => {
        if (isGroup(item)) return this.listAt(item.items, seen);
        if (!isName(item) || seen.has(item.code)) return [];
        return this.listAt(this.values.get(item.code) ?? [], seen.add(item.code));
      });
    });
  }

  /** The lists of a dictionary with such a name. */
  private tableNamed(name: string): Map<string, readonly string[]> {
    const [only] = this.values.get(name) ?? [];
    const entries = isGroup(only) && only.open.code === '{' ? argumentsOf(only) : [];
    return new Map(entries.map(([key, , ...value]) => [textsIn(key ? [key] : []).join(), this.listAt(value)]));
  }

  private hasCopy(name: string, { scope }: Statement): boolean {
    const known = this.copies.get(name) ?? this.isCopy(this.values.get(name) ?? [], scope);
    this.copies.set(name, known);
    return known;
  }

  /** Whether a value has all variables: a copy of the environment, or of an env file, such as `{**os.environ, "X": "1"}`. */
  private isCopy(value: readonly Item[], scope: Scope): boolean {
    const [first, second] = value;
    if (isGroup(first)) return first.open.code === '{' && argumentsOf(first).some(part => this.isCopy(part, scope));
    if (codeOf(first) === '**') return this.isCopy(value.slice(1), scope);
    if (codeOf(first) === 'dict' && isGroup(second)) return argumentsOf(second).some(part => this.isCopy(part, scope));
    if (!isName(first)) return false;
    const { path, end } = this.pathAt(value, 0, scope);
    const next = value[end];
    const isWhole = !isGroup(next) && (codeOf(next) !== '.' || codeOf(value[end + 1]) === 'copy');
    return (path === 'os.environ' && isWhole) || value.some(item => codeOf(item) === 'dotenv_values');
  }

  private readClass(line: Statement, runs: Place['runs']): void {
    const { envFiles, hasSources, ...more } = readClass(line, this.blocks, name => this.values.get(name));
    for (const path of envFiles) this.envFiles.add(path);
    this.hasSources ||= hasSources;
    this.classes.push({ ...more, runs });
  }

  private switchesAround({ header }: Statement): readonly string[] {
    let outer = header;
    while (outer && !this.switches.has(outer)) outer = outer.header;
    return (outer && this.switches.get(outer)) ?? [];
  }
}

const sometimes = (place: Place): Place => (place.runs === 'always' ? { ...place, runs: 'sometimes' } : place);

/** Whether a full name of a library is that of a reader, and not of its class. */
const isReading = (path: string): boolean => READERS.test(path) && !/\.[A-Z]\w*$/.test(path);

const isParameter = ([only, ...more]: readonly Item[], scope: Scope): boolean =>
  more.length === 0 &&
  isName(only) &&
  scope.kind === 'function' &&
  scope.resolve(only.code)?.defines.get(only.code)?.[0]?.by === 'parameter';

/** Whether a default is none: an empty text, or `None`. */
const isNothing = ([only, ...more]: readonly Item[]): boolean =>
  more.length === 0 && only !== undefined && !isGroup(only) && (only.code === '' || only.code === 'None');

/** Whether a word, a sign or a text is in an expression, at any depth. */
const mentions = (items: readonly Item[], code: string): boolean =>
  items.some(item => (isGroup(item) ? mentions(item.items, code) : item.code === code));

/** Whether an expression ends the program, such as `sys.exit(1)`. */
const isRefusal = (items: readonly Item[]): boolean =>
  STOPS.test(
    items
      .slice(0, 4)
      .map(item => (isGroup(item) ? '(' : codeOf(item)))
      .join(''),
  );

const isTable = (value: readonly Item[] | undefined): boolean => isGroup(value?.[0]) && value[0].open.code === '{';

const inside = (module: string, name: string): string => (module.endsWith('.') ? module + name : `${module}.${name}`);

const modulesIn = ({ tokens }: Statement): string[] =>
  importsOf(tokens).flatMap(({ module, name }) => {
    return name === undefined || name === '*' ? [module] : [module, inside(module, name)];
  });
