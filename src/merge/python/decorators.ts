import { type Draft, type Fault, originalOf, ownerOf, SIDES, type Statement, wordOf } from './draft.ts';

const TORN = "With botcli's change, a decorator would be above something else.";

/** Finds decorators that are above another definition than before, or above none: they belong to what is below them. */
export function checkDecorators(draft: Draft): Fault[] {
  return draft.statements.flatMap((decorator, at): Fault[] => {
    if (wordOf(decorator) !== '@') return [];
    const target = targetOf(draft.statements, at);
    const wanted = SIDES.flatMap(side => {
      const { statements, inMerge } = draft.sides[side];
      const original = originalOf(draft, decorator, side);
      const own = original && targetOf(statements, statements.indexOf(original));
      return own ? [{ own, place: inMerge.get(own.start), name: nameOf(own) }] : [];
    });
    const [first] = wanted;
    if (!first) return [];
    const line = target?.start ?? decorator.start;
    const isOfBotcli = ownerOf(draft, decorator.start) === 'botcli';
    // The user may have renamed what a new decorator is for.
    const isRight = ({ place, name }: (typeof wanted)[number]) =>
      name === nameOf(target) || place === line || (isOfBotcli && place === undefined);
    if (target && wanted.some(isRight)) return [];
    const reason = isOfBotcli ? TORN : `Your decorator of "${first.name}" would be above something else.`;
    return [{ line, reason, ...(first.name && { name: first.name }) }];
  });
}

const DEFINITIONS = ['def', 'class'];

/** What a decorator is for: the definition below it, or below others that follow it. */
function targetOf(statements: readonly Statement[], decorator: number): Statement | undefined {
  const next = statements.slice(decorator).find(one => wordOf(one) !== '@');
  return next && DEFINITIONS.includes(wordOf(next)) ? next : undefined;
}

const nameOf = (definition: Statement | undefined): string | undefined => {
  const codes = definition?.tokens.map(({ code }) => code) ?? [];
  return codes[codes.findIndex(code => DEFINITIONS.includes(code)) + 1];
};
