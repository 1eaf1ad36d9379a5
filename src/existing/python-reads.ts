import { importsOf } from '../formats/python/imports.ts';
import { readPython } from '../formats/python/module.ts';
import type { Token } from '../formats/python/tokens.ts';

/** What the code of a Python module reads, according to its tokens. */
export interface PythonReads {
  /** Variables that it can't work without: `os.environ["X"]`, and the texts of a list such as `REQUIRED_ENV`. */
  required: ReadonlySet<string>;
  /** The texts of `TRANSPORT_ENV`, which the cloud may provide in its own way. */
  transport: ReadonlySet<string>;
  /** Variables that it passes on as a key, even if they aren't set: `api_key=os.getenv("X")`. */
  passed: ReadonlySet<string>;
  /** Variables that it sets. */
  assigned: ReadonlySet<string>;
  /** Texts that may name a variable. */
  mentioned: ReadonlySet<string>;
  /** Every identifier. */
  names: ReadonlySet<string>;
  /**
   * The modules that it imports, such as `.call` or `evals.judge`. In `from a import b`, `a.b` may be a module or a name,
   * so both `a` and `a.b` are in the list.
   */
  imports: ReadonlySet<string>;
}

/** Finds what a module reads from the environment, and imports. */
export function readsOf(source: string): PythonReads {
  const lines = readPython(source).statements.map(({ tokens }) => tokens);
  const tokens = lines.flat();
  const names = tokens.flatMap(({ kind, code }) => (kind === 'name' ? code : []));
  const texts = tokens.flatMap(({ kind, code }) => (kind === 'text' ? code : []));
  const places = tokens.flatMap(({ kind, code }, at) =>
    kind === 'name' && (code === 'environ' || code === 'getenv') ? at : [],
  );
  const calls = places.flatMap(at => callAt(tokens, at));
  const tested = new Set([...calls.map(({ name }) => name), ...places.flatMap(at => testBefore(tokens, at))]);
  const subscripts = places.flatMap(at => subscriptAt(tokens, at));
  const read = subscripts.filter(one => !one.isChanged && !tested.has(one.name)).map(({ name }) => name);
  const changed = subscripts.filter(one => one.isChanged).map(({ name }) => name);
  const lists = lines.flatMap(listsIn);
  return {
    required: new Set([...read, ...lists.filter(({ list }) => list !== TRANSPORT_LIST).map(({ name }) => name)]),
    transport: new Set(lists.filter(({ list }) => list === TRANSPORT_LIST).map(({ name }) => name)),
    passed: new Set(calls.filter(({ isPassedOn }) => isPassedOn).map(({ name }) => name)),
    assigned: new Set([...changed, ...places.flatMap(at => defaultAt(tokens, at))]),
    mentioned: new Set(texts.filter(text => VARIABLE.test(text))),
    names: new Set(names),
    imports: new Set(lines.flatMap(modulesIn)),
  };
}

const modulesIn = (tokens: readonly Token[]): string[] =>
  importsOf(tokens).flatMap(({ module, name }) => {
    const inside = `${module.endsWith('.') ? module : `${module}.`}${name}`;
    return name === undefined || name === '*' ? [module] : [module, inside];
  });

const VARIABLE = /^[A-Za-z_]\w*$/;

/** Whether the tokens from here on are these names and signs. */
const matches = (tokens: readonly Token[], at: number, ...codes: string[]): boolean =>
  codes.every((code, offset) => tokens[at + offset]?.kind !== 'text' && tokens[at + offset]?.code === code);

/** The text at this place, if there is one. */
const textAt = (tokens: readonly Token[], at: number): string | undefined =>
  tokens[at]?.kind === 'text' ? tokens[at]?.code : undefined;

/** `environ["X"]`, and whether it is assigned or deleted. */
function subscriptAt(tokens: readonly Token[], at: number): { name: string; isChanged: boolean }[] {
  const name = textAt(tokens, at + 2);
  if (name === undefined || !matches(tokens, at, 'environ', '[') || !matches(tokens, at + 3, ']')) return [];
  return [{ name, isChanged: matches(tokens, at + 4, '=') || matches(tokens, at - 3, 'del') }];
}

/** `"X" in os.environ`. */
const testBefore = (tokens: readonly Token[], at: number): string[] =>
  matches(tokens, at - 3, 'in', 'os', '.', 'environ') ? [textAt(tokens, at - 4) ?? ''] : [];

/** `os.environ.setdefault("X", …)`. */
const defaultAt = (tokens: readonly Token[], at: number): string[] =>
  matches(tokens, at, 'environ', '.', 'setdefault', '(') ? [textAt(tokens, at + 4) ?? ''] : [];

/** Parameters and variables that are no use without a value. */
const SECRET = /key|secret|token|password|sid$/i;

/** `getenv("X")` or `environ.get("X")`, and whether it is the argument for a key, without a default. */
function callAt(tokens: readonly Token[], at: number): { name: string; isPassedOn: boolean }[] {
  const length = [
    ['getenv', '('],
    ['environ', '.', 'get', '('],
  ].find(call => matches(tokens, at, ...call))?.length;
  const name = length && textAt(tokens, at + length);
  if (!length || !name) return [];
  const start = matches(tokens, at - 2, 'os', '.') ? at - 2 : at;
  const end = at + length + 1;
  const isArgument = matches(tokens, end, ')', ',') || matches(tokens, end, ')', ')');
  const parameter = tokens[start - 2];
  const isKey = parameter?.kind === 'name' && (SECRET.test(parameter.code) || SECRET.test(name));
  return [{ name, isPassedOn: isArgument && matches(tokens, start - 1, '=') && isKey }];
}

const TRANSPORT_LIST = 'TRANSPORT_ENV';
/** The name of a list of variables, as in generated code. */
const LIST = /^[A-Z]\w*_ENV$/;

/** The texts of every list with such a name. They belong to the innermost one around them. */
function listsIn(tokens: readonly Token[]): { list: string; name: string }[] {
  const found: { list: string; name: string }[] = [];
  const open: (string | undefined)[] = [];
  let next: { list: string; at: number } | undefined;
  for (const [at, { kind, code }] of tokens.entries()) {
    const list = open.at(-1);
    if (kind === 'text' && list !== undefined) found.push({ list, name: code });
    if (kind === 'name' && LIST.test(code)) next = { list: code, at: listAfter(tokens, at) };
    if (kind === 'text') continue;
    if ('([{'.includes(code)) open.push(next?.at === at ? next.list : list);
    else if (')]}'.includes(code)) open.pop();
  }
  return found;
}

/** Where the list begins that is assigned to the name at this place; -1 if there is none. There may be a type between them. */
function listAfter(tokens: readonly Token[], at: number): number {
  const isTyped = matches(tokens, at + 1, ':');
  const equals = isTyped ? at + tokens.slice(at, at + 10).findIndex(({ code }) => code === '=') : at + 1;
  return matches(tokens, equals, '=', '[') ? equals + 1 : -1;
}
