import type { Module } from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { remembered } from '../../std.ts';
import { type Draft, type Fault, ownerOf, readDraft, SIDES, type Side } from './draft.ts';

const SPLIT = "With botcli's change, the items in these brackets would no longer be separate.";

/** Finds what is wrong between brackets: arguments and keys that are there twice, and arguments of another call. */
export function checkItems(draft: Draft): Fault[] {
  const before = new Set(SIDES.flatMap(side => repeatedIn(draft.sides[side].statements).map(({ name }) => name)));
  return [
    ...repeatedIn(draft.statements).filter(({ name }) => !before.has(name)),
    ...findJoints(draft).filter(({ comma }) => comma === undefined),
    ...findStrangers(draft),
  ];
}

const isOpening = ({ kind, code }: Token): boolean => kind === 'sign' && '([{'.includes(code);
const isComma = ({ kind, code }: Token): boolean => kind === 'sign' && code === ',';
const isClosing = ({ kind, code }: Token): boolean => kind === 'sign' && ')]}'.includes(code);

/** Arguments that a call has twice, and keys that a dictionary has twice. */
const repeatedIn = remembered((statements: Module['statements']): (Fault & { name: string })[] =>
  statements.flatMap(({ tokens }) => {
    const open: Set<string>[] = [];
    return tokens.flatMap((token, at) => {
      if (isOpening(token)) open.push(new Set());
      if (isClosing(token)) open.pop();
      const [before, after] = [tokens[at - 1], tokens[at + 1]];
      const isFirst = before !== undefined && (isComma(before) || isOpening(before));
      if (!isFirst || after?.kind !== 'sign') return [];
      const { kind, code: name, line } = token;
      const isArgument = kind === 'name' && after.code === '=';
      const isKey = kind === 'text' && after.code === ':';
      const known = open.at(-1);
      if (!known || !(isArgument || isKey)) return [];
      if (!known.has(name)) {
        known.add(name);
        return [];
      }
      const what = isKey ? `have "${name}" in the same dictionary` : `pass "${name}" to the same call`;
      return [{ line, name, reason: `Your file and botcli's change ${what}.` }];
    });
  }),
);

/** A place where two items aren't separated, and the line to which a comma can be added. */
interface Joint extends Fault {
  comma?: number;
}

const CONTINUES = ['for', 'if', 'else', 'in', 'is', 'and', 'or', 'not'];

/** Finds the places between brackets where lines meet that didn't before, and that need a comma. */
function findJoints(draft: Draft): Joint[] {
  const known = SIDES.map(
    side => new Set(neighborsIn(draft.sides[side].statements).map(([{ line }, next]) => `${line} ${next.line}`)),
  );
  return neighborsIn(draft.statements).flatMap(([token, next, hasComma]): Joint[] => {
    const isOld = SIDES.some((side, at) => {
      const [one, other] = [draft.origins[token.line]?.[side], draft.origins[next.line]?.[side]];
      return known[at]?.has(`${one} ${other}`);
    });
    const isSeparate = isComma(token) || isOpening(token) || isComma(next) || isClosing(next);
    const areTexts = token.kind === 'text' && next.kind === 'text';
    // Texts in a row are one text.
    if (isOld || isSeparate || (areTexts && !hasComma)) return [];
    const isItem = token.kind !== 'sign' || isClosing(token);
    const isNext =
      next.kind !== 'sign' ? !CONTINUES.includes(next.code) : isOpening(next) || ['*', '**'].includes(next.code);
    const comma = lastLineOf(token);
    // After a comment or a backslash, it would be none.
    const isLast = draft.lines[comma]?.search(/#|\\\s*$/) === -1;
    const canSeparate = isItem && isNext && isLast && hasComma && !areTexts;
    return [{ line: next.line, reason: SPLIT, ...(canSeparate && { comma }) }];
  });
}

/** The last item in brackets may have no comma, until another one follows. */
export function addCommas(draft: Draft, modules: Parameters<typeof readDraft>[1]): Draft {
  const places = new Set(findJoints(draft).map(({ comma }) => comma));
  if (places.size === 0) return draft;
  let at = 0;
  const chunks = draft.chunks.map(chunk => {
    const side = chunk.source === 'botcli' ? 'botcli' : 'user';
    const start = at;
    at += chunk[side].length;
    const add = (line: string, index: number) => (places.has(start + index) ? `${line.trimEnd()},` : line);
    return { ...chunk, [side]: chunk[side].map(add) };
  });
  return readDraft(chunks, modules);
}

const lastLineOf = ({ code, line }: Token): number => line + code.split('\n').length - 1;

/** The tokens between brackets that end a line, and those that begin the next one; and whether the brackets have a comma. */
const neighborsIn = remembered((statements: Module['statements']): [Token, Token, boolean][] =>
  statements.flatMap(({ tokens }) => {
    const commas = commasIn(tokens);
    return tokens.flatMap((_, at): [Token, Token, boolean][] => {
      const [token, next] = [itemAt(tokens, at), tokens[at + 1]];
      const isInside = next && next.line > lastLineOf(token) && next.depth > 0;
      return isInside ? [[token, next, commas[at] === true]] : [];
    });
  }),
);

/** A token; of code in a text, that text. */
function itemAt(tokens: readonly Token[], at: number): Token {
  const token = tokens[at] as Token;
  const isText = ({ kind, depth }: Token) => kind === 'text' && depth === token.depth;
  return token.kind === 'hole' ? (tokens.slice(0, at).findLast(isText) ?? token) : token;
}

/** Whether the brackets around each token have a comma. */
function commasIn(tokens: readonly Token[]): boolean[] {
  const open = [{ has: false }];
  const around = tokens.map(token => {
    if (isClosing(token) && open.length > 1) open.pop();
    const group = open.at(-1) as { has: boolean };
    if (isComma(token)) group.has = true;
    if (isOpening(token)) open.push({ has: false });
    return group;
  });
  return around.map(({ has }) => has);
}

/** Finds lines within a call that the other side has made a call of something else. */
function findStrangers(draft: Draft): Fault[] {
  const merged = calleesIn(draft.statements);
  const original = { user: calleesIn(draft.sides.user.statements), botcli: calleesIn(draft.sides.botcli.statements) };
  return [...merged].flatMap(([line, now]) => {
    const side = ownerOf(draft, line);
    if (!side || isReplaced(draft, line)) return [];
    const before = original[side].get(draft.origins[line]?.[side] ?? -1) ?? [];
    const at = before.findIndex((callee, index) => index < now.length && callee !== now[index]);
    if (at === -1) return [];
    // The name leads to the change of the call.
    const name = now[at]?.split('.')[0];
    return [{ line, ...(name && { name }), ...strange(side, before[at]) }];
  });
}

/** Whether a line gives another value to an argument that both calls of botcli's have. */
function isReplaced({ lines, origins }: Draft, line: number): boolean {
  const argument = /^\s*(\w+)=/.exec(lines[line] ?? '')?.[1];
  const chunk = origins[line]?.chunk;
  const isSame = (one: string) => one.trim().startsWith(`${argument}=`);
  return argument !== undefined && chunk?.source === 'user' && chunk.base.some(isSame);
}

const strange = (side: Side, callee: string | undefined): Omit<Fault, 'line'> =>
  side === 'user'
    ? { reason: `You gave these settings to ${callee || 'something else'}.` }
    : { reason: `botcli's change gives settings to ${callee || 'something else'}, which your file has replaced.` };

/** More brackets around a line than code has. */
const MOST_BRACKETS = 20;

/** What is called around the first token of each line, the inner calls first. A list or dictionary has no name. */
const calleesIn = remembered((statements: Module['statements']): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, string[]>();
  for (const { tokens } of statements) {
    const open: string[] = [];
    tokens.forEach((token, at) => {
      if (isClosing(token)) open.pop();
      const before = tokens[at - 1];
      if (before && before.line < token.line && !isClosing(token)) {
        found.set(token.line, open.slice(-MOST_BRACKETS).reverse());
      }
      if (isOpening(token)) open.push(calleeBefore(tokens, at));
    });
  }
  return found;
});

function calleeBefore(tokens: readonly Token[], end: number): string {
  let at = end;
  while (at > 0 && (tokens[at - 1]?.kind === 'name' || tokens[at - 1]?.code === '.')) at -= 1;
  return tokens
    .slice(at, end)
    .map(({ code }) => code)
    .join('');
}
