import { pairLines } from '../hunks.ts';
import type { Lines, Versions } from '../lines.ts';

const ANNOTATED = /^(\s*\w+): ([^=]+?) = (?!=)/;
const CALL = /^(\s*\w+) = ([\w.]+)\(/;

/** A line without the type of the variable that it gives a value. */
const plain = (line: string): string => line.replace(ANNOTATED, '$1 = ');

/** The variable to which a line gives a value. */
const targetOf = (line: string): string | undefined => /^\s*(\w+) = /.exec(plain(line))?.[1];

/**
 * Writes lines of the base with the types that the user has given their variables. If botcli makes the variable an object
 * of another class, and the type was that of its class, so it is then. Any other new value may need another type.
 */
export function followAnnotations({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const pairs = new Map(pairLines(base.map(plain), user.map(plain)));
  const kept = new Map(pairLines(base, botcli));
  const old = new Set(kept.values());
  const typed = new Map<number, string>();
  const written = new Map<number, string>();
  for (const [at, own] of pairs) {
    const [before = '', line = ''] = [base[at], user[own]];
    if (line === before) continue;
    const now = kept.get(at);
    const isFor = (one: string) => targetOf(one) === targetOf(before);
    const [successor, ...more] = [...botcli.entries()].filter(([place, one]) => !old.has(place) && isFor(one));
    if (now !== undefined) written.set(now, line);
    else if (successor) {
      const [to, code] = successor;
      const type = ANNOTATED.exec(line)?.[2];
      const isClass = type !== undefined && type === CALL.exec(before)?.[2] && CALL.test(code);
      const isOne = more.length === 0 && base.filter(isFor).length === 1;
      if (!isClass || !isOne) continue;
      written.set(to, code.replace(CALL, '$1: $2 = $2('));
    }
    typed.set(at, line);
  }
  return {
    user,
    base: base.map((line, at) => typed.get(at) ?? line),
    botcli: botcli.map((line, at) => written.get(at) ?? line),
  };
}
