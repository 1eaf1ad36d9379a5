import satisfies from 'semver/functions/satisfies.js';
import minVersion from 'semver/ranges/min-version.js';
import validRange from 'semver/ranges/valid.js';
import { parse as parseTomlDocument } from 'smol-toml';
import { normalize, type Requirement, readRequirement, writeRequirement } from '../../formats/requirement.ts';
import { orElse, parsedJson } from '../../std.ts';
import type { Versions } from '../lines.ts';
import {
  all,
  anyOrder,
  block,
  headOf,
  isComment,
  isList,
  items,
  type Language,
  type ListKind,
  listsOf,
  names,
  nextTo,
  plainQuotes,
  readTree,
  type Syntax,
  syntax,
  type Token,
  type Unit,
  wordsOf,
} from './tree.ts';

// Readers of data: lists in brackets, pairs, tables. They take any text; whether it's valid, the format's parser says.

/** Brackets that are nested more deeply are words. */
const DEEPEST = 20;

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };
const LISTS: Readonly<Record<string, string>> = { '[': 'Array', '{': 'Object' };

const isValid = (read: () => unknown): boolean => orElse(() => read() !== undefined, false);

/** What a word is: a sign is called what it is, and other words never, as one may say `Array` or `toString`. */
function typeOfWord(word: string): string {
  if (/^[[\]{}:,=\n]$/.test(word)) return word;
  return /^(#|\/[/*])/.test(word) ? 'Comment' : /^["']/.test(word) ? 'String' : 'Word';
}

/** Words, and what is in brackets, in the order of a text. */
class Reader {
  at = 0;
  readonly words: Syntax[];

  constructor(text: string, word: RegExp) {
    this.words = [...text.matchAll(word)].map(({ 0: own, index }) =>
      syntax(typeOfWord(own), index, index + own.length),
    );
  }

  /** The next word, or a list with all that is in it. */
  readValue(depth = 0): Syntax {
    const first = this.words[this.at++] as Syntax;
    const close = CLOSING[first.name];
    if (close === undefined) return first;
    if (depth === DEEPEST) return this.skipBrackets(first);
    const children = [first];
    while (this.at < this.words.length) {
      const next = this.words[this.at] as Syntax;
      if (next.name === '\n') this.at += 1;
      else children.push(this.readValue(depth + 1));
      if (next.name === close) break;
    }
    return syntax(LISTS[first.name] ?? '', first.from, (children.at(-1) as Syntax).to, children);
  }

  private skipBrackets({ from, to }: Syntax): Syntax {
    let last = to;
    for (let open = 1; open > 0 && this.at < this.words.length; this.at += 1) {
      const { name, to: end } = this.words[this.at] as Syntax;
      open += name in CLOSING ? 1 : /^[\]}]$/.test(name) ? -1 : 0;
      last = end;
    }
    return syntax('Word', from, last);
  }
}

const JSON_WORD = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\]:,]|(?!\/[/*])[^\s{}[\]:,"]+/g;

function readJson(text: string): Syntax {
  const reader = new Reader(text, JSON_WORD);
  const values: Syntax[] = [];
  while (reader.at < reader.words.length) values.push(reader.readValue());
  const root = syntax('Document', 0, text.length, values);
  const codes = reader.words.map(({ name, from, to }) => (name === 'Comment' ? '' : text.slice(from, to)));
  root.isError = !isValid(() => JSON.parse(codes.join(' ')));
  return root;
}

const TOML_WORD =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|#[^\n]*|[[\]{},=]|[^\s[\]{},=#"']+|\n/g;

const HEADER = /[ \t]*\[[^\n]*?\][ \t]*(?=#|\r?\n|$)/y;

/** The tables of a document, each with its pairs; first, the pairs without a table. */
function readToml(text: string): Syntax {
  const reader = new Reader(text, TOML_WORD);
  const { words } = reader;
  const top: Syntax[] = [];
  let into = top;
  while (reader.at < words.length) {
    const { name, from, to } = words[reader.at] as Syntax;
    const lineStart = text.lastIndexOf('\n', from) + 1;
    HEADER.lastIndex = lineStart;
    if (name === '\n' || name === 'Comment') {
      if (name === 'Comment') into.push(syntax(name, from, to));
      reader.at += 1;
    } else if (name === '[' && text.slice(lineStart, from).trim() === '' && HEADER.test(text)) {
      const end = text.slice(0, HEADER.lastIndex).trimEnd().length;
      // The comments right above a table are about it.
      const about: Syntax[] = [];
      for (let below = from; into !== top && into.at(-1)?.name === 'Comment'; below = about[0]?.from ?? 0) {
        if (/\n\s*\n/.test(text.slice(into.at(-1)?.to, below))) break;
        about.unshift(into.pop() as Syntax);
      }
      into = [syntax('Head', from, end)];
      top.push(...about, syntax('Table', from, end, into));
      while ((words[reader.at]?.from ?? end) < end) reader.at += 1;
    } else {
      const parts: Syntax[] = [];
      while (reader.at < words.length && !/^(\n|Comment)$/.test(words[reader.at]?.name ?? ''))
        parts.push(reader.readValue());
      into.push(syntax('Pair', from, parts.at(-1)?.to ?? to, parts));
    }
  }
  for (const table of top) table.to = table.children.at(-1)?.to ?? table.to;
  const root = syntax('Toml', 0, text.length, top);
  root.isError = !isValid(() => parseTomlDocument(text));
  return root;
}

/** The first word of a unit: the key of a pair, or the header of a table. */
const keyOf = (unit: Unit | undefined): string =>
  unit?.parts.find((part): part is Token => !isList(part) && part.plain !== '')?.plain ?? '';

const sorted: ListKind = { ...anyOrder, isSorted: true };

/** The sign of a value that isn't in another one. */
const DOCUMENT = 'document';

const DEPENDENCIES = /^"(dependencies|devDependencies|peerDependencies|optionalDependencies)"$/;

/** Whether a unit is the version of a package, or in one. */
function isVersion(unit: Unit | undefined): boolean {
  const pair = unit?.list?.owner;
  if (!unit || !pair) return false;
  return (DEPENDENCIES.test(keyOf(pair)) && pair.list?.owner.sign === DOCUMENT) || isVersion(pair);
}

/** A version that the user raised wins if it is one of botcli's, and so does another source, such as a path. */
function isRaised(user: unknown, botcli: unknown): boolean {
  if (typeof user !== 'string') return false;
  const lowest = validRange(user) === null ? null : minVersion(user);
  return lowest === null || (typeof botcli === 'string' && satisfies(lowest, botcli));
}

const JSON_: Language = {
  parse: readJson,
  lists: { Document: { ...block, range: all }, Object: sorted, Array: items },
  atoms: names(''),
  comments: names('Comment'),
  broken: "With botcli's change, the file would no longer be valid JSON.",
  plain: text => text,
  sign: unit => {
    if (unit.list?.owner.list === undefined) return DOCUMENT;
    const words = wordsOf(unit);
    return words[1] === ':' ? `.${words[0]}` : words.length > 1 ? undefined : words[0];
  },
  isUnique: sign => sign.startsWith('.'),
  settle: ({ user, botcli }) => {
    // What the user changed stays, even if botcli doesn't need it any more.
    if (!user || !botcli) return user && true;
    const valueIn = (unit: Unit) => parsedJson(headOf(unit)[2]?.text ?? '');
    return isVersion(user) && isRaised(valueIn(user), valueIn(botcli)) ? true : undefined;
  },
};

/** Whether a unit is the requirement of a package. */
function isRequirement({ type, list }: Unit): boolean {
  const pair = list?.owner;
  if (type !== 'String' || list?.kind !== sorted || !pair) return false;
  const [table, key] = [keyOf(pair.list?.owner), keyOf(pair)];
  return table === '[project]'
    ? key === 'dependencies'
    : /^\[(project\.optional-dependencies|dependency-groups)\]$/.test(table);
}

const valueIn = (unit: Unit | undefined): string =>
  orElse(() => (parseTomlDocument(`x = ${unit ? headOf(unit)[0]?.text : ''}`) as { x: string }).x, '');

const requirementOf = (unit: Unit | undefined): Requirement | undefined => readRequirement(valueIn(unit));

const NOTHING: Requirement = { name: '', extras: [], version: '', marker: '' };

const quote = (value: string): string => (value.includes('"') ? `'${value}'` : JSON.stringify(value));

const TOML: Language = {
  parse: readToml,
  lists: {
    Toml: { ...block, isOrdered: false, range: all },
    Table: { ...block, isOrdered: false, range: children => [1, children.length] },
    Array: sorted,
    Object: anyOrder,
  },
  atoms: names(''),
  comments: names('Comment'),
  broken: "With botcli's change, the file would no longer be valid TOML.",
  plain: plainQuotes,
  sign: unit => {
    const words = wordsOf(unit);
    if (unit.type === 'Table') return words[0];
    if (unit.type === 'Object') return undefined;
    if (words.includes('=')) return `.${words.slice(0, words.indexOf('=')).join('')}`;
    return isRequirement(unit) ? `package ${normalize(requirementOf(unit)?.name ?? '')}` : words.join(' ');
  },
  isUnique: sign => /^(\.|package |\[(?!\[))/.test(sign),
  settle: ({ user, base, botcli }) => {
    const unit = (user ?? base ?? botcli) as Unit;
    if (!isRequirement(unit) || !user) return undefined;
    if (!botcli) return true;
    const [mine, old, its] = [user, base, botcli].map(requirementOf);
    const merged = mine && its && mergeRequirement({ user: mine, base: old ?? NOTHING, botcli: its });
    return merged && quote(writeRequirement(merged));
  },
};

const requirementsIn = (text: string): Unit[] =>
  readTree(TOML, text)
    .units.filter(isRequirement)
    .sort((one, other) => one.from - other.from);

/** The packages that a pyproject.toml requires, and their extras. */
export const listPackages = (text: string): string[] =>
  requirementsIn(text).flatMap(unit => {
    const one = requirementOf(unit);
    return one ? [one.name, ...one.extras] : [];
  });

/** A pyproject.toml that doesn't require some packages and extras. */
export function withoutPackages(text: string, names: readonly string[]): string {
  return requirementsIn(text).reduceRight((rest, unit) => {
    const one = requirementOf(unit);
    const extras = one?.extras.filter(extra => !names.includes(extra)) ?? [];
    const [before, after] = [rest.slice(0, unit.from), rest.slice(unit.to)];
    if (one && names.includes(one.name))
      return before.replace(/[ \t]*$/, '') + after.replace(/^[ \t]*,?[ \t]*(#.*)?\n?/, '');
    return one && extras.length < one.extras.length
      ? before + quote(writeRequirement({ ...one, extras })) + after
      : rest;
  }, text);
}

// A reader of .env.example: its lines are its units.

/** The lines of a text, without the white space around each. */
function linesOf(text: string): Syntax[] {
  return [...text.matchAll(/^.*$/gm)].map(({ 0: line, index }) => {
    const from = index + line.length - line.trimStart().length;
    return syntax('Line', from, Math.max(from, index + line.trimEnd().length));
  });
}

const VARIABLE = /^(?:(#\s*)?(export\s+)?([A-Z][A-Z0-9_]*)|()(export\s+)?([A-Za-z_]\w*))\s*(=)/;
const HEADING = /^# ---/;

/** Variables, also those that are commented out, comments, and groups: from a heading to the next one, or to a blank line. */
function readEnv(text: string): Syntax {
  const top: Syntax[] = [];
  let into = top;
  for (const line of linesOf(text)) {
    const own = text.slice(line.from, line.to);
    const [start, off = '', set = '', upper = '', , , any = '', equals] = VARIABLE.exec(own) ?? [];
    if (own === '') into = top;
    else if (HEADING.test(own)) {
      into = [syntax('Head', line.from, line.to)];
      top.push(syntax('Group', line.from, line.to, into));
    } else if (equals) {
      const name = line.from + own.indexOf(upper || any, off.length + set.length);
      const value = line.from + (start?.length ?? 0);
      const before = own.slice(0, name - line.from).trimEnd();
      into.push(
        syntax('Variable', line.from, line.to, [
          ...(before ? [syntax('Off', line.from, line.from + before.length)] : []),
          syntax('Name', name, name + (upper || any).length),
          syntax('=', value - 1, value),
          ...(value < line.to ? [syntax('Value', value, line.to)] : []),
        ]),
      );
    } else into.push(syntax(own.startsWith('#') ? 'Comment' : 'Line', line.from, line.to));
  }
  for (const group of top) group.to = group.children.at(-1)?.to ?? group.to;
  return syntax('Env', 0, text.length, top);
}

const nameOf = (unit: Unit): string | undefined => headOf(unit).find(({ type }) => type === 'Name')?.text;

const lines: ListKind = { ...block, isOrdered: false };

const ENV: Language = {
  parse: readEnv,
  lists: { Env: { ...lines, range: all }, Group: { ...lines, range: children => [1, children.length] } },
  atoms: names(''),
  comments: names('Comment'),
  isOpen: true,
  plain: text => text,
  sign: unit => {
    const [first] = headOf(unit);
    return unit.type === 'Group' ? first?.text.replace(/\s*[(:].*/, '') : (nameOf(unit) ?? first?.text);
  },
  isUnique: sign => HEADING.test(sign) || /^\w+$/.test(sign),
  isSingle: sign => /^\w+$/.test(sign),
  isFrame: ({ type }) => type === 'Group',
  // A variable that the user has changed, removed or commented out is theirs.
  settle: ({ user, base, botcli }) => {
    const { type } = (user ?? base ?? botcli) as Unit;
    return type === 'Variable' || (type === 'Group' && user && botcli) ? true : undefined;
  },
};

/** The variables in a text, also those that are commented out. */
export const listVariables = (text: string): string[] =>
  readTree(ENV, text)
    .units.sort((one, other) => one.from - other.from)
    .flatMap(unit => (unit.type === 'Variable' ? (nameOf(unit) ?? []) : []));

/** A text without some variables, and without the headings of groups that have no others. */
export function withoutVariables(text: string, names: readonly string[]): string {
  const isGone = (unit: Unit) => names.includes(nameOf(unit) ?? '');
  const gone = readTree(ENV, text).units.flatMap(unit => {
    const inner = listsOf(unit).flatMap(list => list.units);
    const isEmptied = unit.type === 'Group' && inner.some(isGone) && inner.every(one => isGone(one) || !nameOf(one));
    if (isEmptied) return [[text.slice(0, unit.from).replace(/\n$/, '').length, unit.parts[0]?.to ?? 0]];
    if (!isGone(unit)) return [];
    let first = unit;
    for (let above = nextTo(unit, -1); above && isComment(above); above = nextTo(above, -1)) {
      if (/\n\s*\n/.test(text.slice(above.to, first.from))) break;
      first = above;
    }
    return [[first.from, unit.to]];
  });
  const rest = gone
    .sort(([one = 0], [other = 0]) => other - one)
    .reduce((now, [from, to]) => now.slice(0, from) + now.slice((to ?? 0) + 1), `${text}\n`);
  return rest.slice(0, -1);
}

/** Merges what both sides changed about one package; nothing if they contradict each other. */
function mergeRequirement({ user, base, botcli }: Versions<Requirement>): Requirement | undefined {
  const version = mergeVersion({ user: user.version, base: base.version, botcli: botcli.version });
  const marker = pick({ user: user.marker, base: base.marker, botcli: botcli.marker });
  if (version === undefined || marker === undefined) return undefined;
  const added = botcli.extras.filter(extra => !base.extras.includes(extra) && !user.extras.includes(extra));
  const isRemoved = (extra: string) => base.extras.includes(extra) && !botcli.extras.includes(extra);
  const extras = [...user.extras.filter(extra => !isRemoved(extra)), ...added];
  const isSorted = user.extras.join() === [...user.extras].sort().join();
  return { name: user.name, extras: isSorted ? extras.sort() : extras, version, marker };
}

/** The side that changed; nothing if both did, and not alike. */
function pick<Value>({ user, base, botcli }: Versions<Value>): Value | undefined {
  if (user === botcli || botcli === base) return user;
  return user === base ? botcli : undefined;
}

/** A version that the user raised wins if it is one of botcli's, and so does another source, such as a URL. */
function mergeVersion(versions: Versions<string>): string | undefined {
  const { user, botcli } = versions;
  const squeeze = (text: string) => text.replace(/\s/g, '');
  const picked = pick({ user: squeeze(user), base: squeeze(versions.base), botcli: squeeze(botcli) });
  if (picked !== undefined) return picked === squeeze(user) ? user : botcli;
  if (user.startsWith('@')) return user;
  const lowest = clausesOf(user)?.find(({ sign }) => /^(==|>=|~=)/.test(sign))?.release;
  const range = clausesOf(botcli)?.map(({ sign, release, within }) =>
    sign === '~=' ? `>=${release} ${within}` : sign.replace(/^=+/, '=') + release,
  );
  return lowest && range && satisfies(lowest, range.join(' ')) ? user : undefined;
}

/** Reads `>=1.4,<2`, with releases as npm writes them; nothing for what it can't write, such as pre-releases. */
function clausesOf(version: string) {
  const clauses = version.split(',').map(part => /^\s*(===?|>=|<=|~=|<|>)\s*(\d+(?:\.\d+){0,2})\s*$/.exec(part));
  return clauses.every(clause => clause !== null)
    ? clauses.map(([, sign = '', release = '']) => ({
        sign,
        release: `${release}.0.0`.split('.').slice(0, 3).join('.'),
        within: release.replace(/\d+$/, 'x'),
      }))
    : undefined;
}

/** The languages of files with data, by their names. */
export const DATA: readonly (readonly [files: RegExp, language: Language])[] = [
  [/\.json$/, JSON_],
  [/\.toml$/, TOML],
  [/(^|\/)\.env\.example$/, ENV],
];
