import { clientManifest } from './client-packages.ts';
import type { ScaffoldConfig } from './config.ts';
import { featuresOf } from './features.ts';
import { slugOf } from './names.ts';

/** The modules in `src/bot/` that hold a transport each, and what they export. */
const TRANSPORTS: Readonly<Record<string, { module: string; constant: string }>> = {
  rtc_hosted: { module: 'daily', constant: 'daily' },
  rtc_local: { module: 'small-webrtc', constant: 'smallWebRtc' },
};

/** What the templates of a web client read: prepared rows and plain booleans. */
export function clientFactsOf(config: ScaffoldConfig) {
  const features = featuresOf(config);
  const transports = config.transports.flatMap(id => TRANSPORTS[id] ?? []);
  return {
    ...features,
    name: config.project_name,
    manifest: clientManifest(slugOf(config.project_name), features),
    transportImports: [...transports].sort((one, other) => (one.module < other.module ? -1 : 1)),
    /** In the order of the configuration: the first is the one that people get unless they choose. */
    transports: transports.map(({ constant }) => constant).join(', '),
  };
}

/** Where a person opens the client while its development server runs. */
export const clientUrlOf = ({ client_server }: ScaffoldConfig): string =>
  client_server === 'fullstack' ? 'http://localhost:3000' : 'http://localhost:5173';
