import { delimiter, isAbsolute } from 'node:path';
import type { Environment } from './shells.ts';

/**
 * An environment in which programs are found only where the user has them. npm and npx put the `node_modules/.bin` of the
 * working directory first, and that may be in a stranger's project.
 */
export const withOwnPrograms = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, /^path$/i.test(name) ? value && ownPlaces(value) : value]),
  );

const ownPlaces = (path: string): string =>
  path
    .split(delimiter)
    .filter(place => isAbsolute(place) && !/[\\/]node_modules([\\/]|$)/.test(place))
    .join(delimiter);
