import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '../printable.ts';
import type { ConfigSources } from '../scaffold/sources.ts';
import type { Terminal } from '../terminal.ts';

/** What `--config` gave: what the file holds, or why it can't be read. */
export type ConfigFile = Pick<ConfigSources, 'file' | 'fileName' | 'fileProblem'>;

/** Reads the JSON of `--config`: a path relative to the working directory, or `-` for stdin. */
export async function readConfigFile(path: string | undefined, terminal: Terminal): Promise<ConfigFile> {
  if (path === undefined) return {};
  const fileName = path === '-' ? 'stdin' : path || '--config';
  try {
    const text = path === '-' ? await readInput(terminal) : readFileSync(resolve(terminal.cwd, path), 'utf8');
    return { file: JSON.parse(text.replace(/^\uFEFF/, '')), fileName };
  } catch (error) {
    return { fileName, fileProblem: reasonOf(error as NodeJS.ErrnoException) };
  }
}

async function readInput(terminal: Terminal): Promise<string> {
  if (terminal.inputIsTerminal) throw new SyntaxError('stdin is a terminal; pipe the JSON in');
  return terminal.readInput();
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'reading it is not permitted',
};

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return REASONS[code ?? ''] ?? `it is not JSON: ${printable(message)}`;
}
