import { apiKey, code, needs, object, service } from './arguments.ts';
import type { ServiceRow } from './service.ts';

/** Video avatar services, in the order of their labels. */
export const video: readonly ServiceRow[] = [
  service('heygen_video', 'HeyGen LiveAvatar', 'HeyGenVideoService', {
    args: [
      needs('api_key', 'HEYGEN_API_KEY', 'LiveAvatar API key, not a HeyGen one'),
      code('service_type', 'ServiceType.LIVE_AVATAR'),
      object(
        'session_request',
        'LiveAvatarNewSessionRequest',
        needs('avatar_id', 'HEYGEN_AVATAR_ID', 'Avatar ID, from https://app.liveavatar.com'),
      ),
    ],
    imports: [
      { module: 'pipecat.services.heygen.api_liveavatar', names: ['LiveAvatarNewSessionRequest'] },
      { module: 'pipecat.services.heygen.client', names: ['ServiceType'] },
    ],
    session: 'session',
    picture: [1280, 720],
    keys: 'https://app.liveavatar.com/developers',
    recommended: 1,
  }),
  service('simli_video', 'Simli', 'SimliVideoService', {
    args: [apiKey('SIMLI_API_KEY'), needs('face_id', 'SIMLI_FACE_ID', 'Face')],
    picture: [512, 512],
  }),
  service('tavus_video', 'Tavus', 'TavusVideoService', {
    args: [
      apiKey('TAVUS_API_KEY'),
      needs('replica_id', 'TAVUS_REPLICA_ID', 'Replica ID, from https://docs.tavus.io/sections/replica/stock-replicas'),
    ],
    session: 'session',
    picture: [1280, 720],
    keys: 'https://platform.tavus.io',
    recommended: 2,
  }),
];
