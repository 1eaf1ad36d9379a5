import type { Module } from '../../formats/python/module.ts';
import type { Draft, Fault } from './draft.ts';
import { pathsOf } from './scopes.ts';

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
