import { renderList } from '../../formats/python/calls.ts';
import type { Module } from '../../formats/python/module.ts';
import type { Lines, Versions } from '../lines.ts';
import { insertInOrder } from '../order.ts';
import { readLines } from './read.ts';

/** A list of texts in a variable of the module, such as `REQUIRED_ENV`: lines `[start, end)`. */
interface TextList {
  start: number;
  end: number;
  /** As they are written, with their quotes. */
  items: string[];
}

/** Merges lists of texts by item, in the user's order. */
export function settleLists(versions: Versions<Lines>): Versions<Lines> {
  const [base, botcli] = [findLists(versions.base), findLists(versions.botcli)];
  const isChanged = (list: TextList, old: TextList | undefined) => old && list.items.join() !== old.items.join();
  const changed = [...botcli].filter(([name, list]) => isChanged(list, base.get(name)));
  if (changed.length === 0) return versions;
  const lists = { user: findLists(versions.user), base, botcli };
  const merged = changed.flatMap(([name, ours]) => {
    const [mine, old] = [lists.user.get(name), base.get(name)];
    if (!mine || !old || !isChanged(mine, old)) return [];
    const items = mergeTexts({ user: mine, base: old, botcli: ours });
    return [[name, write(name, items, versions.user.slice(mine.start, mine.end))] as const];
  });
  const replace = (side: keyof typeof lists) => replaceLists(versions[side], lists[side], new Map(merged));
  return { user: replace('user'), base: replace('base'), botcli: replace('botcli') };
}

function findLists(lines: Lines): Map<string, TextList> {
  const { statements } = readLines(lines);
  const lists = statements.filter(one => one.depth === 0 && !one.hasComment).flatMap(one => readList(one, lines));
  const names = lists.map(([name]) => name);
  return new Map(lists.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name)));
}

function readList({ tokens, start, end }: Module['statements'][number], lines: Lines): [string, TextList][] {
  const [name, equals, open, ...rest] = tokens;
  if (name?.kind !== 'name' || equals?.code !== '=' || open?.code !== '[' || rest.at(-1)?.code !== ']') return [];
  const items = rest.slice(0, -1).filter((_, at) => at % 2 === 0);
  const commas = rest.slice(0, -1).filter((_, at) => at % 2 === 1);
  if (items.some(({ kind }) => kind !== 'text') || commas.some(({ kind, code }) => kind !== 'sign' || code !== ',')) {
    return [];
  }
  const codes = items.map(({ line, column, code }) => {
    const text = (lines[line] ?? '').slice(column);
    return text.slice(0, code.length + 2);
  });
  const isPlain = codes.every((code, at) => /^(["']).*\1$/.test(code) && code.slice(1, -1) === items[at]?.code);
  return isPlain ? [[name.code, { start, end, items: codes }]] : [];
}

function mergeTexts({ user, base, botcli }: Versions<TextList>): string[] {
  const textOf = (item: string) => item.slice(1, -1);
  const [mine, old, ours] = [user, base, botcli].map(({ items }) => items.map(textOf)) as [
    string[],
    string[],
    string[],
  ];
  const kept = user.items.filter(item => !old.includes(textOf(item)) || ours.includes(textOf(item)));
  const added = botcli.items.filter(item => !old.includes(textOf(item)) && !mine.includes(textOf(item)));
  return insertInOrder(kept, added, botcli.items);
}

/** The list on as many lines as the user has it, or one for each item if that's too long. */
function write(name: string, items: readonly string[], rows: Lines): Lines {
  if (rows.length === 1) return renderList(name, items).split('\n');
  const indent = /^\s+/.exec(rows[1] ?? '')?.[0] ?? '    ';
  return [`${name} = [`, ...items.map(item => `${indent}${item},`), ']'];
}

function replaceLists(
  lines: Lines,
  lists: ReadonlyMap<string, TextList>,
  merged: ReadonlyMap<string, Lines>,
): string[] {
  const result = [...lines];
  for (const [name, { start, end }] of [...lists].reverse()) {
    const rows = merged.get(name);
    if (rows) result.splice(start, end - start, ...rows);
  }
  return result;
}
