import assert from 'node:assert/strict';
import { listOptions } from '../../src/project/handover/option-details.ts';

type Row = { id: string } & Record<string, unknown>;

const detailsOf = () => listOptions(true).details as Record<string, Row[]>;
const DAILY = 'https://dashboard.daily.co/developers';

const rows: [kind: string, row: Row][] = [
  ['bot_type', { id: 'web', label: 'In a browser', description: 'or in an app' }],
  ['client_framework', { id: 'component', label: 'React' }],
  ['client_framework', { id: 'none', label: 'None', description: 'the bot has a test page' }],
  ['twilio_daily_sip_mode', { id: 'dial-out', label: 'The bot calls people' }],
  ['transports', { id: 'rtc_local', label: 'SmallWebRTC, peer to peer', bot_type: 'web', recommended: true, keys: {} }],
  [
    'transports',
    {
      id: 'rtc_hosted_pstn_dialout',
      label: 'Daily phone number, dial-out',
      bot_type: 'telephony',
      recommended: false,
      direction: 'dial-out',
      keys: { DAILY_API_KEY: DAILY, DIALOUT_API_KEY: null },
    },
  ],
  [
    'transports',
    {
      id: 'rtc_hosted_pstn',
      label: 'Daily phone number',
      bot_type: 'telephony',
      recommended: false,
      direction_option: 'daily_pstn_mode',
      directions: { 'dial-in': 'rtc_hosted_pstn_dialin', 'dial-out': 'rtc_hosted_pstn_dialout' },
    },
  ],
  [
    'tts',
    {
      id: 'hume_tts',
      label: 'Hume',
      recommended: false,
      ended: '2026-11-13',
      keys: { HUME_API_KEY: null, HUME_VOICE_ID: 'https://app.hume.ai/voices' },
      languages: ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'ru'],
    },
  ],
  [
    'llm',
    {
      id: 'aws_bedrock_llm',
      label: 'AWS Bedrock',
      recommended: false,
      keys: {},
      languages: null,
      credentials: 'AWS: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile or role of the machine',
    },
  ],
  [
    'realtime',
    {
      id: 'ultravox_realtime',
      label: 'Ultravox',
      recommended: false,
      keys: { ULTRAVOX_API_KEY: null },
      video_input: false,
      languages: null,
    },
  ],
];

describe('what the values of options mean, for programs:', () => {
  for (const [kind, row] of rows) {
    it(`${kind} ${row.id}`, () =>
      assert.deepEqual(
        detailsOf()[kind]?.find(({ id }) => id === row.id),
        row,
      ));
  }

  it('they are listed with their ids, as without details', () => {
    const { details, ...ids } = listOptions(true);
    assert.deepEqual(ids, listOptions(false));
    assert.equal(
      Object.keys(details as object).join(' '),
      'bot_type mode client_framework client_server daily_pstn_mode twilio_daily_sip_mode ci transports stt llm tts realtime video',
    );
  });

  it('a speech-to-speech service says whether it takes pictures', () => {
    const seeing = detailsOf()
      .realtime?.filter(row => row.video_input)
      .map(({ id }) => id);
    assert.deepEqual(seeing, [
      'azure_realtime',
      'gemini_live_realtime',
      'gemini_vertex_live_realtime',
      'openai_realtime',
    ]);
  });
});
