import { codeOf, type Group, type Item, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Statement } from '../../formats/python/module.ts';

/** The first word or sign of a statement, after `async`; empty if it begins with a text. */
export function wordOf(statement: Statement | undefined): string {
  const [first, second] = statement?.tokens ?? [];
  return (codeOf(first) === 'async' ? codeOf(second) : codeOf(first)) ?? '';
}

const WORDS = /^(?:and|as|elif|else|except|if|in|is|not|or|while|with)$/;

/** Every text and name in an expression. */
export const mentionedIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => {
    if (isGroup(item)) return mentionedIn(item.items);
    return item.kind === 'text' || (item.kind === 'name' && !WORDS.test(item.code)) ? item.code : [];
  });

export const textsIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => (isGroup(item) ? textsIn(item.items) : item.kind === 'text' ? item.code : []));

/** The text that an expression is. Texts in a row are one, also if a comma between them is missing. */
export function textOf(items: readonly Item[]): string | undefined {
  const texts = items.flatMap(item => (isGroup(item) || item.kind !== 'text' ? [] : item.code));
  return items.length > 0 && texts.length === items.length ? texts.join('') : undefined;
}

/** Whether an f-string has code in it. */
export const hasHole = (items: readonly Item[]): boolean =>
  items.some(item => (isGroup(item) ? item.open.kind === 'hole' || hasHole(item.items) : item.kind === 'hole'));

/** What commas separate between brackets, such as the arguments of a call. */
export const argumentsOf = ({ items }: Group): Item[][] => split(items, ',').filter(part => part.length > 0);

/** An argument's value, and its name if it is written as `name=value`. */
export function namedIn(arg: readonly Item[]): { name: string | undefined; value: readonly Item[] } {
  const [first, sign] = arg;
  return isName(first) && codeOf(sign) === '='
    ? { name: first.code, value: arg.slice(2) }
    : { name: undefined, value: arg };
}

/** Arguments after which a missing variable is no problem. */
const DEFAULT = /^(?:default|fallback|optional|required)$/;

/** Whether the arguments after a name give a default. */
export const hasDefault = (args: readonly Item[][]): boolean =>
  args.some(arg => DEFAULT.test(namedIn(arg).name ?? 'default'));
