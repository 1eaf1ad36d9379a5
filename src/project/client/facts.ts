import { findTransport } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { featuresOf } from '../features.ts';
import { slugOf, titleOf } from '../names.ts';
import { keysOf } from '../variables/environment.ts';
import { listVariables } from '../variables/variables.ts';
import { clientManifest } from './packages.ts';

/** What the templates of a web client read: prepared rows and plain booleans. */
export function clientFactsOf(config: ScaffoldConfig) {
  const features = featuresOf(config);
  const transports = config.transports.flatMap(id => findTransport(id).client ?? []);
  const pages = new Map(listVariables(config).map(({ name, get_it_at }) => [name, get_it_at]));
  const keys = keysOf(config).map(({ env, provider }) => ({ env, provider, page: pages.get(env) ?? '' }));
  return {
    ...features,
    title: titleOf(config.project_name),
    keys,
    hasKeys: keys.length > 0,
    manifest: clientManifest(slugOf(config.project_name), features),
    transportImports: [...transports].sort((one, other) => (one.module < other.module ? -1 : 1)),
    /** In the order of the configuration: the first one is the default. */
    transports: transports.map(({ constant }) => constant).join(', '),
  };
}

/** The ports that the parts of a project use if nothing else does: the framework's runner has one, and so has each server. */
export const usualPorts = ({ client_server }: ScaffoldConfig) => ({
  bot: 7860,
  calls: 8080,
  client: client_server === 'fullstack' ? 3000 : 5173,
});

/** The client's address while its development server runs. */
export const clientUrlOf = (config: ScaffoldConfig): string => `http://localhost:${usualPorts(config).client}`;
