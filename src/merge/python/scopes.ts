import type { Module } from '../../formats/python/module.ts';
import { type Chunk, type Lines, mergeLines, type Versions } from '../lines.ts';
import type { Draft, Fault } from './draft.ts';
import { readLines } from './read.ts';

/** Merges by lines, where lines of one function are never those of another: not even if the user has moved them there. */
export function mergeScopes({ user, base, botcli }: Versions<Lines>): Chunk[] | undefined {
  const versions = { user: tag(user), base: tag(base), botcli: tag(botcli) };
  return mergeLines(versions)?.map(chunk => ({
    ...chunk,
    user: chunk.user.map(untag),
    base: chunk.base.map(untag),
    botcli: chunk.botcli.map(untag),
  }));
}

/** Lines with the functions and classes that they are in. */
function tag(lines: Lines): Lines {
  const paths = pathsOf(readLines(lines));
  return lines.map((line, at) => (line.trim() ? `${line}\0${paths[at]}` : line));
}

/** The functions and classes around each line. Comments are above what they are about. */
export function pathsOf({ statements }: Module): string[] {
  const paths: string[] = [];
  for (const { end, scope } of statements) while (paths.length < end) paths.push(scope.path);
  return paths;
}

function untag(line: string): string {
  const [code = ''] = line.split('\0');
  return code;
}

/** Finds names that a function declares `global`, and no longer sets: what reads them would never get their values. */
export function checkGlobals(draft: Draft): Fault[] {
  const declared = draft.statements.filter(({ tokens: [first] }) => first?.code === 'global');
  const [before, now] = [findSetters(draft.sides.user), findSetters(draft)];
  return declared.flatMap(({ tokens: [, ...names], scope: { path } }) =>
    names
      .filter(({ code }) => before.has(`${code} ${path}`) && !now.has(`${code} ${path}`))
      .map(({ code: name, line }) => ({ line, name, reason: `Nothing in ${path} would set your global "${name}".` })),
  );
}

/** The names of the module, each with a function in which it gets a value. */
function findSetters(module: Module): Set<string> {
  const paths = pathsOf(module);
  const [top] = module.scopes;
  return new Set(
    [...(top?.defines ?? [])].flatMap(([name, bindings]) => bindings.map(({ line }) => `${name} ${paths[line]}`)),
  );
}
