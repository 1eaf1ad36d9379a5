import { findTransport } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { type Features, featuresOf } from '../features.ts';
import { slugOf, titleOf } from '../names.ts';
import { dueIn, type PlannedFile } from '../planned-file.ts';
import { keysOf } from '../variables/environment.ts';
import { listVariables } from '../variables/variables.ts';

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

/** A package of a web client, and the clients that need it. */
interface ClientPackage {
  name: string;
  version: string;
  when?: PlannedFile['when'];
}

const dependencies: readonly ClientPackage[] = [
  // Only to load it later than the transports would. They bring the same version.
  { name: '@daily-co/daily-js', version: '^0.90.0', when: ['choosesTransport'] },
  // Both transports require this minor version, so don't update it before they do.
  { name: '@pipecat-ai/client-js', version: '~1.13.1' },
  { name: '@pipecat-ai/client-react', version: '^1.8.2', when: ['isReact'] },
  { name: '@pipecat-ai/daily-transport', version: '^1.6.9', when: ['hasHosted'] },
  { name: '@pipecat-ai/small-webrtc-transport', version: '^1.10.8', when: ['hasLocal'] },
  { name: 'next', version: '^16.4.6', when: ['isNext'] },
  { name: 'react', version: '^19.3.1', when: ['isReact'] },
  { name: 'react-dom', version: '^19.3.1', when: ['isReact'] },
];

const developmentDependencies: readonly ClientPackage[] = [
  { name: '@eslint/js', version: '^10.0.1' },
  { name: '@next/eslint-plugin-next', version: '^16.4.6', when: ['isNext'] },
  { name: '@types/node', version: '^20.19.0' },
  { name: '@types/react', version: '^19.2.0', when: ['isReact'] },
  { name: '@types/react-dom', version: '^19.2.0', when: ['isReact'] },
  { name: '@vitejs/plugin-react', version: '^6.3.0', when: ['isReact', 'isVite'] },
  { name: 'eslint', version: '^10.15.0' },
  { name: 'eslint-plugin-react-hooks', version: '^7.1.1', when: ['isReact'] },
  { name: 'eslint-plugin-react-refresh', version: '^0.5.8', when: ['isReact', 'isVite'] },
  { name: 'globals', version: '^17.14.0' },
  // typescript-eslint doesn't support a newer one yet.
  { name: 'typescript', version: '~6.0.3' },
  { name: 'typescript-eslint', version: '^8.73.0' },
  { name: 'vite', version: '^8.3.8', when: ['isVite'] },
];

const VITE_SCRIPTS = { dev: 'vite', build: 'tsc && vite build', preview: 'vite preview', typecheck: 'tsc' };

/** `next.mjs` runs the `next` command without its telemetry. */
const NEXT_SCRIPTS = {
  dev: 'node next.mjs dev',
  build: 'node next.mjs build',
  start: 'node next.mjs start',
  typecheck: 'node next.mjs typegen && tsc --noEmit',
};

function clientManifest(slug: string, facts: Features) {
  return {
    name: `${slug}-client`,
    version: '0.1.0',
    private: true,
    type: 'module',
    // What both Vite and ESLint require.
    engines: { node: '^20.19.0 || ^22.13.0 || >=24' },
    scripts: { ...(facts.isNext ? NEXT_SCRIPTS : VITE_SCRIPTS), lint: 'eslint .' },
    dependencies: versionsOf(dependencies, facts),
    devDependencies: versionsOf(developmentDependencies, facts),
  };
}

const versionsOf = (packages: readonly ClientPackage[], facts: Features): Record<string, string> =>
  Object.fromEntries(dueIn(facts, packages).map(({ name, version }) => [name, version]));
