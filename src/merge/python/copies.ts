import type { Versions } from '../lines.ts';
import { type Statement, wordOf } from './draft.ts';
import { readLines } from './read.ts';

/** A function of the user's that got nothing of a change, and the one next to it that did. */
export interface Copy {
  copy: string;
  original: string;
}

/** A function with less may be like another one by chance. */
const FEWEST_STATEMENTS = 8;

/**
 * Finds functions that the user has copied from one of botcli's, if an update changes that one only.
 *
 * @param merged The user's text after the update.
 */
export function findCopies({ user, base, botcli }: Versions<string>, merged: string): Copy[] {
  const [mine, old, ours, now] = [user, base, botcli, merged].map(functionsIn) as [Functions, ...Functions[]];
  return [...(old as Functions)].flatMap(([name, rows]): Copy[] => {
    const isChanged = rows.join() !== ours?.get(name)?.join();
    if (!isChanged || rows.length < FEWEST_STATEMENTS) return [];
    const alike = [...mine].filter(([, own]) => isLike(own, rows));
    const changed = alike.filter(([one, own]) => own.join() !== now?.get(one)?.join());
    const [original] = changed.find(([one]) => one === name) ?? changed[0] ?? [];
    const left = alike.filter(one => !changed.includes(one));
    return original === undefined ? [] : left.map(([copy]) => ({ copy, original }));
  });
}

/** The code of each statement in the functions of a module, by their names. */
type Functions = Map<string, string[]>;

function functionsIn(text: string): Functions {
  const found: Functions = new Map();
  for (const statement of readLines(text.split(/\r?\n/)).statements) {
    let top: Statement | undefined;
    for (let outer = statement.header; outer; outer = outer.header) if (wordOf(outer) === 'def') top = outer;
    const name = top && nameOf(top);
    if (name === undefined) continue;
    const rows = found.get(name);
    const code = statement.tokens.map(token => token.code).join();
    if (rows) rows.push(code);
    else found.set(name, [code]);
  }
  return found;
}

const nameOf = ({ tokens }: Statement): string | undefined =>
  tokens[tokens.findIndex(({ code }) => code === 'def') + 1]?.code;

/** Whether a function has most of another one's statements. */
function isLike(rows: readonly string[], original: readonly string[]): boolean {
  const own = new Set(rows);
  return 10 * original.filter(row => own.has(row)).length > 6 * original.length;
}
