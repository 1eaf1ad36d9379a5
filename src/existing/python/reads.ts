import { codeOf, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import { importsOf, isImport } from '../../formats/python/imports.ts';
import { readPython, type Statement } from '../../formats/python/module.ts';
import type { Scope } from '../../formats/python/scope.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { Access } from './access.ts';
import { Blocks } from './blocks.ts';
import { absentIn, switchesIn, valuesIn } from './conditions.ts';
import { textsOf } from './constants.ts';
import { addAll, Found, type Place } from './found.ts';
import { Functions } from './functions.ts';
import { argumentsOf, textsIn, wordOf } from './lines.ts';
import type { LookUp, Settings } from './meanings.ts';
import { inside, Names } from './names.ts';
import { readSettingsClass, requiredBy } from './settings-class.ts';
import { Visitor } from './visitor.ts';

/** What the code of a Python module reads from the environment, and imports. */
export type PythonReads = ReturnType<EnvironmentReader['read']>;

/**
 * Finds what a module reads from the environment, and imports.
 *
 * @param lookUp What a name of another module means.
 */
export const readsOf = (source: string, lookUp: LookUp = () => undefined): PythonReads =>
  new EnvironmentReader(source, lookUp).read();

const NOTHING = { prefix: '', switches: [] };
const REQUIRED = 'REQUIRED_ENV';
const TRANSPORT = 'TRANSPORT_ENV';
/** What Python raises if there is no such module. A bare `except` names none. */
const NO_MODULE = /^$|\b(?:ImportError|ModuleNotFoundError|(?:Base)?Exception)\b/;

/** What gives names a meaning without naming them. */
const HIDDEN = /^(?:globals|vars|exec|setattr)$/;

class EnvironmentReader {
  private readonly found = new Found();
  private readonly classes = new Map<Settings, Place>();
  /** What only some branches add to the list of required variables. */
  private readonly inBranches = new Set<string>();
  /** The variables that the condition of a header asks for. */
  private readonly switches = new Map<Statement, readonly string[]>();
  private readonly surroundings = new Map<Statement, Pick<Place, 'prefix' | 'switches'>>();
  private readonly module;
  private readonly blocks: Blocks;
  private readonly names: Names;
  private readonly functions: Functions;
  private readonly visitor: Visitor;

  constructor(source: string, lookUp: LookUp) {
    this.module = readPython(source);
    this.blocks = new Blocks(this.module.statements);
    this.names = new Names(lookUp);
    this.functions = new Functions(this.names, this.found);
    this.visitor = new Visitor(this.names, new Access(this.names, this.found, this.functions), this.functions);
  }

  read() {
    const { statements: lines, problems } = this.module;
    const { names, top } = this;
    for (const line of lines) {
      this.names.define(line);
      this.defineMissing(line);
    }
    for (const line of lines) this.readLine(line);
    this.functions.follow();
    const settings = this.requireSettings();
    addAll(this.found.required, this.listNamed(REQUIRED));
    const tokens = lines.flatMap(line => line.tokens);
    const imports = lines.filter(line => isImport(line.tokens));
    const codesOf = (kind: Token['kind']) => tokens.filter(token => token.kind === kind).map(({ code }) => code);
    this.found.mention(codesOf('text'));
    return {
      ...this.found,
      ...settings,
      /** The texts of `TRANSPORT_ENV`, which the cloud may provide in its own way. */
      transport: new Set(this.listNamed(TRANSPORT)),
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
      mayDefineBot: ['bot', '*'].some(name => top.defines.has(name)) || codesOf('name').some(name => HIDDEN.test(name)),
      /** What its names mean to other modules. It keeps no more of the module than it needs. */
      meaningOf: (name: string) => names.of(name, top),
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

  private readLine(line: Statement): void {
    const { scope, items } = line;
    const place = { scope, when: this.blocks.whenOf(line), ...this.around(line) };
    const word = wordOf(line);
    const rest = items.slice(1);
    if (word === 'if') {
      if (this.blocks.endingOf(line) === 'stops')
        this.functions.requireChecked(absentIn(rest, scope, this.names), place);
      this.blocks.pass(line);
      this.switches.set(line, switchesIn(rest, scope, this.names));
    } else if (word === 'assert')
      this.functions.requireChecked(valuesIn(split(rest, ',')[0] ?? [], scope, this.names), place);
    else if (word === 'class') this.readSettings(line, place);
    else if (word === REQUIRED && place.when.runs === 'sometimes') {
      this.found.want(textsIn(rest), place);
      addAll(this.inBranches, textsIn(rest));
    }
    const isDefinition = /^(?:def|class)$/.test(word);
    const from = isDefinition ? indexOf(items, word) + 2 : /^(?:if|elif|while|return)$/.test(word) ? 1 : 0;
    this.visitor.visit(items.slice(from), place);
  }

  /** Takes what an assignment gives a name, if that says which variables are missing. */
  private defineMissing({ items, scope }: Statement): void {
    const [first, sign] = items;
    if (!isName(first) || codeOf(sign) !== '=') return;
    const keys = absentIn(items.slice(2), scope, this.names);
    if (keys.length > 0) this.names.give(scope, first.code, { is: 'missing', keys });
  }

  private readSettings(line: Statement, place: Place): void {
    const name = line.items[1];
    const meaning = isName(name) ? this.names.ownOf(place.scope, name.code) : undefined;
    if (meaning?.is !== 'settings' || place.when.runs === 'never') return;
    readSettingsClass(line, meaning, this.blocks, this.names, this.found);
    this.classes.set(meaning, place);
  }

  /** Takes what objects of settings classes need, and classes of which there may be objects elsewhere. */
  private requireSettings() {
    const { made } = this.found;
    for (const { meaning, place, given } of made) if (given) this.found.require(requiredBy(meaning, given), place);
    const bases = [...this.classes.keys()].flatMap(({ base }) => base ?? []);
    const used = new Set([...made.map(({ meaning }) => meaning), ...bases]);
    const others = [...this.classes].filter(([meaning]) => !used.has(meaning));
    for (const [meaning, place] of others)
      if (place.when.runs === 'sometimes') this.found.require(requiredBy(meaning), place);
    const always = others.filter(([, { when }]) => when.runs === 'always');
    return {
      /** The classes of settings that it uses, also those of other modules. */
      used,
      /** Those that nothing here uses, with the variables that an object of each can't do without. */
      classes: new Map(always.map(([meaning]) => [meaning, requiredBy(meaning)])),
    };
  }

  /** The texts of a list with such a name. */
  private listNamed(name: string): readonly string[] {
    const meaning = this.names.of(name, this.top);
    const isKnown = meaning?.is === 'texts' ? meaning.isComplete : !this.names.others.has(name);
    this.found.isUntraced ||= !isKnown && name !== TRANSPORT;
    return meaning?.is === 'texts' ? meaning.texts.filter(one => !this.inBranches.has(one)) : [];
  }

  /** The lists of a dictionary with such a name. */
  private tableNamed(name: string): Map<string, readonly string[]> {
    const [only] = this.names.others.get(name) ?? [];
    const entries = isGroup(only) && only.open.code === '{' ? argumentsOf(only) : [];
    return new Map(
      entries.map(([key, , ...value]) => [
        textsIn(key ? [key] : []).join(),
        textsOf(value, this.top, this.names)?.texts ?? [],
      ]),
    );
  }

  /** What the headers around a statement say about names. */
  private around({ header }: Statement): Pick<Place, 'prefix' | 'switches'> {
    if (!header) return NOTHING;
    const known = this.surroundings.get(header);
    if (known) return known;
    const { prefix, switches } = this.around(header);
    const at = header.items.findIndex(item => codeOf(item) === 'prefixed');
    const call = header.items[at + 1];
    const found = {
      prefix: prefix + (at > 0 && isGroup(call) ? textsIn(call.items).join('') : ''),
      switches: this.switches.get(header) ?? switches,
    };
    this.surroundings.set(header, found);
    return found;
  }

  private get top(): Scope {
    return this.module.scopes[0] as Scope;
  }
}

const modulesIn = ({ tokens }: Statement): string[] =>
  importsOf(tokens).flatMap(({ module, name }) => {
    return name === undefined || name === '*' ? [module] : [module, inside(module, name)];
  });
