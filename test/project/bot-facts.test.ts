import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { botFactsOf } from '../../src/project/bot/facts.ts';
import { LOCAL, PHONE, REALTIME, resolveFlags } from '../support/resolving.ts';

const factsOf = (given: RawConfig) => botFactsOf(resolveFlags(given));

/** What the guard of a bot in a call knows about a service: the facts that are true, and where its connection is. */
const guards: [given: RawConfig, facts: string, socket?: string][] = [
  [{ ...PHONE, stt_service: 'openai_stt' }, 'asksStt'],
  [{ ...PHONE, stt_service: 'deepgram_stt' }, 'hasSocket pingsInCalls', '_connection._websocket'],
  [{ ...LOCAL, stt_service: 'deepgram_stt' }, 'hasSocket', '_connection._websocket'],
  [{ ...PHONE, stt_service: 'azure_stt' }, 'countsTurns'],
  [REALTIME, 'hasSocket asksToRepeat asksByMessage', '_websocket'],
  [
    { ...REALTIME, transports: ['tel_a'], realtime_service: 'gemini_live_realtime' },
    'hasSocket pingsInCalls asksToRepeat asksCallersToRepeat asksByFrame',
    '_session._ws',
  ],
  [{ ...REALTIME, realtime_service: 'inworld_realtime' }, 'hasSocket asksToRepeat asksInContext', '_websocket'],
  [{ ...REALTIME, realtime_service: 'openai_live_realtime' }, 'hasSocket', '_websocket'],
  [
    { ...REALTIME, transports: ['tel_a'], realtime_service: 'aws_nova_realtime' },
    'countsTurns asksToRepeat asksCallersToRepeat asksByMessage',
  ],
];

const GUARD_FACTS = [
  ...(['asksStt', 'hasSocket', 'countsTurns', 'pingsInCalls', 'asksToRepeat'] as const),
  ...(['asksCallersToRepeat', 'asksByFrame', 'asksInContext', 'asksByMessage'] as const),
];

describe('the guard of a bot with', () => {
  for (const [given, facts, socket = ''] of guards) {
    const { realtime_service: id = given.stt_service, transports } = given;
    it(`${id} and ${transports}`, () => {
      const all = factsOf(given);
      assert.deepEqual([GUARD_FACTS.filter(name => all[name]).join(' '), all.socket], [facts, socket]);
      assert.equal(all.sttClass, all.asksStt ? 'SegmentedSTTService' : 'FrameProcessor');
    });
  }
});
