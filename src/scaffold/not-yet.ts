import { findTransport } from './catalog/index.ts';
import type { ScaffoldConfig } from './config.ts';

/** What resolves, but can't be generated yet: a line each. */
export function notGeneratedYet(config: ScaffoldConfig): string[] {
  const telephony = config.transports.filter(id => findTransport(id).botType === 'telephony');
  const features = [
    'video_service',
    'video_input',
    'video_output',
    'recording',
    'transcription',
    'enable_noisecancel',
    'enable_observability',
  ] as const;
  return [
    ...telephony.map(id => `transport ${id} (${findTransport(id).label})`),
    ...(config.mode === 'realtime' ? ['mode realtime'] : []),
    ...(config.generate_client ? [`client framework ${config.client_framework}`] : []),
    ...features.filter(key => config[key]).map(key => key.replaceAll('_', ' ')),
  ];
}
