import { readInput, Unreadable } from '../input.ts';
import type { ConfigSources } from '../scaffold/sources.ts';
import type { Terminal } from '../terminal.ts';

/** What `--config` gave: what the file holds, or why it can't be read. */
export type ConfigFile = Pick<ConfigSources, 'file' | 'fileName' | 'fileProblem'>;

/** Reads the JSON of `--config`: a path relative to the working directory, or `-` for stdin. */
export async function readConfigFile(path: string, terminal: Terminal): Promise<ConfigFile> {
  const fileName = path === '-' ? 'stdin' : path || '--config';
  try {
    const text = new TextDecoder().decode(await readInput(path, terminal));
    return { file: parse(text), fileName };
  } catch (error) {
    if (error instanceof Unreadable) return { fileName, fileProblem: error.message };
    throw error;
  }
}

/** What went wrong is told by its place alone: the text may be somebody's secrets, which Node's own message quotes. */
function parse(text: string): unknown {
  if (text.trim() === '') throw new Unreadable("can't be read: it is empty");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`can't be read: it is not JSON${placeIn(text, String(error))}`);
  }
}

function placeIn(text: string, message: string): string {
  const [, position] = /\bat position (\d+)/.exec(message) ?? [];
  const before = text.slice(0, Number(position)).split('\n');
  if (message.includes('Unexpected end') || Number(position) >= text.length) return ': it ends too soon';
  if (position === undefined) return '';
  return ` from line ${before.length}, column ${(before.at(-1) ?? '').length + 1} on`;
}
