import { type Module, readPython } from '../../formats/python/module.ts';
import type { Lines } from '../lines.ts';
import { addQuoted } from './quoted.ts';

const MOST = 10;
const known = new Map<string, Module>();

/** Reads Python, or remembers what it read: a merge looks at the same texts several times. */
export function readLines(lines: Lines): Module {
  const text = lines.join('\n');
  const module = known.get(text) ?? addQuoted(readPython(text));
  if (known.size >= MOST) known.clear();
  known.set(text, module);
  return module;
}
