import type { Module } from '../formats/python/module.ts';
import { missingNamesIn } from './missing-names.ts';
import { certaintiesOf } from './python/certain.ts';
import type { PythonReads } from './python/reads.ts';
import { refusedIn } from './python/refused.ts';

/** What Python would refuse in a file, at a line counted from 0. */
export type Refusal =
  | Module['problems'][number]
  | ReturnType<typeof refusedIn>[number]
  | { kind: 'encoding'; line: number };

interface Faults {
  /** The first problem of each file that Python would refuse. */
  problems: ReadonlyMap<string, Refusal>;
  /** Names in the files that Python starts which are sure to be missing. */
  missingNames: ReturnType<typeof missingNamesIn>;
}

/**
 * Finds what is wrong with a project's code. Only who fixes it needs that, so others don't load it.
 *
 * @param modules Its Python files, by path.
 * @param started Those that Python runs.
 * @param garbled The lines, from 0, at which Python refuses to decode some.
 */
export function faultsIn(
  modules: ReadonlyMap<string, PythonReads>,
  started: Iterable<string>,
  garbled: ReadonlyMap<string, number> = new Map(),
): Faults {
  const first = [...modules].flatMap(([path, reads]) =>
    refusalsIn(reads)
      .slice(0, 1)
      .map(one => [path, one] as const),
  );
  const encodings = [...garbled].map(([path, line]) => [path, { kind: 'encoding', line }] as const);
  return {
    problems: new Map<string, Refusal>([...first, ...encodings]),
    missingNames: missingNamesIn(modules, started),
  };
}

function refusalsIn({ module, hasOldLines }: PythonReads): Refusal[] {
  const isRead = module.problems.length === 0 && !hasOldLines;
  const others = [...(isRead ? refusedIn(module.statements) : []), ...certaintiesOf(module).awaits];
  return [...module.problems, ...others.sort((one, other) => one.line - other.line)];
}
