import { isSecret } from '../../catalog/index.ts';
import { importsOf, isImport, localName } from '../../formats/python/imports.ts';
import {
  codeOf,
  type Group,
  type Item,
  indexOf,
  isGroup,
  isName,
  readPython,
  type Statement,
  split,
  wordOf,
} from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';

/** A name that a shell or an env file can set. */
export const VARIABLE = /^[A-Za-z_]\w*$/;
/** How people write the name of a secret. */
const IN_CAPITALS = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
/** What functions that read a variable are called, with what is before a dot: `os.getenv`, `env.str`, `need`. */
const READERS = /env|config|need|require/i;
/** Arguments after which a missing variable is no problem. */
const DEFAULT = /^(?:default|fallback|optional|required)$/;
/** What reads an env file, and the arguments that say which. */
const LOADERS = /^(?:load_dotenv|dotenv_values|read_env|RepositoryEnv)$/;
const ENV_FILE_ARGUMENTS = /^(?:(?:dotenv_)?path|env_file|source|stream)$/;
/** What gives names a meaning without naming them. */
const HIDDEN = /^(?:globals|vars|exec|setattr)$/;

/** Whether code runs whenever its module does. Code that survives a missing variable counts as never. */
type Runs = 'always' | 'sometimes' | 'never';

interface When {
  runs: Runs;
  /** Whether it runs only if its file is the one that Python starts. */
  isScript: boolean;
}

/** A class with bases. If one of them is a `BaseSettings`, its fields are variables. */
interface SettingsClass {
  name: string;
  bases: readonly string[];
  runs: Runs;
  /** What its variables begin with: that of its base if absent, null if that can't be followed. */
  prefix: string | null | undefined;
  fields: readonly SettingsField[];
}

interface SettingsField {
  name: string;
  /** The variables that it may be from, instead of the one of its name. */
  aliases: readonly string[] | undefined;
  hasDefault: boolean;
  /** The names in its type. */
  types: readonly string[];
}

/** Where an expression is. */
interface Place extends When {
  line: Statement;
}

/**
 * What a module reads from the environment, and imports. It follows imports and the constants of the file, and nothing
 * else.
 */
export class PythonReads {
  /** Variables that it can't work without, such as `os.environ["X"]` and the texts of `REQUIRED_ENV`. */
  readonly required = new Set<string>();
  /** Those that it needs only if it is the file that Python starts. */
  readonly asScript = new Set<string>();
  /**
   * Variables that it may need: under some condition, or as secrets that it reads without a default. Conditions don't
   * ask about them.
   */
  readonly conditional = new Set<string>();
  readonly assigned = new Set<string>();
  /** The paths of env files that it reads, as it has them. */
  readonly envFiles = new Set<string>();
  readonly classes: SettingsClass[] = [];
  /** The classes that it makes objects of. */
  readonly made = new Map<string, Runs>();
  /** The names of arguments that it gives to classes, and the classes that get others, too. */
  readonly given = new Set<string>();
  /** Whether it requires variables that can't be named. */
  isUntraced = false;
  /** Whether it sets variables that can't be named. */
  hasSources = false;
  /** The variables whose case doesn't count. */
  readonly anyCase = new Set<string>();
  /** Texts that may name a variable, or begin its name. */
  readonly mentioned: Set<string>;
  /** The variables of each transport, which the cloud may provide in its own way. */
  readonly byTransport: ReadonlyMap<string, readonly string[]>;
  /** Every identifier. */
  readonly names: ReadonlySet<string>;
  /**
   * The modules that it imports, such as `.call` or `evals.judge`. In `from a import b`, `a.b` may be a module or a name,
   * so both `a` and `a.b` are in the list.
   */
  readonly imports = new Set<string>();
  /** Those that it needs when another module imports it: whether that is certain. */
  readonly needs = new Map<string, boolean>();
  readonly hasProblems: boolean;
  /** Whether it may give `bot` a meaning, which is what the framework starts. */
  readonly mayDefineBot: boolean;

  /** What imports give names, in full. */
  private readonly origins = new Map<string, string>();
  /** What the assignments give names. */
  private readonly values = new Map<string, readonly Item[]>();
  /** The texts and names that conditions ask about. */
  private readonly asked = new Set<string>();
  private readonly blocks: Blocks;

  constructor(source: string) {
    const { statements: lines, problems, scopes } = readPython(source);
    this.blocks = new Blocks(lines);
    for (const line of lines) this.define(line);
    for (const line of lines) this.readLine(line);
    const asked = [...this.asked].flatMap(name => [name, ...textsIn(this.values.get(name) ?? [])]);
    for (const name of asked) this.conditional.delete(name);
    for (const line of lines.filter(({ tokens }) => isImport(tokens))) {
      const { runs, isScript } = this.blocks.whenOf(line);
      for (const name of runs === 'never' ? [] : modulesIn(line)) {
        this.imports.add(name);
        if (!isScript) this.needs.set(name, runs === 'always' || this.needs.get(name) === true);
      }
    }
    const codesOf = (kind: Token['kind']) =>
      lines.flatMap(({ tokens }) => tokens.flatMap(token => (token.kind === kind ? token.code : [])));
    this.names = new Set(codesOf('name'));
    this.mentioned = new Set(codesOf('text').filter(text => VARIABLE.test(text)));
    const table = entriesOf(this.values.get('TRANSPORT_ENV') ?? []);
    this.byTransport = new Map(
      table.map(([key, , ...value]) => [textsIn(key ? [key] : []).join(), this.listAt(value)]),
    );
    this.hasProblems = problems.length > 0;
    const defined = scopes[0]?.defines;
    this.mayDefineBot = ['bot', '*'].some(name => defined?.has(name)) || [...this.names].some(one => HIDDEN.test(one));
  }

  /** Takes what an import or an assignment gives a name. */
  private define({ items, tokens }: Statement): void {
    for (const one of importsOf(tokens)) {
      const full = one.name === undefined ? one.module : inside(one.module, one.name);
      // `import a.b` gives a meaning to `a`.
      this.origins.set(localName(one), one.name === undefined && one.alias === undefined ? localName(one) : full);
    }
    const [first, sign] = items;
    const equals = indexOf(items, '=');
    if (!isName(first) || equals === items.length || !(equals === 1 || codeOf(sign) === ':')) return;
    this.values.set(first.code, items.slice(equals + 1));
  }

  private readLine(line: Statement): void {
    const { items } = line;
    const when = this.blocks.whenOf(line);
    const word = wordOf(line);
    const isCondition = /^(?:if|elif|while)$/.test(word);
    if (isCondition) this.ask(items.slice(1));
    else if (word === 'class' && when.runs !== 'never') {
      const { envFiles, hasSources, ...more } = settingsClassOf(line, this.blocks);
      for (const path of envFiles) this.envFiles.add(path);
      this.hasSources ||= hasSources;
      this.classes.push({ ...more, runs: when.runs });
    } else if (word === 'REQUIRED_ENV') this.readRequired(items, when.runs);
    const start = /^(?:def|class)$/.test(word) ? indexOf(items, word) + 2 : isCondition ? 1 : 0;
    this.visit(items.slice(start), { line, ...when });
  }

  private readRequired(items: readonly Item[], runs: Runs): void {
    const equals = indexOf(items, '=');
    const value = equals < items.length ? items.slice(equals + 1) : items.slice(1);
    this.isUntraced ||= equals < items.length && isName(value[0]) && isGroup(value[1]);
    for (const text of this.listAt(value)) (runs === 'sometimes' ? this.conditional : this.required).add(text);
  }

  private ask(items: readonly Item[]): void {
    for (const one of mentionedIn(items)) this.asked.add(one);
  }

  /** Reads expressions that commas separate. Their parts may depend on each other: `a if b else c`, `a and b`. */
  private visit(items: readonly Item[], place: Place): void {
    for (const part of split(items, ',')) {
      const switches = part.flatMap((item, at) => (/^(?:if|else|and|or|lambda)$/.test(codeOf(item) ?? '') ? at : []));
      const [first = part.length, second] = switches;
      const isChosen = codeOf(part[first]) === 'if';
      if (isChosen) this.ask(part.slice(first, second));
      else if (switches.length > 0) this.ask(part.slice(0, switches.at(-1)));
      for (const [at, item] of part.entries()) {
        const isSure = place.runs !== 'always' || (at < first && !isChosen);
        const here: Place = isSure ? place : { ...place, runs: 'sometimes' };
        if (isGroup(item)) this.visitGroup(part, at, here);
        else if (isName(item)) this.readEnvironment(part, at, here);
      }
    }
  }

  private visitGroup(items: readonly Item[], at: number, place: Place): void {
    const [group, callee] = [items[at] as Group, items[at - 1]];
    if (isName(callee) && group.open.code === '(' && place.runs !== 'never') {
      this.readCall(callee.code, items[at - 3], argumentsOf(group), place.runs);
    }
    // `[… for name in names if …]`
    const isChosen = indexOf(group.items, 'if', indexOf(group.items, 'for')) < group.items.length;
    this.visit(group.items, isChosen && place.runs === 'always' ? { ...place, runs: 'sometimes' } : place);
  }

  /** Reads `os.environ`, whatever it is imported as, with what is done to it. */
  private readEnvironment(items: readonly Item[], at: number, place: Place): void {
    const { code } = items[at] as Token;
    const owner = place.line.scope.resolve(code);
    if (codeOf(items[at - 1]) === '.' || (owner && owner.defines.get(code)?.[0]?.by !== 'import')) return;
    const name = this.origins.get(code) ?? code;
    const isInModule = name === 'os' && codeOf(items[at + 1]) === '.' && codeOf(items[at + 2]) === 'environ';
    if (!isInModule && name !== 'os.environ') return;
    const end = at + (isInModule ? 3 : 1);
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
  private readKey(key: readonly Item[], { line, runs, isScript }: Place): void {
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
  private readCall(callee: string, owner: Item | undefined, args: readonly Item[][], runs: Runs): void {
    const [first = [], ...others] = args;
    const name = this.constantOf(first);
    if (callee === 'setenv') this.assign(name, []);
    if (callee === 'dict' && (name === 'os.environ' || mentionedIn(first).includes('environ'))) this.update(others);
    if (LOADERS.test(callee)) this.readEnvFile(args);
    const isReader = READERS.test(`${codeOf(owner) ?? ''}.${callee}`);
    const hasDefault = others.some(arg => DEFAULT.test(namedIn(arg).name ?? 'default'));
    if (name !== undefined && isReader && !hasDefault && IN_CAPITALS.test(name) && isSecret(name)) {
      this.conditional.add(name);
    }
    // Services have classes of settings in them, such as `DeepgramSTTService.Settings`.
    if (!/^[A-Z]/.test(callee) || /^[A-Z]/.test(codeOf(owner) ?? '')) return;
    this.made.set(callee, this.made.get(callee) === 'always' ? 'always' : runs);
    for (const arg of args) {
      const { name: given, value } = namedIn(arg);
      this.given.add(given ?? (codeOf(arg[0]) === '**' ? callee : ''));
      for (const path of given === '_env_file' ? textsIn(value) : []) this.envFiles.add(path);
    }
  }

  private readEnvFile(args: readonly Item[][]): void {
    for (const arg of args) {
      const { name = 'path', value } = namedIn(arg);
      if (!ENV_FILE_ARGUMENTS.test(name)) continue;
      const [only] = value;
      const expression = (value.length === 1 && isName(only) && this.values.get(only.code)) || value;
      const texts = textsIn(expression);
      if (texts.length > 0 && !hasHole(expression)) this.envFiles.add(texts.join('/'));
      else if (!mentionedIn(expression).includes('find_dotenv')) this.hasSources = true;
    }
  }

  /** Reads `os.environ.update(…)`. What is from the environment itself changes nothing. */
  private update(args: readonly Item[][]): void {
    const isOwn = (name: string) => [name, ...mentionedIn(this.values.get(name) ?? [])].includes('environ');
    if (args.flatMap(mentionedIn).some(isOwn)) return;
    for (const arg of args) {
      const { name, value } = namedIn(arg);
      const keys = entriesOf(value).map(([key, colon]) =>
        key && codeOf(colon) === ':' ? this.constantOf([key]) : undefined,
      );
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
    return textOf(items) ?? textOf((items.length === 1 && isName(only) && this.values.get(only.code)) || []);
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
}

/** How code begins that ends the program. */
const STOPS = /^(?:raise|(?:sys\.)?exit\(|quit\(|os\._exit)/;
/** How code begins that leaves the block around it. */
const LEAVES = /^(?:return|continue|break)/;
/** The error of a mapping that has no such key. */
const NO_KEY = /\b(?:KeyError|LookupError)\b/;

/** The blocks of a module, and when they run. */
class Blocks {
  private readonly bodies = new Map<Statement | undefined, Statement[]>();
  /** The `except` clauses of each `try`. */
  private readonly handlers = new Map<Statement, Statement[]>();
  /** What comes after a condition whose block may have left. */
  private readonly afterLeaving = new Set<Statement>();
  private readonly known = new Map<Statement, When>();

  constructor(lines: readonly Statement[]) {
    const tries = new Map<Statement | undefined, Statement[]>();
    for (const line of lines) {
      this.bodies.set(line.header, this.bodies.get(line.header) ?? []);
      this.bodies.get(line.header)?.push(line);
      if (wordOf(line) === 'try') {
        tries.set(line.header, []);
        this.handlers.set(line, tries.get(line.header) ?? []);
      } else if (wordOf(line) === 'except') tries.get(line.header)?.push(line);
    }
    for (const body of this.bodies.values()) {
      const left = body.findIndex(line => wordOf(line) === 'if' && LEAVES.test(this.endOf(line)));
      for (const line of left === -1 ? [] : body.slice(left + 1)) this.afterLeaving.add(line);
    }
  }

  bodyOf = (header: Statement): readonly Statement[] => this.bodies.get(header) ?? [];

  /** When a statement runs. */
  whenOf(line: Statement): When {
    const when = line.header ? this.inside(line.header) : { runs: 'always' as const, isScript: false };
    return this.afterLeaving.has(line) && when.runs === 'always' ? { ...when, runs: 'sometimes' } : when;
  }

  /** How the last statement of a block begins. */
  private endOf = (header: Statement): string =>
    (this.bodyOf(header).at(-1)?.tokens.slice(0, 4) ?? []).map(token => token.code).join('');

  private inside(header: Statement): When {
    const known = this.known.get(header);
    if (known) return known;
    const outside = this.whenOf(header);
    const runs = this.runsIn(header);
    const when = {
      runs: outside.runs === 'never' || runs === 'always' ? outside.runs : runs,
      isScript: outside.isScript || mentionedIn(header.items).includes('__name__'),
    };
    this.known.set(header, when);
    return when;
  }

  /** When the block of a header runs, if the header does. */
  private runsIn(header: Statement): Runs {
    const word = wordOf(header);
    const asked = mentionedIn(header.items);
    if (word === 'try') {
      const survived = (this.handlers.get(header) ?? []).filter(line => !STOPS.test(this.endOf(line)));
      if (survived.some(({ items }) => NO_KEY.test(mentionedIn(items).join(' ')))) return 'never';
      return survived.length > 0 ? 'sometimes' : 'always';
    }
    if (asked.includes('TYPE_CHECKING') || (word === 'with' && asked.includes('suppress'))) return 'never';
    const isCondition = /^(?:if|elif|else|while|except|case)$/.test(word);
    return isCondition && !asked.includes('__name__') ? 'sometimes' : 'always';
  }
}

/** Reads a class, and where its values are from if it is one of settings. */
function settingsClassOf(
  header: Statement,
  blocks: Blocks,
): Omit<SettingsClass, 'runs'> & { envFiles: string[]; hasSources: boolean } {
  const [, name, bases] = header.items;
  const body = blocks.bodyOf(header);
  const all = [header, ...body.flatMap(line => [line, ...blocks.bodyOf(line)])];
  const optionsOf = (option: string) => all.flatMap(({ items }) => valuesOf(items, option));
  const [prefix] = optionsOf('env_prefix');
  const files = optionsOf('env_file').map(textsIn);
  const isCustom = all.some(({ tokens }) => tokens.some(({ code }) => CUSTOM.test(code)));
  const isElsewhere = optionsOf('env_file').some((value, at) => files[at]?.length === 0 && codeOf(value[0]) !== 'None');
  return {
    name: codeOf(name) ?? '',
    bases: isGroup(bases) ? argumentsOf(bases).flatMap(part => lastName(part)) : [],
    prefix: prefix && (textOf(prefix) ?? null),
    fields: body.flatMap(fieldOf),
    envFiles: files.flat(),
    hasSources: isCustom || isElsewhere,
  };
}

/** What takes values from elsewhere. */
const CUSTOM = /^(?:settings_customise_sources|secrets_dir|cli_parse_args)$/;

function fieldOf({ items }: Statement): SettingsField[] {
  const [name, colon] = items;
  if (!isName(name) || name.code.startsWith('_') || codeOf(colon) !== ':') return [];
  const equals = indexOf(items, '=');
  const [type, value] = [items.slice(2, equals), items.slice(equals + 1)];
  if (lastName(type) === 'ClassVar') return [];
  const [first] = value;
  const calls = fieldCallsIn([...type, ...value]);
  const isPlain = first !== undefined && codeOf(first) !== '...' && fieldCallsIn(value).length === 0;
  // The first release of the library lets it be absent.
  const isOptional = lastName(type) === 'Optional' || type.some(one => codeOf(one) === 'None');
  const [more, ...others] = ['validation_alias', 'alias', 'env'].flatMap(one => valuesOf([...type, ...value], one));
  return [
    {
      name: name.code,
      aliases: more && (others.length === 0 || textOf(more) !== undefined) ? textsIn(more) : undefined,
      hasDefault: isOptional || isPlain || calls.flatMap(argumentsOf).some(isDefault),
      types: mentionedIn(type),
    },
  ];
}

/** `typing.ClassVar[str]` has the last name `ClassVar`. */
function lastName(type: readonly Item[]): string {
  const end = type.findIndex(isGroup);
  return codeOf(type.slice(0, end === -1 ? undefined : end).at(-1)) ?? '';
}

/** The arguments of each `Field(…)`, also in `Annotated[str, Field(…)]`. */
const fieldCallsIn = (items: readonly Item[]): Group[] =>
  items.flatMap((item, at) => {
    if (!isGroup(item)) return [];
    return codeOf(items[at - 1]) === 'Field' ? [item] : fieldCallsIn(item.items);
  });

/** `Field(...)` and `Field(alias="X")` give no default. */
function isDefault(arg: readonly Item[]): boolean {
  const { name = 'default', value } = namedIn(arg);
  return /^default(?:_factory)?$/.test(name) && codeOf(value[0]) !== '...';
}

/** The value of each `name=…` or `"name": …`, at any depth. */
function valuesOf(items: readonly Item[], name: string): Item[][] {
  return items.flatMap((item, at) => {
    if (isGroup(item)) return valuesOf(item.items, name);
    if (item.code !== name || !/^[=:]$/.test(codeOf(items[at + 1]) ?? '')) return [];
    return [items.slice(at + 2, indexOf(items, ',', at + 2))];
  });
}

const WORDS = /^(?:and|as|elif|else|except|if|in|is|not|or|while|with)$/;

/** Every text and name in an expression. */
const mentionedIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => {
    if (isGroup(item)) return mentionedIn(item.items);
    return item.kind === 'text' || (item.kind === 'name' && !WORDS.test(item.code)) ? item.code : [];
  });

const textsIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => (isGroup(item) ? textsIn(item.items) : item.kind === 'text' ? item.code : []));

/** The text that an expression is. Texts in a row are one, also if a comma between them is missing. */
function textOf(items: readonly Item[]): string | undefined {
  const texts = items.flatMap(item => (isGroup(item) || item.kind !== 'text' ? [] : item.code));
  return items.length > 0 && texts.length === items.length ? texts.join('') : undefined;
}

/** What commas separate between brackets, such as the arguments of a call. */
const argumentsOf = ({ items }: Group): Item[][] => split(items, ',').filter(part => part.length > 0);

/** An argument's value, and its name if it is written as `name=value`. */
function namedIn(arg: readonly Item[]): { name: string | undefined; value: readonly Item[] } {
  const [first, sign] = arg;
  return isName(first) && codeOf(sign) === '='
    ? { name: first.code, value: arg.slice(2) }
    : { name: undefined, value: arg };
}

/** The entries of a dictionary. */
const entriesOf = ([only]: readonly Item[]): Item[][] =>
  isGroup(only) && only.open.code === '{' ? argumentsOf(only) : [];

/** Whether an f-string has code in it. */
const hasHole = (items: readonly Item[]): boolean =>
  items.some(item => (isGroup(item) ? item.open.kind === 'hole' || hasHole(item.items) : item.kind === 'hole'));

const inside = (module: string, name: string): string => (module.endsWith('.') ? module + name : `${module}.${name}`);

const modulesIn = ({ tokens }: Statement): string[] =>
  importsOf(tokens).flatMap(({ module, name }) => {
    return name === undefined || name === '*' ? [module] : [module, inside(module, name)];
  });
