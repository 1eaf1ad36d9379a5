import { readPython } from '../../formats/python/module.ts';
import type { Binding, Mention } from '../../formats/python/scope.ts';
import type { Token } from '../../formats/python/tokens.ts';
import type { Lines } from '../lines.ts';

/** The names in a module of Python. */
export interface Names {
  /** What gives names a meaning, with the functions and classes around it, such as `run_bot.greet`. */
  bindings: (Binding & { scope: string })[];
  uses: Mention[];
  /** Keyword arguments that a call has twice, which Python refuses. */
  repeated: Mention[];
  isBalanced: boolean;
}

export function readNames(lines: Lines): Names {
  const { scopes, statements, isBalanced } = readPython(lines.join('\n'));
  return {
    bindings: scopes.flatMap(({ defines, path }) =>
      [...defines.values()].flat().map(binding => ({ ...binding, scope: path })),
    ),
    uses: scopes.flatMap(({ uses }) => [...uses.values()].flat()),
    repeated: statements.flatMap(({ tokens }) => repeatedIn(tokens)),
    isBalanced,
  };
}

function repeatedIn(tokens: readonly Token[]): Mention[] {
  const open: Set<string>[] = [];
  return tokens.flatMap(({ kind, code, line, depth }, at) => {
    if (kind === 'text') return [];
    if ('([{'.includes(code)) open.push(new Set());
    if (')]}'.includes(code)) open.pop();
    const [before, after] = [tokens[at - 1]?.code ?? '', tokens[at + 1]?.code];
    if (kind !== 'name' || after !== '=' || depth === 0 || !['(', ','].includes(before)) return [];
    const known = open.at(-1);
    const isRepeated = known?.has(code);
    known?.add(code);
    return isRepeated ? [{ name: code, line }] : [];
  });
}
