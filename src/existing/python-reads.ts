import { isSecret } from '../catalog/index.ts';
import { codeOf, type Group, type Item, indexOf, isGroup, isName, split } from '../formats/python/expressions.ts';
import { importsOf } from '../formats/python/imports.ts';
import { readPython } from '../formats/python/module.ts';
import type { Scope } from '../formats/python/scope.ts';
import type { Problem } from '../formats/python/tokens.ts';
import { unique } from '../unique.ts';
import { Blocks, isAsked, mentionedIn, sometimes, type When, wordOf } from './python-blocks.ts';
import { absentIn, switchesIn, valuesIn } from './python-conditions.ts';
import { type Key, type Line, type LookUp, lineOf, type Meaning, Names, type Parameter } from './python-names.ts';
import { settingsOf } from './python-settings.ts';

/** What the code of a Python module reads from the environment, and imports. */
export interface PythonReads {
  /** Variables that it can't work without, such as `os.environ["X"]` and the texts of `REQUIRED_ENV`. */
  required: ReadonlySet<string>;
  /** Those that it needs only if it is the file that Python starts. */
  asScript: ReadonlySet<string>;
  /**
   * Variables that it needs under some condition, or passes on as a key even if they aren't set. If it does so only if
   * one of other variables is set, each has these.
   */
  conditional: ReadonlyMap<string, readonly string[]>;
  /** The texts of `TRANSPORT_ENV`, which the cloud may provide in its own way. */
  transport: ReadonlySet<string>;
  /** Whether it requires variables that can't be named. */
  isUntraced: boolean;
  /** Those of them whose case doesn't count. */
  anyCase: ReadonlySet<string>;
  /** Variables that it sets. */
  assigned: ReadonlySet<string>;
  /** Whether it sets variables that can't be named. */
  hasSources: boolean;
  /** The paths of env files that it reads, as it has them. */
  envFiles: readonly string[];
  /** Texts that may name a variable, or begin its name. */
  mentioned: ReadonlySet<string>;
  /** Every identifier. */
  names: ReadonlySet<string>;
  /**
   * The modules that it imports, such as `.call` or `evals.judge`. In `from a import b`, `a.b` may be a module or a name,
   * so both `a` and `a.b` are in the list.
   */
  imports: ReadonlySet<string>;
  /** What Python would refuse. */
  problems: readonly Problem[];
  /** What its names stand for, for other modules. */
  meaningOf(name: string): Meaning | undefined;
}

/**
 * Finds what a module reads from the environment, and imports.
 *
 * @param lookUp What a name of another module stands for.
 */
export const readsOf = (source: string, lookUp: LookUp = () => undefined): PythonReads =>
  new EnvironmentReader(source, lookUp).read();

/** Where an expression is. */
interface Place {
  scope: Scope;
  when: When;
  /** What the names of variables begin with here. */
  prefix: string;
  /** One of these is set here. */
  switches: readonly string[];
}

/** A call of a function that may read the variable that an argument names. */
interface Call extends Place {
  callee: () => Meaning | undefined;
  args: Item[][];
}

const NOTHING = { prefix: '', switches: [] };
const REQUIRED = 'REQUIRED_ENV';
const TRANSPORT = 'TRANSPORT_ENV';
const VARIABLE = /^[A-Za-z_]\w*$/;
/** Arguments after which a missing variable is no problem. */
const DEFAULT = /^(?:default|fallback|optional|required)$/;
/** Calls may lead through as many functions. */
const MOST_STEPS = 5;
/** How many parts of a choice know what those before them asked. */
const MOST_PARTS = 50;

class EnvironmentReader {
  private readonly required = new Set<string>();
  private readonly asScript = new Set<string>();
  private readonly conditional = new Map<string, readonly string[]>();
  /** The variables that the condition of a header asks for. */
  private readonly switches = new Map<Line, readonly string[]>();
  private readonly surroundings = new Map<Line, Pick<Place, 'prefix' | 'switches'>>();
  private readonly assigned = new Set<string>();
  private readonly anyCase = new Set<string>();
  private readonly mentioned = new Set<string>();
  private readonly envFiles: string[] = [];
  private readonly calls: Call[] = [];
  /** Methods that need variables, and that nothing here calls. */
  private readonly methods = new Set<Meaning>();
  private isUntraced = false;
  private hasSources = false;
  private readonly module;
  private readonly lines: ReadonlyMap<unknown, Line>;
  private readonly blocks: Blocks;
  private readonly names: Names;

  constructor(source: string, lookUp: LookUp) {
    this.module = readPython(source);
    this.lines = new Map(this.module.statements.map(statement => [statement, lineOf(statement)]));
    this.blocks = new Blocks(this.lines);
    this.names = new Names(lookUp);
  }

  read(): PythonReads {
    const lines = [...this.lines.values()];
    for (const line of lines) {
      this.names.define(line);
      this.defineMissing(line);
    }
    for (const line of lines) this.readLine(line);
    for (let step = 0; step < MOST_STEPS && this.followCalls(); step += 1);
    this.isUntraced ||= this.methods.size > 0;
    const tokens = lines.flatMap(line => line.tokens);
    return {
      required: new Set([...this.required, ...this.listNamed(REQUIRED)]),
      asScript: this.asScript,
      conditional: this.conditional,
      transport: new Set(this.listNamed(TRANSPORT)),
      isUntraced: this.isUntraced,
      anyCase: this.anyCase,
      assigned: this.assigned,
      hasSources: this.hasSources,
      envFiles: this.envFiles,
      mentioned: new Set([
        ...tokens.flatMap(({ kind, code }) => (kind === 'text' && VARIABLE.test(code) ? code : [])),
        ...this.mentioned,
      ]),
      names: new Set(tokens.flatMap(({ kind, code }) => (kind === 'name' ? code : []))),
      imports: new Set(lines.filter(line => this.blocks.whenOf(line).runs !== 'never').flatMap(modulesIn)),
      problems: this.module.problems.map(one => this.startOf(one)),
      meaningOf: name => this.names.of(name, this.top),
    };
  }

  /** A bracket that is never closed takes all lines to the end of the text: the first one says more. */
  private startOf(problem: Problem): Problem {
    const last = this.module.statements.at(-1);
    const isOpen = problem.kind === 'bracket' && last && problem.line >= last.end - 1;
    return isOpen ? { ...problem, line: last.start } : problem;
  }

  private readLine(line: Line): void {
    const { scope, items } = line;
    const place = { scope, when: this.blocks.whenOf(line), ...this.around(line) };
    const word = wordOf(line);
    const rest = items.slice(1);
    if (word === 'if') {
      if (this.blocks.endingOf(line) === 'stops') this.requireChecked(absentIn(rest, scope, this.names), place);
      this.blocks.pass(line);
      this.switches.set(line, switchesIn(rest, scope, this.names));
    } else if (word === 'assert') this.requireChecked(valuesIn(split(rest, ',')[0] ?? [], scope, this.names), place);
    else if (word === 'class') this.readSettings(line, place);
    else if (word === REQUIRED && place.when.runs === 'sometimes') this.want(textsIn(rest), place);
    const from = /^(?:def|class)$/.test(word)
      ? indexOf(items, word) + 2
      : /^(?:if|elif|while|return)$/.test(word)
        ? 1
        : 0;
    this.visit(items.slice(from), place);
  }

  /** Takes what an assignment gives a name, if that says which variables are missing. */
  private defineMissing({ items, scope }: Line): void {
    const [first, sign] = items;
    if (!isName(first) || codeOf(sign) !== '=') return;
    const keys = absentIn(items.slice(2), scope, this.names);
    if (keys.length > 0) this.names.give(scope, first.code, { is: 'missing', keys });
  }

  private readSettings(line: Line, place: Place): void {
    const name = line.items[1];
    const meaning = isName(name) ? this.names.ownOf(place.scope, name.code) : undefined;
    if (meaning?.is !== 'settings' || place.when.runs === 'never') return;
    const settings = settingsOf(line, { isFirst: meaning.isFirst, blocks: this.blocks, names: this.names });
    this.require(settings.required, place);
    addAll(this.mentioned, settings.mentioned);
    if (settings.isAnyCase) addAll(this.anyCase, settings.mentioned);
    this.isUntraced ||= settings.isUntraced;
    this.hasSources ||= settings.hasSources;
    this.envFiles.push(...settings.envFiles);
  }

  /** Reads expressions that commas separate. */
  private visit(items: readonly Item[], place: Place): void {
    for (const part of split(items, ',')) this.visitChoice(part, place);
  }

  /** Reads an expression whose parts may depend on each other: `a if b else c`, `a and b`. */
  private visitChoice(items: readonly Item[], place: Place): void {
    const starts = items.flatMap((item, at) => (at > 0 && /^(?:if|else|and|or)$/.test(codeOf(item) ?? '') ? at : []));
    const parts = [0, ...starts].map((start, at) => items.slice(at === 0 ? 0 : start + 1, starts[at]));
    let asked = place.when;
    for (const [at, part] of parts.entries()) {
      const next = parts[at + 1] ?? [];
      const isResult = codeOf(items[starts[at] ?? -1]) === 'if';
      const isFirst = at === 0 || codeOf(items[starts[at - 1] ?? -1]) === 'if';
      const when = isResult ? sometimes(asked, mentionedIn(next)) : isFirst ? place.when : asked;
      this.visitRun(part, { ...place, when });
      if (starts.length > 0 && at < MOST_PARTS) asked = sometimes(asked, mentionedIn(part));
    }
  }

  private visitRun(items: readonly Item[], place: Place): void {
    for (let at = 0; at < items.length; ) {
      const item = items[at];
      const before = items[at - 1];
      if (isGroup(item)) this.visitGroup(item, place, isName(before) ? before.code : undefined);
      const isStart = isName(item) && codeOf(before) !== '.';
      const { meaning, end } = isStart ? this.names.at(items, at, place.scope) : { meaning: undefined, end: at + 1 };
      if (isStart) this.readName(meaning, { items, at, end }, place);
      at = end;
    }
  }

  private visitGroup(group: Group, place: Place, callee: string | undefined): void {
    if (callee !== undefined && group.open.code === '(') this.readCall(callee, group, place);
    if (indexOf(group.items, 'for') < group.items.length) this.visitComprehension(group, place);
    else this.visit(group.items, place);
  }

  private visitComprehension(group: Group, place: Place): void {
    const { scope, element, conditions, sources } = this.names.inComprehension(group, place.scope);
    for (const source of sources) this.visit(source, place);
    for (const condition of conditions) this.visit(condition, { ...place, scope });
    const asked = conditions.flatMap(mentionedIn);
    const when = conditions.length > 0 ? sometimes(place.when, asked) : place.when;
    this.visit(element, { ...place, scope, when });
  }

  /** Reads a call, whatever it calls: some pass variables on, and tests set them. */
  private readCall(callee: string, group: Group, place: Place): void {
    const args = argumentsOf(group);
    const [first = []] = args;
    const isMock =
      callee === 'dict' &&
      (this.names.at(first, 0, place.scope).meaning?.is === 'environ' || textsIn(first)[0] === 'os.environ');
    if (callee === 'setenv') addAll(this.assigned, this.textsOf(first, place));
    if (isMock && args.length > 1) this.update(args.slice(1), place);
    if (place.when.runs === 'never') return;
    for (const arg of args) {
      const { name, value } = namedIn(arg);
      const passed = this.passedIn(value, place).filter(one => !isAsked(one, place.when));
      const isAlone = args.length === 1 && /^[A-Z]/.test(callee);
      const isKey = (one: string) => (name === undefined ? isAlone && isSecret(one) : isSecret(name) || isSecret(one));
      this.want(passed.filter(isKey), place);
    }
  }

  /** The variables whose values are passed on although they may be absent. */
  private passedIn(value: readonly Item[], { scope, when }: Place): readonly string[] {
    const [only] = value;
    const optional = this.names.optionalAt(value, 0, scope);
    const meaning = value.length === 1 && isName(only) ? this.names.of(only.code, scope) : undefined;
    if (meaning?.is === 'value' && !isAsked(mentionedIn(value).join(), when)) return namesIn(meaning.key);
    return optional?.isEmpty && optional.end === value.length ? namesIn(optional.key) : [];
  }

  private readName(meaning: Meaning | undefined, spot: Spot, place: Place): void {
    const { items, at, end } = spot;
    const next = items[end];
    const isCall = isGroup(next) && next.open.code === '(';
    if (meaning?.is === 'environ') this.readEnvironment(meaning.isCopy, spot, place);
    else if (meaning?.is === 'reader') this.readWithReader(items, end, place);
    else if (meaning?.is === 'load' || meaning?.is === 'values') {
      if (isCall && place.when.runs !== 'never') this.readEnvFile(next, place);
    } else if (isCall) {
      const callee = () => this.names.at(items, at, place.scope).meaning;
      this.calls.push({ ...place, callee, args: argumentsOf(next) });
    } else if (/^(?:self|cls)$/.test(codeOf(items[at]) ?? '') && codeOf(next) === '.') {
      const [method, call] = items.slice(end + 1, end + 3);
      const owner = place.scope.resolve(codeOf(items[at]) ?? '')?.parent;
      if (!isName(method) || !isGroup(call) || owner?.kind !== 'class') return;
      this.calls.push({ ...place, callee: () => this.names.ownOf(owner, method.code), args: argumentsOf(call) });
    }
  }

  /** Reads `os.environ` with what is done to it. */
  private readEnvironment(isCopy: boolean, { items, at, end }: Spot, place: Place): void {
    const [next, method, call] = items.slice(end, end + 3);
    const sign = codeOf(next);
    if (isGroup(next) && next.open.code === '[') {
      const isAssigned = codeOf(method) === '=';
      if (codeOf(items[at - 1]) === 'del' || this.isKnown(next.items, place)) return;
      const key = this.names.keyOf(next.items, place.scope);
      // What the code keeps for itself may have any keys.
      if (!isAssigned && (key || !isCopy)) this.require(key, place);
      else if (isAssigned && !isCopy) this.assign(key, items.slice(end + 2));
    } else if (sign === '.' && isGroup(call)) {
      const args = argumentsOf(call);
      const key = this.names.keyOf(args[0] ?? [], place.scope);
      if (codeOf(method) === 'pop' && args.length === 1) this.require(key, place);
      else if (codeOf(method) === 'setdefault' && !isCopy) this.assign(key, []);
      else if (codeOf(method) === 'update' && !isCopy) this.update(argumentsOf(call), place);
    } else if (!isCopy && (sign === '|=' || (sign === '=' && at === 0 && end > 1))) this.hasSources = true;
  }

  /** Reads `env("X")`, `env.str("X")` and the like. */
  private readWithReader(items: readonly Item[], end: number, place: Place): void {
    const method = codeOf(items[end]) === '.' ? codeOf(items[end + 1]) : undefined;
    const call = items[method === undefined ? end : end + 2];
    if (!isGroup(call) || call.open.code !== '(') return;
    const [name = [], ...more] = argumentsOf(call);
    if (method === 'read_env') this.readEnvFile(call, place);
    if (/^(?:read_env|prefixed|seal)$/.test(method ?? '') || hasDefault(more)) return;
    const key = this.names.keyOf(name, place.scope);
    this.require(key && !('of' in key) ? key.map(one => place.prefix + one) : key, place);
  }

  private readEnvFile(call: Group, place: Place): void {
    for (const arg of argumentsOf(call)) {
      const { name, value } = namedIn(arg);
      if (name === 'stream') this.hasSources = true;
      if (name !== undefined && !/^(?:dotenv_)?path$/.test(name)) continue;
      const [only] = value;
      const expression = (value.length === 1 && isName(only) && this.names.others.get(only.code)) || value;
      const texts = [...this.textsOf(value, place), ...textsIn(expression)];
      if (texts.length > 0 && !hasHole(expression)) this.envFiles.push(unique(texts).join('/'));
      else if (!mentionedIn(expression).includes('find_dotenv')) this.hasSources = true;
    }
  }

  private textsOf = (items: readonly Item[], { scope }: Place): readonly string[] =>
    namesIn(this.names.keyOf(items, scope));

  private assign(key: Key, value: readonly Item[]): void {
    if (key === undefined || 'of' in key) this.hasSources = true;
    else {
      const read = mentionedIn(value);
      addAll(
        this.assigned,
        key.filter(one => !read.includes(one)),
      );
    }
  }

  /** Reads `os.environ.update(…)`. What is from the environment itself changes nothing. */
  private update(args: readonly Item[][], { scope }: Place): void {
    if (args.flatMap(mentionedIn).some(name => this.names.of(name, scope)?.is === 'environ')) return;
    for (const arg of args) {
      const { name, value } = namedIn(arg);
      const [only] = value;
      const entries = isGroup(only) && only.open.code === '{' ? argumentsOf(only) : [];
      const keys = entries.map(entry =>
        codeOf(entry[1]) === ':' ? this.names.keyOf(entry.slice(0, 1), scope) : undefined,
      );
      if (name === undefined && (keys.length === 0 || keys.includes(undefined))) this.hasSources = true;
      addAll(this.assigned, name === undefined ? keys.flatMap(namesIn) : [name]);
    }
  }

  /** Whether the code has asked about the variable that a name names. */
  private isKnown([only, ...more]: readonly Item[], { when }: Place): boolean {
    return more.length === 0 && isName(only) && isAsked(only.code, when);
  }

  /** Takes variables that the code refuses to miss. In a function, it may only refuse to do one thing. */
  private requireChecked(keys: readonly Key[], place: Place): void {
    for (const key of keys.filter(one => one !== undefined)) {
      const isInside = !('of' in key) && place.scope.kind === 'function';
      this.require(key, isInside ? { ...place, when: sometimes(place.when) } : place);
    }
  }

  private want(names: readonly string[], { switches }: Place): void {
    for (const name of names) this.conditional.set(name, this.conditional.get(name)?.length === 0 ? [] : switches);
  }

  private require(key: Key, place: Place): boolean {
    const { when } = place;
    if (when.runs === 'never') return false;
    if (key === undefined) this.isUntraced ||= when.runs === 'always';
    else if ('of' in key) return this.need(key, when);
    else {
      const open = key.filter(name => VARIABLE.test(name) && !isAsked(name, when));
      if (when.runs === 'sometimes') this.want(open, place);
      else addAll(when.isScript ? this.asScript : this.required, open);
    }
    return false;
  }

  /** Takes a function that reads the variable that its parameter names. Returns whether that is new. */
  private need({ name, of }: Parameter, when: When): boolean {
    const owner = of.kind === 'function' ? of.parent : undefined;
    if (!owner || this.names.ownOf(owner, of.name)?.is === 'needs') return false;
    const parameters = [...of.defines].flatMap(([one, [binding]]) => (binding?.by === 'parameter' ? one : []));
    const isMethod = owner.kind === 'class' && /^(?:self|cls)$/.test(parameters[0] ?? '');
    const at = parameters.indexOf(name) - (isMethod ? 1 : 0);
    const meaning: Meaning = { is: 'needs', at, parameter: name, isAlways: when.runs === 'always' };
    this.names.give(owner, of.name, meaning);
    if (isMethod) this.methods.add(meaning);
    return true;
  }

  /** Takes what the calls of such functions name. Returns whether another function turned out to be one. */
  private followCalls(): boolean {
    const found = this.calls.map(call => {
      const meaning = call.callee();
      if (meaning?.is !== 'needs') return false;
      this.methods.delete(meaning);
      const { at, parameter, isAlways } = meaning;
      const named = call.args.findIndex(arg => namedIn(arg).name === parameter);
      const index = named === -1 ? at : named;
      const { name, value } = namedIn(call.args[index] ?? []);
      if ((name !== undefined && named === -1) || hasDefault(call.args.filter((_, other) => other > index)))
        return false;
      if (this.isKnown(value, call)) return false;
      const key = this.names.keyOf(value, call.scope) ?? this.names.listOf(value, call.scope);
      return this.require(key, isAlways ? call : { ...call, when: sometimes(call.when) });
    });
    return found.includes(true);
  }

  /** The texts of a list with such a name. In newer projects, a dictionary has those of each transport. */
  private listNamed(name: string): readonly string[] {
    const meaning = this.names.of(name, this.top);
    const isKnown = meaning?.is === 'texts' ? meaning.isComplete : !this.names.others.has(name);
    this.isUntraced ||= !isKnown && name !== TRANSPORT;
    return meaning?.is === 'texts' ? meaning.texts.filter(one => !this.conditional.has(one)) : [];
  }

  /** What the headers around a statement say about names. */
  private around({ header }: Line): Pick<Place, 'prefix' | 'switches'> {
    const line = this.lines.get(header);
    const known = line ? this.surroundings.get(line) : NOTHING;
    if (known || !line) return known ?? NOTHING;
    const { prefix, switches } = this.around(line);
    const at = line.items.findIndex(item => codeOf(item) === 'prefixed');
    const call = line.items[at + 1];
    const found = {
      prefix: prefix + (at > 0 && isGroup(call) ? textsIn(call.items).join('') : ''),
      switches: this.switches.get(line) ?? switches,
    };
    this.surroundings.set(line, found);
    return found;
  }

  private get top(): Scope {
    return this.module.scopes[0] as Scope;
  }
}

/** Where a name is in an expression, and where what it stands for ends. */
interface Spot {
  items: readonly Item[];
  at: number;
  end: number;
}

const addAll = (set: Set<string>, more: Iterable<string>): void => {
  for (const one of more) set.add(one);
};

const namesIn = (key: Key): readonly string[] => (key === undefined || 'of' in key ? [] : key);

const argumentsOf = ({ items }: Group): Item[][] => split(items, ',').filter(part => part.length > 0);

function namedIn(arg: readonly Item[]): { name: string | undefined; value: readonly Item[] } {
  const [first, sign] = arg;
  return isName(first) && codeOf(sign) === '='
    ? { name: first.code, value: arg.slice(2) }
    : { name: undefined, value: arg };
}

/** Whether the arguments after a name give a default. */
const hasDefault = (args: readonly Item[][]): boolean => args.some(arg => DEFAULT.test(namedIn(arg).name ?? 'default'));

const textsIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => (isGroup(item) ? textsIn(item.items) : item.kind === 'text' ? item.code : []));

const hasHole = (items: readonly Item[]): boolean =>
  items.some(item => (isGroup(item) ? item.open.kind === 'hole' || hasHole(item.items) : item.kind === 'hole'));

const modulesIn = ({ tokens }: Line): string[] =>
  importsOf(tokens).flatMap(({ module, name }) => {
    const inside = `${module.endsWith('.') ? module : `${module}.`}${name}`;
    return name === undefined || name === '*' ? [module] : [module, inside];
  });
