import { pairLines } from '../hunks.ts';
import type { Lines, Versions } from '../lines.ts';

const ANNOTATED = /^(\s*\w+): ([^=]+?) = (?!=)/;
const CALL = /^(\s*\w+) = ([\w.]+)\(/;

/** A line without the type of the variable that it gives a value. */
const plain = (line: string): string => line.replace(ANNOTATED, '$1 = ');

/**
 * Writes lines of the base with the types that the user has given their variables. If botcli makes the variable an object
 * of another class, and the type was that of its class, so it is then.
 */
export function followAnnotations({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const pairs = pairLines(base.map(plain), user.map(plain)) ?? [];
  const typed = new Map(pairs.flatMap(([at, to]) => (base[at] === user[to] ? [] : [[at, user[to] ?? ''] as const])));
  if (typed.size === 0) return { user, base, botcli };
  const kept = new Map(pairLines(base, botcli));
  const written = new Map<number, string>();
  for (const [at, line] of typed) {
    const to = kept.get(at) ?? findSuccessor(base, botcli, at);
    const now = botcli[to ?? -1];
    if (to === undefined || now === undefined) continue;
    const isClass = ANNOTATED.exec(line)?.[2] === CALL.exec(base[at] ?? '')?.[2];
    if (kept.has(at)) written.set(to, line);
    else if (isClass) written.set(to, now.replace(CALL, '$1: $2 = $2('));
    else typed.delete(at);
  }
  return {
    user,
    base: base.map((line, at) => typed.get(at) ?? line),
    botcli: botcli.map((line, at) => written.get(at) ?? line),
  };
}

/** The line in which botcli makes another object for a variable, if each version has one such line. */
function findSuccessor(base: Lines, botcli: Lines, line: number): number | undefined {
  const target = CALL.exec(base[line] ?? '')?.[1];
  const isFor = (one: string) => target !== undefined && CALL.exec(one)?.[1] === target;
  const [first, ...more] = botcli.flatMap((one, at) => (isFor(one) ? at : []));
  return base.filter(isFor).length === 1 && more.length === 0 ? first : undefined;
}
