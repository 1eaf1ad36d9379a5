import type { Token } from './plain-tokens.ts';

/**
 * The modules that code imports, such as `.call` or `evals.judge`. In `from a import b`, `a.b` may be a module or a name,
 * so both `a` and `a.b` are in the list.
 */
export function importsIn(tokens: readonly Token[]): string[] {
  return statementsOf(tokens).flatMap(([first, ...words]) => {
    if (first === 'import') return listOf(words);
    if (first !== 'from') return [];
    const split = words.indexOf('import');
    const module = words.slice(0, split).join('');
    const names = listOf(words.slice(split + 1).filter(word => word !== '(' && word !== ')'));
    return split < 1 ? [] : [module, ...names.map(name => (module.endsWith('.') ? module : `${module}.`) + name)];
  });
}

/** The words of each statement. A statement after a colon on the same line isn't one of its own. */
function statementsOf(tokens: readonly Token[]): string[][] {
  const statements: string[][] = [[]];
  for (const { kind, text } of tokens) {
    if (kind === 'end') statements.push([]);
    else statements.at(-1)?.push(kind === 'text' ? '' : text);
  }
  return statements;
}

/** `a.b as c, d` as `a.b` and `d`. */
const listOf = (words: readonly string[]): string[] =>
  words
    .join(' ')
    .split(',')
    .map(item => item.replace(/ as .*/, '').replaceAll(' ', ''))
    .filter(item => /^[\w.]+$/.test(item));
