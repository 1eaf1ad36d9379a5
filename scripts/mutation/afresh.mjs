// A module resolution hook: a reloaded module also reloads its imports, except packages.

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const [, turn] = /[?&](afresh=\d+)/.exec(context.parentURL ?? '') ?? [];
  const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/');
  if (!turn || !isOurs || resolved.url.includes(turn)) return resolved;
  return { ...resolved, url: `${resolved.url}?${turn}` };
}
