import { type Draft, type Fault, originalOf, ownerOf, SIDES, type Statement, wordOf } from './draft.ts';
import { replaces } from './names.ts';

const TORN = "With botcli's change, a decorator would be above something else.";

/** Finds decorators that are above another definition than before, or above none: they belong to what is below them. */
export function checkDecorators(draft: Draft): Fault[] {
  return draft.statements.flatMap((decorator, at): Fault[] => {
    if (wordOf(decorator) !== '@') return [];
    const target = targetOf(draft.statements, at);
    const names = SIDES.flatMap(side => {
      const { statements } = draft.sides[side];
      const original = originalOf(draft, decorator, side);
      const own = original && targetOf(statements, statements.indexOf(original));
      return own ? [nameOf(own)] : [];
    });
    const [name] = names;
    if (name === undefined) return [];
    const isOfBotcli = ownerOf(draft, decorator.start) === 'botcli';
    const isNamed = target && (names.includes(nameOf(target)) || (isOfBotcli && isRenamed(draft, target, name)));
    if (isNamed) return [];
    const reason = isOfBotcli ? TORN : `Your decorator of "${name}" would be above something else.`;
    return [{ line: target?.start ?? decorator.start, name, reason }];
  });
}

const DEFINITIONS = ['def', 'class'];

/** What a decorator is for: the definition below it, or below others that follow it. */
function targetOf(statements: readonly Statement[], decorator: number): Statement | undefined {
  const next = statements.slice(decorator).find(one => wordOf(one) !== '@');
  return next && DEFINITIONS.includes(wordOf(next)) ? next : undefined;
}

const nameOf = ({ tokens }: Statement): string =>
  tokens[tokens.findIndex(({ code }) => DEFINITIONS.includes(code)) + 1]?.code ?? '';

/** Whether the user has given what had a name another one: the old name is in the lines that it replaces, and gone. */
function isRenamed(draft: Draft, definition: Statement, name: string): boolean {
  const others = draft.statements.filter(one => one.scope === definition.scope && DEFINITIONS.includes(wordOf(one)));
  const isThere = others.some(one => nameOf(one) === name);
  const isReplaced = (one: string) => replaces(draft, definition.start, one);
  return isReplaced(name) && !isReplaced(nameOf(definition)) && !isThere;
}
