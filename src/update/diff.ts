import { createTwoFilesPatch } from 'diff';
import { printable } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { FileChange } from '../writing/changes.ts';

/**
 * Prints the changes as a unified diff. Control characters of the project are replaced, also in a pipe, which may lead to
 * a terminal. A note says so: such a diff can't be applied.
 */
export function printDiff(changes: readonly FileChange[], terminal: Terminal): void {
  const diff = unifiedDiff(changes).replace(/\n$/, '');
  if (diff === '') return;
  if (terminal.columns === undefined) {
    const safe = diff.replace(/[^\t\r\n]+|\r(?!\n|$)/g, printable);
    if (safe !== diff)
      terminal.note('The diff shows control characters as \uFFFD. With --json, it has them as they are.');
    terminal.printExact(safe);
  } else terminal.print(diff.replaceAll('\t', '    ').replaceAll(/\r$/gm, ''));
}

/** The changes as a unified diff. */
export const unifiedDiff = (changes: readonly FileChange[]): string =>
  changes.map(({ name, before, after }) => patchOf(name, before, after)).join('');

function patchOf(name: string, before: Buffer | undefined, after: Buffer | undefined): string {
  const [old, fresh] = [before, after].map(bytes => bytes?.toString('utf8') ?? '') as [string, string];
  const [from, to] = [before ? `a/${name}` : '/dev/null', after ? `b/${name}` : '/dev/null'];
  const options = { context: 3, maxEditLength: MOST_DIFFERENCES };
  const patch = createTwoFilesPatch(from, to, old, fresh, undefined, undefined, options);
  return patch ? patch.slice(patch.indexOf('---')) : wholePatch(from, to, old, fresh);
}

/** A comparison takes time that grows with the square of the differences. */
const MOST_DIFFERENCES = 2_000;

/** A patch that replaces every line. */
function wholePatch(from: string, to: string, old: string, fresh: string): string {
  const part = (text: string, sign: string) => {
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    const end = text === '' || text.endsWith('\n') ? '' : '\\ No newline at end of file\n';
    return {
      range: `${lines.length > 0 ? 1 : 0},${lines.length}`,
      text: lines.map(line => `${sign}${line}\n`).join('') + end,
    };
  };
  const [before, after] = [part(old, '-'), part(fresh, '+')];
  return `--- ${from}\n+++ ${to}\n@@ -${before.range} +${after.range} @@\n${before.text}${after.text}`;
}
