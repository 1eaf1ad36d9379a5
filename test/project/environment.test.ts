import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { listVariables, needsOf, requiredBy, variableGroups } from '../../src/project/variables.ts';
import { manyConfigs } from '../support/many-configs.ts';
import { LOCAL, PHONE, resolveFlags } from '../support/resolving.ts';

const SERVER = "server.py only: the bot doesn't need these";

/** The groups in short: `Title: REQUIRED optional?`. */
const groupsOf = (flags: RawConfig) =>
  variableGroups(resolveFlags(flags)).map(({ title, variables }) =>
    [`${title}:`, ...variables.map(({ name, required }) => (required ? name : `${name}?`))].join(' '),
  );

const OPENAI =
  'OpenAI (speech-to-text, language model, text-to-speech): OPENAI_API_KEY OPENAI_STT_MODEL? OPENAI_BASE_URL? ' +
  'OPENAI_MODEL? OPENAI_TTS_MODEL? OPENAI_VOICE_ID?';

const groups: [about: string, flags: RawConfig, ...groups: string[]][] = [
  [
    'a phone next to a local transport: nobody needs its keys before a call',
    { ...PHONE, transports: ['tel_a', 'rtc_local'] },
    OPENAI,
    'Twilio: TWILIO_ACCOUNT_SID? TWILIO_AUTH_TOKEN?',
  ],
  [
    'a transport that shares variables with two groups: the three are one group, each variable once',
    { ...PHONE, transports: ['tel_a', 'rtc_hosted', 'tel_a_rtc_sip_dialin'] },
    OPENAI,
    'Twilio; Daily, hosted WebRTC; Twilio number with Daily SIP, dial-in: TWILIO_ACCOUNT_SID TWILIO_AUTH_TOKEN DAILY_API_KEY',
    `${SERVER}: PUBLIC_URL PIPECAT_AGENT_NAME? PIPECAT_API_KEY? LOCAL_SERVER_URL? PORT?`,
  ],
];

describe('the variables of', () => {
  for (const [about, flags, ...expected] of groups) it(about, () => assert.deepEqual(groupsOf(flags), expected));
});

describe('the heading of variables', () => {
  const headingsOf = (flags: RawConfig) => variableGroups(resolveFlags(flags)).map(({ heading }) => heading);

  it('says once where to get the keys', () => {
    assert.deepEqual(headingsOf({ ...LOCAL, stt_service: 'deepgram_flux_stt', tts_service: 'deepgram_tts' }), [
      'Deepgram Flux (speech-to-text); Deepgram (text-to-speech): https://console.deepgram.com',
      'OpenAI (language model): https://platform.openai.com/api-keys',
    ]);
  });

  it('names the page that another service of the provider names', () =>
    assert.equal(
      headingsOf({ ...LOCAL, llm_service: 'anthropic_llm', stt_service: 'elevenlabs_stt' })[0],
      'ElevenLabs (speech-to-text): https://elevenlabs.io/app/settings/api-keys',
    ));
});

it('the list of variables for programs says who reads a variable, and where to get it', () => {
  const transports = ['tel_a_rtc_sip_dialin', 'tel_a', 'rtc_local'];
  const listed = listVariables(resolveFlags({ ...PHONE, transports, llm_service: 'xai_llm' }));
  assert.deepEqual(
    listed.filter(({ name }) => /^(OPENAI_API_KEY|TWILIO_AUTH_TOKEN)$/.test(name)),
    [
      {
        name: 'OPENAI_API_KEY',
        required: true,
        description: 'API key',
        used_by: ['openai_stt', 'openai_tts'],
        get_it_at: 'https://platform.openai.com/api-keys',
      },
      {
        name: 'TWILIO_AUTH_TOKEN',
        required: false,
        for_calls: true,
        description: 'Twilio auth token',
        used_by: ['tel_a_rtc_sip_dialin', 'tel_a'],
        get_it_at: 'https://console.twilio.com',
      },
    ],
  );
});

it('nobody reaches a bot without the variables of its phones, or of its browsers if it has no phone', () => {
  const required = (...transports: string[]) => requiredBy(resolveFlags({ ...LOCAL, transports })).transports;
  assert.deepEqual(required('rtc_hosted'), ['DAILY_API_KEY']);
  assert.deepEqual(required('rtc_hosted', 'tel_a'), ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN']);
});

describe('what the owner of a bot needs', () => {
  const config = resolveFlags({ ...PHONE, stt_service: 'zoom_ai_stt', transports: ['tel_a', 'rtc_local'] });

  it('is the required variables of each account, and where to get them', () =>
    assert.deepEqual(needsOf(config), [
      { names: requiredBy({ ...config, llm_service: null, tts_service: null }).project, getItAt: [] },
      { names: ['OPENAI_API_KEY'], getItAt: ['https://platform.openai.com/api-keys'] },
    ]));

  it('for calls is those that browsers need not', () =>
    assert.deepEqual(needsOf(config, true), [
      { names: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'], getItAt: ['https://console.twilio.com'] },
    ]));
});

describe('in every configuration', () => {
  const configs = manyConfigs(300);

  it('a variable is in one group', () => {
    for (const config of configs) {
      const names = variableGroups(config).flatMap(({ variables }) => variables.map(({ name }) => name));
      assert.deepEqual(names, [...new Set(names)]);
    }
  });

  it('the required variables are those that services and transports require', () => {
    for (const config of configs) {
      const variables = variableGroups(config).flatMap(group => group.variables);
      const required = variables.filter(one => one.required).map(({ name }) => name);
      assert.deepEqual(required.sort(), [...requiredBy(config).project].sort());
      const forCalls = variables.filter(one => one.isForCalls).map(({ name }) => name);
      assert.deepEqual(forCalls.sort(), [...requiredBy(config).callsAlone].sort());
      assert.deepEqual(
        required.filter(name => forCalls.includes(name)),
        [],
      );
    }
  });

  it('a bot that a browser reaches without an account needs only the keys of its services', () => {
    for (const config of configs.filter(({ transports }) => transports.includes('rtc_local'))) {
      const { project, services, transports, byTransport } = requiredBy(config);
      assert.deepEqual([project, transports, byTransport.get('webrtc')], [services, [], []]);
    }
  });
});
