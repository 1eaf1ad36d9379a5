import assert from 'node:assert/strict';
import { lostBetween } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';

const CLIENT = { client_framework: 'vanilla' };
const AVATAR = { video_service: 'tavus_video' };

const changes: [about: string, before: RawConfig, after: RawConfig, ...lost: string[]][] = [
  ['nothing', { ...CLIENT, ...AVATAR }, { ...CLIENT, ...AVATAR }],
  ['what is replaced', CLIENT, { client_framework: 'component' }],
  ['a client and an avatar', { ...CLIENT, ...AVATAR }, {}, 'client_framework web client', 'video_service avatar'],
  ['a client that is removed', CLIENT, { client_framework: 'none' }, 'client_framework web client'],
  ['an avatar that is null', { ...CLIENT, ...AVATAR }, { ...CLIENT, video_service: null }, 'video_service avatar'],
  ['what was never there', { client_framework: 'none', video_service: null }, {}],
];

describe('what a changed project loses:', () => {
  for (const [about, before, after, ...lost] of changes) {
    it(about, () =>
      assert.deepEqual(
        lostBetween(before, after).map(row => row.join(' ')),
        lost,
      ),
    );
  }
});
