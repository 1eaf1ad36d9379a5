import { isSecret } from '../../catalog/index.ts';
import { codeOf, type Group, type Item, isGroup, isName } from '../../formats/python/expressions.ts';
import { isAsked } from './blocks.ts';
import { keyOf, meaningIn } from './constants.ts';
import { addAll, type Found, type Place } from './found.ts';
import { type Functions, isKnown } from './functions.ts';
import { argumentsOf, hasDefault, hasHole, mentionedIn, namedIn, textsIn } from './lines.ts';
import { type Key, type Meaning, namesIn, type Settings } from './meanings.ts';
import type { Names } from './names.ts';
import { optionalAt } from './values.ts';

/** Where a name is in an expression, and where the expression that it begins ends. */
interface Spot {
  items: readonly Item[];
  at: number;
  end: number;
}

/** Reads what an expression does with the environment. */
export class Access {
  private readonly names: Names;
  private readonly found: Found;
  private readonly functions: Functions;

  constructor(names: Names, found: Found, functions: Functions) {
    this.names = names;
    this.found = found;
    this.functions = functions;
  }

  readName(meaning: Meaning | undefined, spot: Spot, place: Place): void {
    const { items, at, end } = spot;
    const next = items[end];
    const isCall = isGroup(next) && next.open.code === '(';
    if (meaning?.is === 'environ') this.readEnvironment(meaning, spot, place);
    else if (meaning?.is === 'reader') this.readWithReader(meaning.defaults, spot, place);
    else if (meaning?.is === 'settings') this.readSettings(meaning, spot, place);
    else if (meaning?.is === 'source') this.found.hasSources ||= place.when.runs !== 'never';
    else if (meaning?.is === 'load' || meaning?.is === 'values') {
      if (isCall && place.when.runs !== 'never') this.readEnvFile(next, place);
    } else if (meaning?.is === 'getitem' && isCall) {
      const [mapping = [], key = []] = argumentsOf(next);
      this.readItems([keyOf(key, place.scope, this.names)], mapping, place);
    } else if (meaning?.is === 'getter' && isCall) {
      this.readItems(meaning.keys, argumentsOf(next)[0] ?? [], place);
    } else if (meaning?.is === 'getter class' && isCall) {
      const call = items[end + 1];
      const keys = argumentsOf(next).map(arg => keyOf(arg, place.scope, this.names));
      if (isGroup(call) && call.open.code === '(') this.readItems(keys, argumentsOf(call)[0] ?? [], place);
    } else if (isCall) {
      // A file that a reader's class gets is one to read.
      if (meaning?.is === 'reader class' && hasText(next)) this.readEnvFile(next, place);
      const callee = () => this.names.at(items, at, place.scope).meaning;
      this.functions.add({ ...place, callee, args: argumentsOf(next) });
    } else if (/^(?:self|cls)$/.test(codeOf(items[at]) ?? '') && codeOf(next) === '.') {
      const [method, call] = items.slice(end + 1, end + 3);
      const owner = place.scope.resolve(codeOf(items[at]) ?? '')?.parent;
      if (!isName(method) || !isGroup(call) || owner?.kind !== 'class') return;
      const callee = () => this.names.ownOf(owner, method.code);
      this.functions.add({ ...place, callee, args: argumentsOf(call) });
    }
  }

  /** Reads a call, whatever it calls: some pass variables on, and tests set them. */
  readCall(callee: string, group: Group, place: Place): void {
    const args = argumentsOf(group);
    const [first = []] = args;
    const isMock =
      callee === 'dict' &&
      (this.names.at(first, 0, place.scope).meaning?.is === 'environ' || textsIn(first)[0] === 'os.environ');
    if (callee === 'setenv') addAll(this.found.assigned, this.textsOf(first, place));
    if (isMock && args.length > 1) this.update(args.slice(1), place);
    if (place.when.runs === 'never') return;
    for (const arg of args) {
      const { name, value } = namedIn(arg);
      const passed = this.passedIn(value, place).filter(one => !isAsked(one, place.when));
      const isAlone = args.length === 1 && /^[A-Z]/.test(callee);
      const isKey = (one: string) => (name === undefined ? isAlone && isSecret(one) : isSecret(name) || isSecret(one));
      this.found.want(passed.filter(isKey), place);
    }
  }

  /** The variables whose values are passed on although they may be absent. */
  private passedIn(value: readonly Item[], { scope, when }: Place): readonly string[] {
    const optional = optionalAt(value, 0, scope, this.names);
    const meaning = meaningIn(value, scope, this.names);
    if (meaning?.is === 'value' && !isAsked(mentionedIn(value).join(), when)) return namesIn(meaning.key);
    return optional?.isEmpty && optional.end === value.length ? namesIn(optional.key) : [];
  }

  /** Reads `os.environ` with what is done to it. */
  private readEnvironment(
    { isCopy, own }: Extract<Meaning, { is: 'environ' }>,
    { items, at, end }: Spot,
    place: Place,
  ): void {
    const [next, method, call] = items.slice(end, end + 3);
    const sign = codeOf(next);
    if (isGroup(next) && next.open.code === '[') {
      const isAssigned = codeOf(method) === '=';
      if (codeOf(items[at - 1]) === 'del' || isKnown(next.items, place)) return;
      const key = keyOf(next.items, place.scope, this.names);
      // What the code keeps for itself may have any keys.
      if (!isAssigned && (key || !isCopy)) this.functions.require(without(key, own), place);
      else if (isAssigned && !isCopy) this.found.assign(key, items.slice(end + 2));
    } else if (sign === '.' && isGroup(call)) {
      const args = argumentsOf(call);
      const key = keyOf(args[0] ?? [], place.scope, this.names);
      if (codeOf(method) === '__getitem__' || (codeOf(method) === 'pop' && args.length === 1))
        this.functions.require(key, place);
      else if (codeOf(method) === 'setdefault' && !isCopy) this.found.assign(key, []);
      else if (codeOf(method) === 'update' && !isCopy) this.update(args, place);
    } else if (!isCopy && (sign === '|=' || (sign === '=' && at === 0 && end > 1))) this.found.hasSources = true;
  }

  /** Reads what takes these keys out of a mapping, such as `itemgetter("X")(os.environ)`. */
  private readItems(keys: readonly Key[], mapping: readonly Item[], place: Place): void {
    const { meaning, end } = this.names.at(mapping, 0, place.scope);
    if (meaning?.is !== 'environ' || end !== mapping.length) return;
    for (const key of keys) if (key || !meaning.isCopy) this.functions.require(without(key, meaning.own), place);
  }

  /** Reads `env("X")`, `env.str("X")` and the like. */
  private readWithReader(defaults: readonly string[], { items, end }: Spot, place: Place): void {
    const method = codeOf(items[end]) === '.' ? codeOf(items[end + 1]) : undefined;
    const call = items[method === undefined ? end : end + 2];
    if (!isGroup(call) || call.open.code !== '(') return;
    const [name = [], ...more] = argumentsOf(call);
    if (method === 'read_env') this.readEnvFile(call, place);
    if (/^(?:read_env|prefixed|seal)$/.test(method ?? '') || hasDefault(more)) return;
    const key = without(keyOf(name, place.scope, this.names), defaults);
    this.functions.require(key && !('of' in key) ? key.map(one => place.prefix + one) : key, place);
  }

  /** Reads `Settings(a=1)`, which needs the other variables. */
  private readSettings(meaning: Settings, { items, end }: Spot, place: Place): void {
    const isLoaded = /^(?:model_validate|model_construct|parse_obj)$/.test(codeOf(items[end + 1]) ?? '');
    const call = items[end];
    if (!isLoaded && !(isGroup(call) && call.open.code === '(')) return;
    const args = isGroup(call) ? argumentsOf(call) : [];
    const isOpen = isLoaded || args.some(arg => codeOf(arg[0]) === '**');
    this.found.made.push({ meaning, place, given: isOpen ? undefined : args.map(arg => namedIn(arg).name) });
    this.found.isUntraced ||= isOpen;
    const file = args.find(arg => namedIn(arg).name === '_env_file');
    if (file) this.found.envFiles.push(...textsIn(file));
  }

  private readEnvFile(call: Group, place: Place): void {
    for (const arg of argumentsOf(call)) {
      const { name, value } = namedIn(arg);
      if (name === 'stream') this.found.hasSources = true;
      if (name !== undefined && !/^(?:(?:dotenv_)?path|env_file|source)$/.test(name)) continue;
      const [only] = value;
      const expression = (value.length === 1 && isName(only) && this.names.others.get(only.code)) || value;
      const texts = new Set([...this.textsOf(value, place), ...textsIn(expression)]);
      if (texts.size > 0 && !hasHole(expression)) this.found.envFiles.push([...texts].join('/'));
      else if (!mentionedIn(expression).includes('find_dotenv')) this.found.hasSources = true;
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
        codeOf(entry[1]) === ':' ? keyOf(entry.slice(0, 1), scope, this.names) : undefined,
      );
      if (name === undefined && (keys.length === 0 || keys.includes(undefined))) this.found.hasSources = true;
      addAll(this.found.assigned, name === undefined ? keys.flatMap(namesIn) : [name]);
    }
  }

  private textsOf = (items: readonly Item[], { scope }: Place): readonly string[] =>
    namesIn(keyOf(items, scope, this.names));
}

const without = (key: Key, names: readonly string[]): Key =>
  key && !('of' in key) ? key.filter(one => !names.includes(one)) : key;

/** Whether the first argument of a call is a text. */
const hasText = ({ items: [first] }: Group): boolean => first !== undefined && !isGroup(first) && first.kind === 'text';
