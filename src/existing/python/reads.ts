import { isSecret } from '../../catalog/index.ts';
import { codeOf, type Group, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import { importsOf, isImport, localName } from '../../formats/python/imports.ts';
import { readPython, type Statement } from '../../formats/python/module.ts';
import type { Scope } from '../../formats/python/scope.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { argumentsOf, Blocks, hasDefault, hasHole, mentionedIn, namedIn, textOf, textsIn, wordOf } from './blocks.ts';
import { readClass, type SettingsClass } from './settings.ts';

/** What the code of a Python module reads from the environment, and imports. */
export type PythonReads = ReturnType<EnvironmentReader['read']>;

/**
 * Finds what a module reads from the environment, and imports. It follows imports and the constants of the file, and
 * nothing else.
 */
export const readsOf = (source: string): PythonReads => new EnvironmentReader(source).read();

/** A name that a shell or an env file can set. */
export const VARIABLE = /^[A-Za-z_]\w*$/;
/** How people write the name of a secret. */
const IN_CAPITALS = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
/** What functions that read a variable are called, with what is before a dot: `os.getenv`, `env.str`, `need`. */
const READERS = /env|config|need|require/i;

const REQUIRED = 'REQUIRED_ENV';
const TRANSPORT = 'TRANSPORT_ENV';
/** What Python raises if there is no such module. A bare `except` names none. */
const NO_MODULE = /^$|\b(?:ImportError|ModuleNotFoundError|(?:Base)?Exception)\b/;
/** The functions that import a module by its name. */
const IMPORTERS = /(?:^|\.)(?:import_module|__import__)$/;
/** What gives names a meaning without naming them. */
const HIDDEN = /^(?:globals|vars|exec|setattr)$/;
/** Libraries whose `Config` reads an env file. */
const CONFIGS = /^(?:decouple|starlette\.config)\./;
/** What reads an env file. */
const LOADERS = /^(?:load_dotenv|dotenv_values|read_env|RepositoryEnv)$/;

/** Where an expression is. */
interface Place {
  line: Statement;
  runs: 'always' | 'sometimes' | 'never';
  isScript: boolean;
}

class EnvironmentReader {
  /** Variables that it can't work without, such as `os.environ["X"]` and the texts of `REQUIRED_ENV`. */
  private readonly required = new Set<string>();
  /** Those that it needs only if it is the file that Python starts. */
  private readonly asScript = new Set<string>();
  /**
   * Variables that it may need: under some condition, or as secrets that it reads without a default. Conditions don't ask
   * about them.
   */
  private readonly conditional = new Set<string>();
  private readonly assigned = new Set<string>();
  /** The paths of env files that it reads, as it has them. */
  private readonly envFiles = new Set<string>();
  private readonly classes: SettingsClass[] = [];
  /** The objects of classes that it makes, and the fields that they get; undefined if that can't be followed. */
  private readonly made: { callee: string; given: readonly string[] | undefined; runs: Place['runs'] }[] = [];
  /** Whether it requires variables that can't be named. */
  private isUntraced = false;
  /** Whether it sets variables that can't be named. */
  private hasSources = false;

  private readonly imports = new Map<string, string>();
  /** What the assignments give names. */
  private readonly values = new Map<string, readonly Item[]>();
  /** The texts and names that conditions ask about. */
  private readonly asked = new Set<string>();
  private readonly module;
  private readonly blocks: Blocks;

  constructor(source: string) {
    this.module = readPython(source);
    this.blocks = new Blocks(this.module.statements);
  }

  read() {
    const { statements: lines, problems } = this.module;
    for (const line of lines) this.define(line);
    for (const line of lines) this.readLine(line);
    const asked = [...this.asked].flatMap(name => [name, ...textsIn(this.values.get(name) ?? [])]);
    for (const name of asked) this.conditional.delete(name);
    const tokens = lines.flatMap(line => line.tokens);
    const imports = lines.filter(line => isImport(line.tokens));
    const codesOf = (kind: Token['kind']) => tokens.filter(token => token.kind === kind).map(({ code }) => code);
    const { required, asScript, conditional, assigned, envFiles, classes, made } = this;
    const defined = this.module.scopes[0]?.defines;
    return {
      required,
      asScript,
      conditional,
      assigned,
      envFiles,
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
    const blocks = new Blocks(this.module.statements, NO_MODULE, 'sometimes');
    const found = new Map<string, boolean>();
    for (const line of imports) {
      const { runs, isScript } = blocks.whenOf(line);
      if (runs === 'never' || isScript) continue;
      for (const name of modulesIn(line)) found.set(name, runs === 'always' || found.get(name) === true);
    }
    for (const line of this.module.statements) {
      const { runs, isScript } = blocks.whenOf(line);
      const names = runs === 'never' || isScript ? [] : this.importedByCalls(line.tokens);
      for (const name of names) found.set(name, found.get(name) === true);
    }
    return found;
  }

  /** The modules that calls import, such as `import_module("evals.judge")`, if a constant names them. */
  private importedByCalls(tokens: readonly Token[]): string[] {
    return tokens.flatMap(({ code, kind }, at) => {
      const [open, argument, end] = tokens.slice(at + 1, at + 4);
      if (kind !== 'name' || open?.code !== '(' || !this.meaningsOf(code).some(one => IMPORTERS.test(one))) return [];
      const name = argument && /^[),]$/.test(end?.code ?? '') ? this.constantOf([argument]) : undefined;
      return name && /^[\w.]+$/.test(name) ? [name] : [];
    });
  }

  /** A name, what it is imported as, and the end of what it is assigned, such as `import_module`. */
  private meaningsOf = (name: string): string[] => [
    name,
    this.imports.get(name) ?? '',
    codeOf(this.values.get(name)?.at(-1)) ?? '',
  ];

  /** Takes what an import or an assignment gives a name. */
  private define(line: Statement): void {
    const { items, tokens } = line;
    for (const one of importsOf(tokens)) {
      const full = one.name === undefined ? one.module : inside(one.module, one.name);
      // `import a.b` gives a meaning to `a`.
      this.imports.set(localName(one), one.name === undefined && one.alias === undefined ? localName(one) : full);
    }
    const [first, sign] = items;
    const equals = indexOf(items, '=');
    if (!isName(first) || equals === items.length || !(equals === 1 || codeOf(sign) === ':')) return;
    this.values.set(first.code, items.slice(equals + 1));
  }

  private readLine(line: Statement): void {
    const { items } = line;
    const { runs, isScript } = this.blocks.whenOf(line);
    const word = wordOf(line);
    if (/^(?:if|elif|while)$/.test(word)) this.ask(items.slice(1));
    else if (word === 'class' && runs !== 'never') this.readClass(line, runs);
    else if (word === REQUIRED) this.readRequired(items, runs);
    const from = /^(?:def|class)$/.test(word)
      ? indexOf(items, word) + 2
      : /^(?:if|elif|while|return|assert)$/.test(word)
        ? 1
        : 0;
    this.visit(items.slice(from), { line, runs, isScript });
  }

  private readRequired(items: readonly Item[], runs: Place['runs']): void {
    const equals = indexOf(items, '=');
    const value = equals < items.length ? items.slice(equals + 1) : items.slice(1);
    const [first, next] = value;
    this.isUntraced ||= equals < items.length && isName(first) && isGroup(next);
    for (const text of this.listAt(value)) (runs === 'sometimes' ? this.conditional : this.required).add(text);
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
      if (path === 'os.environ') this.readEnvironment(items, { at, end }, place);
      at = end;
    }
  }

  private visitGroup(group: Group, place: Place, callee: string | undefined, owner: Item | undefined): void {
    if (callee !== undefined && group.open.code === '(' && place.runs !== 'never') this.readCall(callee, owner, group);
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
    while (path === 'os') {
      const next = items[end + 1];
      if (codeOf(items[end]) !== '.' || !isName(next)) break;
      path = `${path}.${next.code}`;
      end += 2;
    }
    return { path, end };
  }

  /** Reads `os.environ` with what is done to it. */
  private readEnvironment(items: readonly Item[], { at, end }: { at: number; end: number }, place: Place): void {
    const [next, method, call] = items.slice(end, end + 3);
    if (isGroup(next) && next.open.code === '[') {
      if (codeOf(items[at - 1]) === 'del') return;
      if (codeOf(method) === '=') this.assign(this.constantOf(next.items), items.slice(end + 2));
      else this.readKey(next.items, place);
    } else if (codeOf(next) === '.' && isGroup(call)) {
      const args = argumentsOf(call);
      const [key = []] = args;
      if (codeOf(method) === 'pop' && args.length === 1) this.readKey(key, place);
      else if (codeOf(method) === 'setdefault') this.assign(this.constantOf(key), []);
      else if (codeOf(method) === 'update') this.update(args);
    } else if (codeOf(next) === '|=' || (codeOf(next) === '=' && at === 0)) this.hasSources = true;
  }

  /** Takes a variable that the code can't miss where it reads it. */
  private readKey(key: readonly Item[], place: Place): void {
    const { line, runs, isScript } = place;
    const name = this.constantOf(key);
    if (runs === 'never' || (runs === 'sometimes' && this.isSwitched(line))) return;
    if (name === undefined) this.isUntraced ||= runs === 'always';
    else if (runs === 'sometimes') this.conditional.add(name);
    else (isScript ? this.asScript : this.required).add(name);
  }

  /** Whether a condition around a statement asks for a variable: then nobody knows whether it runs. */
  private isSwitched({ header }: Statement): boolean {
    if (!header) return false;
    const names = wordOf(header) === 'if' ? mentionedIn(header.items) : [];
    const all = [...names, ...names.flatMap(name => mentionedIn(this.values.get(name) ?? []))];
    return all.some(name => name === 'getenv' || name === 'environ') || this.isSwitched(header);
  }

  /** Reads a call, whatever it calls: some pass variables on, and tests set them. */
  private readCall(callee: string, owner: Item | undefined, group: Group): void {
    const args = argumentsOf(group);
    const [first = []] = args;
    const name = this.constantOf(first);
    if (callee === 'setenv') this.assign(name, []);
    const isMock = callee === 'dict' && (mentions(first, 'environ') || name === 'os.environ');
    if (isMock && args.length > 1) this.update(args.slice(1));
    const isConfig = /^(?:Auto)?Config$/.test(callee) && CONFIGS.test(this.imports.get(callee) ?? '');
    if (LOADERS.test(callee) || (isConfig && name !== undefined)) this.readEnvFile(args);
    if (/^Repository(?:Ini|Secret)$/.test(callee)) this.hasSources = true;
    const isReader = READERS.test(`${codeOf(owner) ?? ''}.${callee}`) && !hasDefault(args.slice(1));
    if (name !== undefined && isReader && IN_CAPITALS.test(name) && isSecret(name)) this.conditional.add(name);
    const file = args.find(arg => namedIn(arg).name === '_env_file');
    for (const path of file ? textsIn(file) : []) this.envFiles.add(path);
  }

  /** Takes what may be an object of settings. */
  private makeObject(callee: string, args: readonly Item[][], { runs }: Place): void {
    const isOpen = args.some(arg => codeOf(arg[0]) === '**');
    this.made.push({ callee, given: isOpen ? undefined : args.map(arg => namedIn(arg).name ?? ''), runs });
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
  private update(args: readonly Item[][]): void {
    const isOwn = (name: string) => name === 'environ' || mentions(this.values.get(name) ?? [], 'environ');
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
  private assign(name: string | undefined, value: readonly Item[]): void {
    if (name === undefined) this.hasSources = true;
    else if (!mentionedIn(value).includes(name)) this.assigned.add(name);
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

  private readClass(line: Statement, runs: Place['runs']): void {
    const { envFiles, hasSources, ...more } = readClass(line, this.blocks, name => this.values.get(name));
    for (const path of envFiles) this.envFiles.add(path);
    this.hasSources ||= hasSources;
    this.classes.push({ ...more, runs });
  }
}

const sometimes = (place: Place): Place => (place.runs === 'always' ? { ...place, runs: 'sometimes' } : place);

/** Whether a word, a sign or a text is in an expression, at any depth. */
const mentions = (items: readonly Item[], code: string): boolean =>
  items.some(item => (isGroup(item) ? mentions(item.items, code) : item.code === code));

const isTable = (value: readonly Item[] | undefined): boolean => isGroup(value?.[0]) && value[0].open.code === '{';

const inside = (module: string, name: string): string => (module.endsWith('.') ? module + name : `${module}.${name}`);

const modulesIn = ({ tokens }: Statement): string[] =>
  importsOf(tokens).flatMap(({ module, name }) => {
    return name === undefined || name === '*' ? [module] : [module, inside(module, name)];
  });
