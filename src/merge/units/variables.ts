import {
  all,
  block,
  headOf,
  isComment,
  type Language,
  type ListKind,
  listsOf,
  names,
  nextTo,
  readTree,
  type Syntax,
  syntax,
  type Unit,
} from './tree.ts';

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

export const ENV: Language = {
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
