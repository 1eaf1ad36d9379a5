import { type Module, readPython } from '../../formats/python/module.ts';
import type { Lines } from '../lines.ts';
import { addQuoted } from './quoted.ts';

const MOST = 20;
const known = new Map<string, Module>();

/** Reads Python, or remembers what it read: a merge looks at the same texts many times. */
export function readLines(lines: Lines): Module {
  const text = lines.join('\n');
  const module = known.get(text) ?? addQuoted(readPython(text));
  known.delete(text);
  known.set(text, module);
  const [longestUnused] = known.keys();
  if (known.size > MOST && longestUnused !== undefined) known.delete(longestUnused);
  return module;
}
