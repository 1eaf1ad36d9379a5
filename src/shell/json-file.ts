import { isDeeper, MOST_LEVELS } from '../formats/json-depth.ts';
import { explainRepeats } from '../formats/json-members.ts';
import { explainJsonFault } from '../formats/json-position.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { parsedJson } from '../json.ts';
import { readInput, Unreadable } from './input.ts';
import type { Terminal } from './terminal.ts';

/** The contents of a JSON file, or why it can't be read. */
interface JsonFile {
  file?: unknown;
  /** Why it can't be read, worded to follow its name. */
  fileProblem?: string;
  /** Its name in messages. */
  fileName: string;
}

/** Reads the JSON of `--config`: a path relative to the working directory, or `-` for stdin. */
export async function readJsonFile(path: string, terminal: Terminal): Promise<JsonFile> {
  const fileName = path === '-' ? 'stdin' : path || '--config';
  try {
    const text = decodeUtf8(await readInput(path, terminal));
    if (text === undefined) throw new Unreadable("can't be read: it isn't UTF-8 text");
    return { file: parse(text), fileName };
  } catch (error) {
    if (error instanceof Unreadable) return { fileName, fileProblem: error.message };
    throw error;
  }
}

/** Reports only the position of a fault: the text may contain secrets, and Node's own message would quote them. */
function parse(text: string): unknown {
  if (text.trim() === '') throw new Unreadable("can't be read: it is empty");
  const value = parsedJson(text);
  if (value === undefined) throw new Unreadable(`can't be read: ${explainJsonFault(text)}`);
  if (isDeeper(value, MOST_LEVELS)) throw new Unreadable(`can't be read: it has more than ${MOST_LEVELS} levels`);
  const repeats = explainRepeats(text);
  if (repeats) throw new Unreadable(`can't be read: it ${repeats}`);
  return value;
}
