import type { Module } from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { remembered } from '../../std.ts';
import { type Draft, type Fault, ownerOf, SIDES, type Side } from './draft.ts';

const SPLIT = "With botcli's change, the items in these brackets would no longer be separate.";

/** Finds what is wrong between brackets: arguments and keys that are there twice, and arguments of another call. */
export function checkItems(draft: Draft): Fault[] {
  const before = new Set(SIDES.flatMap(side => repeatedIn(draft.sides[side].statements).map(({ name }) => name)));
  return [
    ...repeatedIn(draft.statements).filter(({ name }) => !before.has(name)),
    ...findJoints(draft),
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

/** Finds places between brackets where lines meet that didn't before, and that need a comma. */
function findJoints(draft: Draft): Fault[] {
  return [...breaksIn(draft.statements)].flatMap(([line, [before, next]]) => {
    const old = SIDES.map(side => ({
      known: breaksIn(draft.sides[side].statements).get(draft.origins[line]?.[side] ?? -1)?.[0],
      at: draft.origins[before.line]?.[side],
    }));
    const isOld = old.some(({ known, at }) => known && known.line === at);
    const isSeparate = isComma(before) || isOpening(before) || isComma(next) || isClosing(next);
    // Texts in a row are one text.
    const isPart = isText(before) && next.kind === 'text' && old.some(({ known }) => known && isText(known));
    return isOld || isSeparate || isPart ? [] : [{ line, reason: SPLIT }];
  });
}

const isText = ({ kind }: Token): boolean => kind === 'text' || kind === 'hole';

/** The tokens before and after each line that begins between brackets. */
const breaksIn = remembered(
  (statements: Module['statements']): ReadonlyMap<number, readonly [before: Token, next: Token]> =>
    new Map(
      statements.flatMap(({ tokens }) =>
        tokens.flatMap((next, at) => {
          const before = tokens[at - 1];
          const isFirst = before && next.depth > 0 && next.line > before.line + before.code.split('\n').length - 1;
          return isFirst ? [[next.line, [before, next]] as const] : [];
        }),
      ),
    ),
);

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
