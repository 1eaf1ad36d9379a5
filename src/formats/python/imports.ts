import type { Token } from './tokens.ts';

/** A name that is imported: `from module import name as alias`, or without a name, `import module as alias`. */
interface ImportedName {
  module: string;
  name?: string;
  alias?: string;
  /** Counted from 0. */
  line: number;
}

export const isImport = ([first]: readonly Token[]): boolean =>
  first?.kind === 'name' && (first.code === 'import' || first.code === 'from');

/** What an import statement imports, in order. Other statements import nothing. */
export function importsOf(tokens: readonly Token[]): ImportedName[] {
  const at = tokens.findIndex(({ kind, code }) => kind === 'name' && code === 'import');
  if (!isImport(tokens) || at === -1) return [];
  const from = at === 0 ? undefined : codesOf(tokens.slice(1, at));
  const parts: Token[][] = [[]];
  for (const token of tokens.slice(at + 1)) {
    if (token.code === ',') parts.push([]);
    else if (token.code !== '(' && token.code !== ')') parts.at(-1)?.push(token);
  }
  return parts.flatMap(part => {
    const as = part.findIndex(({ code }) => code === 'as');
    const name = codesOf(as === -1 ? part : part.slice(0, as));
    const alias = as === -1 ? undefined : part[as + 1]?.code;
    const more = { ...(alias && { alias }), line: part[0]?.line ?? 0 };
    if (name === '') return [];
    return from === undefined ? { module: name, ...more } : { module: from, name, ...more };
  });
}

const codesOf = (tokens: readonly Token[]): string => tokens.map(({ code }) => code).join('');

/** The name under which a module knows what it imports. */
export const localName = ({ module, name, alias }: ImportedName): string =>
  alias ?? name ?? module.split('.')[0] ?? module;
