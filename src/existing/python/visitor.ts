import { codeOf, type Group, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Access } from './access.ts';
import { STOPS, sometimes } from './blocks.ts';
import { valuesIn } from './conditions.ts';
import type { Place } from './found.ts';
import type { Functions } from './functions.ts';
import { mentionedIn } from './lines.ts';
import type { Names } from './names.ts';

/** How many parts of a choice know what those before them asked. */
const MOST_PARTS = 50;

/** Goes through expressions, and knows which parts of them depend on others. */
export class Visitor {
  private readonly names: Names;
  private readonly access: Access;
  private readonly functions: Functions;

  constructor(names: Names, access: Access, functions: Functions) {
    this.names = names;
    this.access = access;
    this.functions = functions;
  }

  /** Reads expressions that commas separate. */
  visit(items: readonly Item[], place: Place): void {
    for (const part of split(items, ',')) this.visitChoice(part, place);
  }

  /** Reads an expression whose parts may depend on each other: `a if b else c`, `a and b`. */
  private visitChoice(items: readonly Item[], place: Place): void {
    const starts = items.flatMap((item, at) => (at > 0 && /^(?:if|else|and|or)$/.test(codeOf(item) ?? '') ? at : []));
    const parts = [0, ...starts].map((start, at) => items.slice(at === 0 ? 0 : start + 1, starts[at]));
    const [first = [], second = []] = parts;
    const isRefused = STOPS.test(
      second
        .slice(0, 4)
        .map(item => (isGroup(item) ? '(' : codeOf(item)))
        .join(''),
    );
    if (starts.length === 1 && codeOf(items[starts[0] ?? 0]) === 'or' && isRefused) {
      const equals = indexOf(first, '=');
      const value = equals < first.length ? first.slice(equals + 1) : first;
      this.functions.requireChecked(valuesIn(value, place.scope, this.names), place);
    }
    let asked = place.when;
    for (const [at, part] of parts.entries()) {
      const next = parts[at + 1] ?? [];
      const isResult = codeOf(items[starts[at] ?? -1]) === 'if';
      const isFirst = at === 0 || codeOf(items[starts[at - 1] ?? -1]) === 'if';
      const when = isResult ? sometimes(asked, mentionedIn(next)) : isFirst ? place.when : asked;
      this.visitRun(part, { ...place, when });
      if (starts.length > 0 && at < MOST_PARTS) asked = sometimes(asked, mentionedIn(part));
    }
  }

  private visitRun(items: readonly Item[], place: Place): void {
    for (let at = 0; at < items.length; ) {
      const item = items[at];
      const before = items[at - 1];
      if (isGroup(item)) this.visitGroup(item, place, isName(before) ? before.code : undefined);
      const isStart = isName(item) && codeOf(before) !== '.';
      const { meaning, end } = isStart ? this.names.at(items, at, place.scope) : { meaning: undefined, end: at + 1 };
      if (isStart) this.access.readName(meaning, { items, at, end }, place);
      at = end;
    }
  }

  private visitGroup(group: Group, place: Place, callee: string | undefined): void {
    if (callee !== undefined && group.open.code === '(') this.access.readCall(callee, group, place);
    if (indexOf(group.items, 'for') < group.items.length) this.visitComprehension(group, place);
    else this.visit(group.items, place);
  }

  private visitComprehension(group: Group, place: Place): void {
    const { scope, element, conditions, sources } = this.names.inComprehension(group, place.scope);
    for (const source of sources) this.visit(source, place);
    for (const condition of conditions) this.visit(condition, { ...place, scope });
    const asked = conditions.flatMap(mentionedIn);
    const when = conditions.length > 0 ? sometimes(place.when, asked) : place.when;
    this.visit(element, { ...place, scope, when });
  }
}
