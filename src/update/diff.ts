import { createTwoFilesPatch } from 'diff';
import type { Terminal } from '../shell/terminal.ts';
import type { FileChange } from '../writing/changes.ts';

/** Prints the changes as a unified diff. A program gets every byte of it, and people what is safe to show in a terminal. */
export function printDiff(changes: readonly FileChange[], terminal: Terminal): void {
  const diff = unifiedDiff(changes).replace(/\n$/, '');
  if (diff === '') return;
  if (terminal.columns === undefined) terminal.printExact(diff);
  else terminal.print(diff.replaceAll('\t', '    ').replaceAll(/\r$/gm, ''));
}

/** The changes as a unified diff. */
export const unifiedDiff = (changes: readonly FileChange[]): string =>
  changes.map(({ name, before, after }) => patchOf(name, before, after)).join('');

function patchOf(name: string, before: Buffer | undefined, after: Buffer | undefined): string {
  const [old, fresh] = [before, after].map(bytes => bytes?.toString('utf8') ?? '') as [string, string];
  const [from, to] = [before ? `a/${name}` : '/dev/null', after ? `b/${name}` : '/dev/null'];
  const patch = createTwoFilesPatch(from, to, old, fresh, undefined, undefined, { context: 3 });
  return patch.slice(patch.indexOf('---'));
}
