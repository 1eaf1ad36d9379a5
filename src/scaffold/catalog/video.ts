import { apiKey, needs, type ServiceRow } from './service.ts';

/** Video avatar services. */
export const video: readonly ServiceRow[] = [
  {
    id: 'simli_video',
    label: 'Simli',
    module: 'pipecat.services.simli.video',
    className: 'SimliVideoService',
    extras: ['simli'],
    args: [apiKey('SIMLI_API_KEY'), needs('face_id', 'SIMLI_FACE_ID', 'Face')],
  },
  {
    id: 'tavus_video',
    label: 'Tavus',
    module: 'pipecat.services.tavus.video',
    className: 'TavusVideoService',
    extras: ['tavus'],
    args: [apiKey('TAVUS_API_KEY'), needs('replica_id', 'TAVUS_REPLICA_ID', 'Replica')],
    session: 'session',
  },
];
