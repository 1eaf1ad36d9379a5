import assert from 'node:assert/strict';
import { COMPANIONS, findTransport, services, transports } from '../../src/catalog/index.ts';
import { resolveConfig, type ScaffoldConfig } from '../../src/config/config.ts';
import { type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { needsOf } from '../../src/project/variables/variables.ts';
import { converse } from '../../src/wizard/conversation.ts';
import { type Answers, runWizard, type Surroundings } from '../../src/wizard/index.ts';
import { initSteps } from '../../src/wizard/init-steps.ts';
import { rawConfigOf } from '../../src/wizard/raw-config.ts';
import { type Asked, type Deed, ENTER, ESC, sitDown } from '../support/person.ts';
import { projectMatrix } from '../support/projects.ts';
import { session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

const EMPTY: Surroundings = {
  problemOf: () => undefined,
  nameOf: directory => directory,
  hasBot: () => false,
  madeAs: () => undefined,
  olderGuides: () => [],
  needsOf,
};

/** What to do at a question, keyed by a part of it; Enter for all others. */
type Script = Readonly<Record<string, Deed>>;

const follow =
  (script: Script) =>
  ({ question }: Asked): Deed =>
    Object.entries(script).find(([part]) => question.includes(part))?.[1] ?? ENTER;

const BOT: Script = { 'Which settings': 'steps' };

async function decide(script: Script, given: Answers = {}, surroundings: Partial<Surroundings> = {}) {
  const { terminal, asked, written } = sitDown(follow(script));
  const decision = await runWizard(given, { ...EMPTY, ...surroundings }, terminal);
  return { ...decision, written: written(), questions: asked.map(({ question }) => question.split('\n').at(-1)) };
}

const START = ['In which directory? (. is this one)', 'How do you want to build?'];
const STEPS = [...START, 'Which settings?'];
const WHERE = 'Where do people meet it?';
const WEB = [WHERE, 'Which web client?', 'Which transports?'];
const PHONE = [WHERE, 'Which phone provider?'];
const OTHERS = 'Add others, e.g. for testing?';
const LANGUAGE = 'Which language does it speak?';
const CASCADE = ['Which pipeline?', LANGUAGE, 'Speech-to-text', 'Language model', 'Text-to-speech'];
const MAKE = 'Create this bot?';
const END = ['Which features?', MAKE];

const ONE_KEY = {
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
} as const;

// The questions of each path, and the configuration values they lead to.
const paths: [about: string, script: Script, questions: string[], expected?: Partial<ScaffoldConfig>][] = [
  ['a coding agent', { 'want to build': 'agent' }, START],
  [
    'Enter alone: a bot that needs one key, in five questions',
    {},
    [...STEPS, WHERE, MAKE],
    { ...ONE_KEY, project_name: 'my-bot', bot_type: 'web', transports: ['rtc_local'], client_framework: null },
  ],
  [
    'the recommended phone bot: its provider, too; it can be tried in a browser',
    { 'people meet': 'telephony' },
    [...STEPS, ...PHONE, MAKE],
    { ...ONE_KEY, bot_type: 'telephony', transports: ['tel_a', 'rtc_local'] },
  ],
  [
    'recommended calls with a direction: the direction, too',
    { 'people meet': 'telephony', 'phone provider': 'tel_a_rtc_sip' },
    [...STEPS, ...PHONE, 'Who calls whom?', MAKE],
    { transports: ['tel_a_rtc_sip_dialin', 'rtc_local'], twilio_daily_sip_mode: 'dial-in' },
  ],
  [
    'each step: Enter gives the recommended bot',
    BOT,
    [...STEPS, ...WEB, ...CASCADE, ...END],
    { ...ONE_KEY, transports: ['rtc_local'], client_framework: null, deploy_to_cloud: true, enable_eval: false },
  ],
  [
    'a web client with its server',
    { ...BOT, 'web client': 'component fullstack' },
    [...STEPS, ...WEB, ...CASCADE, ...END],
    { client_framework: 'component', client_server: 'fullstack' },
  ],
  [
    'a client without a framework',
    { ...BOT, 'web client': 'vanilla bundler', transports: ['rtc_hosted'] },
    [...STEPS, ...WEB, ...CASCADE, ...END],
    { client_framework: 'vanilla', client_server: 'bundler', transports: ['rtc_hosted'] },
  ],
  [
    'a phone bot: no client, and no direction if there is only one',
    { ...BOT, 'people meet': 'telephony', 'phone provider': 'tel_b', 'Add others': ['rtc_local', 'tel_d'] },
    [...STEPS, ...PHONE, OTHERS, ...CASCADE, ...END],
    { bot_type: 'telephony', transports: ['tel_b', 'rtc_local', 'tel_d'] },
  ],
  [
    'calls with a direction',
    {
      ...BOT,
      'people meet': 'telephony',
      'phone provider': 'rtc_hosted_pstn',
      'Who calls': 'dial-out',
      'Add others': [],
    },
    [...STEPS, ...PHONE, 'Who calls whom?', OTHERS, ...CASCADE, ...END],
    { transports: ['rtc_hosted_pstn_dialout'], daily_pstn_mode: 'dial-out', twilio_daily_sip_mode: null },
  ],
  [
    'realtime: one service',
    { ...BOT, pipeline: 'realtime' },
    [...STEPS, ...WEB, 'Which pipeline?', LANGUAGE, 'Speech-to-speech', ...END],
    { mode: 'realtime', realtime_service: 'openai_realtime', stt_service: null },
  ],
  [
    'a language: the services that know it',
    { ...BOT, 'Which language': 'sv', 'Speech-to-text': 'soniox_stt', 'Text-to-speech': 'soniox_tts' },
    [...STEPS, ...WEB, ...CASCADE, ...END],
    { language: 'sv', stt_service: 'soniox_stt', tts_service: 'soniox_tts' },
  ],
  [
    'features: an avatar shows itself',
    { ...BOT, 'Which features': ['recording', 'video_input', 'avatar'], 'avatar service': 'tavus_video' },
    [...STEPS, ...WEB, ...CASCADE, 'Which features?', 'Which avatar service?', MAKE],
    {
      video_service: 'tavus_video',
      ...{ video_output: true, video_input: true, recording: true, transcription: false, deploy_to_cloud: false },
    },
  ],
  [
    'features of a phone bot: no video',
    { ...BOT, 'people meet': 'telephony', 'Which features': ['enable_observability', 'enable_eval'] },
    [...STEPS, ...PHONE, OTHERS, ...CASCADE, ...END],
    { enable_observability: true, video_input: false, enable_eval: true, enable_noisecancel: false },
  ],
];

describe('the wizard asks what matters', () => {
  for (const [about, script, questions, expected] of paths) {
    it(`for ${about}`, async () => {
      const { questions: asked, config } = await decide(script);
      assert.deepEqual(asked, questions);
      const found = config && Object.fromEntries(Object.keys(expected ?? {}).map(key => [key, config[key as never]]));
      assert.deepEqual(found, expected);
    });
  }

  it('nothing about how to build if the directory contains a bot', async () => {
    assert.deepEqual((await decide({}, { directory: '.' }, { hasBot: () => true })).questions, []);
  });

  it('for a name only if the directory has none that a project can have', async () => {
    const script = { 'Project name': 'support-bot' };
    const { config, questions } = await decide(script, { directory: '.', build: 'bot' }, { nameOf: () => 'a\u0000b' });
    assert.deepEqual(questions, ['Which settings?', 'Project name', WHERE, MAKE]);
    assert.equal(config?.project_name, 'support-bot');
  });

  it('again about features that need others', async () => {
    let visits = 0;
    const { terminal } = sitDown(one => {
      if (!one.question.includes('Which features')) return follow(BOT)(one);
      visits += 1;
      return visits === 1 ? ['enable_noisecancel'] : ['deploy_to_cloud', 'enable_noisecancel'];
    });
    const { config } = await runWizard({}, EMPTY, terminal);
    assert.deepEqual([visits, config?.enable_noisecancel], [2, true]);
  });

  it("with an existing bot's answers as defaults: Enter changes nothing", async () => {
    // Neighbors differ in one service; a third of them has all transports, features and clients.
    for (const made of projectMatrix().filter((_, at) => at % 3 === 0)) {
      const { terminal } = sitDown(follow({}));
      const surroundings = { ...EMPTY, hasBot: () => true, madeAs: () => made };
      const { config, isChange } = await runWizard({ directory: '.' }, surroundings, terminal);
      assert.deepEqual([isChange, config], [true, made]);
    }
  });

  it('whether to refresh the guides that an older botcli wrote, and Enter does', async () => {
    const older = { hasBot: () => true, olderGuides: () => ['AGENTS.md'] };
    assert.equal((await decide({}, { directory: '.' }, older)).refresh, true);
    assert.equal((await decide({ Refresh: false }, { directory: '.' }, older)).refresh, false);
    assert.equal((await decide({}, { directory: 'botcli-quickstart', build: 'decided' }, older)).refresh, true);
  });

  it('about video input only for services that see images', async () => {
    for (const { id, sees = false } of services.realtime) {
      const { terminal, asked } = sitDown(follow({ ...BOT, pipeline: 'realtime', 'Speech-to-speech': id }));
      await runWizard({}, EMPTY, terminal);
      const values = asked.find(({ question }) => question === 'Which features?')?.values;
      assert.equal(values?.includes('video_input'), sees, id);
    }
  });

  it('about services that know the language', async () => {
    const { terminal, asked } = sitDown(follow({ ...BOT, 'Which language': 'sv' }));
    await runWizard({}, EMPTY, terminal);
    const offered = asked.filter(({ question }) => /^(Speech-to-text|Text-to-speech)$/.test(question));
    const ids = offered.flatMap(({ values = [] }) => values);
    assert(ids.includes('deepgram_stt') && ids.includes('elevenlabs_tts'));
    assert(!ids.includes('deepgram_flux_stt') && !ids.includes('deepgram_tts'));
  });

  // The first choices of each list, after the answers before it.
  const firsts: [question: string, script: Script, ...ids: string[]][] = [
    ['Speech-to-text', {}, 'openai_stt', 'deepgram_stt', 'deepgram_flux_stt', 'assemblyai_stt', 'assemblyai_sync_stt'],
    ['Language model', {}, 'openai_llm', 'openai_responses_llm', 'anthropic_llm', 'google_gemini_llm', 'groq_llm'],
    ['Text-to-speech', {}, 'openai_tts', 'cartesia_tts', 'elevenlabs_tts', 'deepgram_tts', 'asyncai_tts'],
    ['Text-to-speech', { 'Speech-to-text': 'deepgram_stt', 'Language model': 'anthropic_llm' }, 'deepgram_tts'],
    ['Text-to-speech', { 'Speech-to-text': 'cartesia_stt', 'Language model': 'groq_llm' }, 'cartesia_tts', 'groq_tts'],
    ['Language model', { 'Speech-to-text': 'aws_transcribe_stt' }, 'aws_bedrock_llm', 'openai_llm'],
    ['Language model', { 'Speech-to-text': 'whisper_stt' }, 'openai_llm', 'anthropic_llm'],
    ['Speech-to-speech', { pipeline: 'realtime' }, 'openai_realtime', 'gemini_live_realtime', 'aws_nova_realtime'],
    ['Which web client?', {}, 'none', 'component bundler', 'component fullstack', 'vanilla bundler'],
    ['Which transports?', {}, 'rtc_local', 'rtc_hosted'],
    ['Which phone provider?', { 'people meet': 'telephony' }, 'tel_a', 'tel_b'],
    ['Add others', { 'people meet': 'telephony' }, 'rtc_local', 'rtc_hosted'],
  ];
  for (const [question, script, ...ids] of firsts) {
    it(`${question}, after ${Object.values(script).join(' and ') || 'Enter'}: first ${ids[0]}`, async () => {
      const { terminal, asked } = sitDown(follow({ ...BOT, ...script }));
      await runWizard({}, EMPTY, terminal);
      const { values = [] } = asked.find(one => one.question.startsWith(question)) ?? {};
      assert.deepEqual(values.slice(0, ids.length), ids);
    });
  }

  it('about every value of an option that lists its values', async () => {
    const phone = { ...BOT, 'people meet': 'telephony' };
    const scripts: Script[] = [
      { ...BOT, 'Which features': ['avatar'] },
      { ...BOT, pipeline: 'realtime' },
      { ...phone, 'phone provider': 'rtc_hosted_pstn' },
      { ...phone, 'phone provider': 'tel_a_rtc_sip' },
    ];
    const offered = new Set<string>();
    for (const script of scripts) {
      const { terminal, asked } = sitDown(follow(script));
      await runWizard({}, EMPTY, terminal);
      // A web client is chosen with its server, and English is the default language.
      const words = asked.flatMap(({ values = [] }) => values).flatMap(value => value.split(' '));
      for (const word of words) offered.add(word === 'default' ? 'en' : word);
    }
    for (const { key, values = [] } of scaffoldOptions as readonly ScaffoldOption[]) {
      if (key === 'transports') continue;
      for (const value of values) assert(offered.has(value), `${key} ${value}`);
    }
  });

  it('about every transport of the catalog, and then about compatible ones', async () => {
    const seen = new Set<string>();
    const web = sitDown(follow(BOT));
    await runWizard({}, EMPTY, web.terminal);
    for (const id of web.asked.find(one => one.question === 'Which transports?')?.values ?? []) seen.add(id);
    const phone: Script = { ...BOT, 'people meet': 'telephony' };
    const first = sitDown(follow(phone));
    await runWizard({}, EMPTY, first.terminal);
    for (const id of first.asked.find(one => one.question === 'Which phone provider?')?.values ?? []) {
      seen.add(id);
      const second = sitDown(follow({ ...phone, 'phone provider': id }));
      await runWizard({}, EMPTY, second.terminal);
      const others = second.asked.find(one => one.question === OTHERS)?.values ?? [];
      const family = transports.find(row => row.id === id || row.generic === id)?.family ?? 'web';
      for (const other of others) assert(COMPANIONS[family].includes(findTransport(other).family), `${id} ${other}`);
      assert(others.includes('rtc_local') && !others.includes(id), id);
    }
    assert.deepEqual([...seen].sort(), [...new Set(transports.map(row => row.generic ?? row.id))].sort());
  });
});

describe('the summary', () => {
  // The summary's rows on an 80-column terminal, after these answers.
  const summaries: [about: string, script: Script, ...rows: string[]][] = [
    [
      'names the directory, what was chosen, and what it needs',
      {},
      ...['Directory       my-bot', 'People meet it  In a browser or app', 'Transports      SmallWebRTC, peer to peer'],
      ...['Pipeline        Cascade', 'Speech-to-text  OpenAI', 'Language model  OpenAI', 'Text-to-speech  OpenAI'],
      ...['Features        Cloud deployment', 'Needs           OPENAI_API_KEY'],
      '                https://platform.openai.com/api-keys',
    ],
    [
      'has no rows that say nothing; it names each account',
      {
        ...BOT,
        ...{ 'people meet': 'telephony', 'Add others': [], 'Which features': [], 'Which language': 'de' },
        ...{ 'Speech-to-text': 'deepgram_stt', 'Language model': 'groq_llm', 'Text-to-speech': 'deepgram_tts' },
        ...{ 'Text-to-speech': 'cartesia_tts' },
      },
      ...[
        'Directory       my-bot',
        'People meet it  On the phone',
        'Phone provider  Twilio',
        'Pipeline        Cascade',
      ],
      ...['Language        German', 'Speech-to-text  Deepgram', 'Language model  Groq', 'Text-to-speech  Cartesia'],
      ...['Needs           DEEPGRAM_API_KEY', '                https://console.deepgram.com'],
      ...['                GROQ_API_KEY', '                https://console.groq.com/keys'],
      ...['                CARTESIA_API_KEY, CARTESIA_VOICE_ID', '                https://play.cartesia.ai/keys'],
      ...['                TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN', '                https://console.twilio.com'],
    ],
    [
      'of a bot on this machine needs no key',
      {
        ...BOT,
        ...{ directory: '.', 'Speech-to-text': 'whisper_stt', 'Language model': 'ollama_llm', 'Which features': [] },
        'Text-to-speech': 'pockettts_tts',
      },
      ...['Directory       this one, here', 'People meet it  In a browser or app'],
      ...['Transports      SmallWebRTC, peer to peer', 'Pipeline        Cascade'],
      ...['Speech-to-text  Whisper on this machine', 'Language model  Ollama on this machine'],
      ...['Text-to-speech  Pocket TTS on this machine', 'Needs           no API key'],
    ],
  ];
  for (const [about, script, ...rows] of summaries) {
    it(about, async () => {
      const { terminal, asked } = sitDown(follow(script));
      await runWizard({}, { ...EMPTY, nameOf: directory => (directory === '.' ? 'here' : directory) }, terminal);
      const [summary = ''] = asked.flatMap(({ question }) => (question.includes(MAKE) ? [question] : []));
      assert.deepEqual(summary.split('\n'), [...rows, '', MAKE]);
    });
  }
});

describe('Esc', () => {
  it('goes back through every question to the first, and quits there', async () => {
    const script = follow(BOT);
    let isBack = false;
    const { terminal, asked } = sitDown(one => {
      isBack ||= one.question.includes(MAKE);
      return isBack ? ESC : script(one);
    });
    await assert.rejects(runWizard({}, EMPTY, terminal), { exitCode: 130 });
    const questions = asked.map(({ question }) => question);
    const last = questions.findIndex(question => question.includes(MAKE));
    assert.deepEqual(questions.slice(last + 1), questions.slice(0, last).reverse());
  });

  it('keeps the answers as defaults', async () => {
    const answers = { ...BOT, directory: 'a', 'Language model': 'groq_llm', features: ['enable_eval'] };
    const { config } = await backTo('directory', answers, ENTER);
    assert.deepEqual([config?.project_name, config?.llm_service, config?.enable_eval], ['a', 'groq_llm', true]);
  });

  it('and a different choice drop the answers that are no longer relevant', async () => {
    const phone = {
      ...BOT,
      'people meet': 'telephony',
      'phone provider': 'tel_a',
      'Add others': ['tel_b', 'rtc_local'],
    };
    const web = await backTo('people meet', phone, 'web');
    assert.deepEqual([web.config?.bot_type, web.config?.transports], ['web', ['rtc_local']]);
    const local = await backTo('phone provider', phone, 'tel_b');
    assert.deepEqual(local.config?.transports, ['tel_b', 'rtc_local']);
    const calls = {
      ...BOT,
      ...{ 'people meet': 'telephony', 'phone provider': 'tel_a_rtc_sip', 'Who calls': 'dial-out', 'Add others': [] },
    };
    const streams = await backTo('phone provider', calls, 'tel_a');
    assert.deepEqual([streams.config?.transports, streams.config?.twilio_daily_sip_mode], [['tel_a'], null]);
  });

  it('and recommended settings instead drop the answers to the other questions', async () => {
    const { config } = await backTo('settings', { ...BOT, 'Language model': 'groq_llm', features: [] }, 'recommended');
    assert.deepEqual([config?.llm_service, config?.deploy_to_cloud], ['openai_llm', true]);
  });

  it('and the first choice again restore its answers', async () => {
    // The words of each question, in turn, and what is done there; from then on, Enter.
    const deeds: [part: string, deed: Deed][] = [
      ['directory', ENTER],
      ['want to build', 'bot'],
      ['settings', 'steps'],
      ['people meet', 'web'],
      ['web client', 'vanilla bundler'],
      ['Which transports', ESC],
      ['web client', ESC],
      ['people meet', 'telephony'],
      ['phone provider', ESC],
      ['people meet', 'web'],
    ];
    const { terminal } = sitDown(({ question }, at) => {
      const [part, deed] = deeds[at] ?? ['', ENTER];
      assert(question.includes(part), question);
      return deed;
    });
    assert.equal((await runWizard({}, EMPTY, terminal)).config?.client_framework, 'vanilla');
  });
});

/** Answers everything, goes back from the last question to one, answers that in another way, and takes all that follows. */
function backTo(part: string, script: Script, deed: Deed) {
  let way: 'on' | 'back' | 'through' = 'on';
  const { terminal } = sitDown(asked => {
    if (way === 'on' && asked.question.includes(MAKE)) way = 'back';
    if (way !== 'back') return way === 'on' ? follow(script)(asked) : ENTER;
    if (!asked.question.includes(part)) return ESC;
    way = 'through';
    return deed;
  });
  return runWizard({}, EMPTY, terminal);
}

describe('the command that the wizard prints', () => {
  it(
    'gives the same configuration',
    session({}, async ({ succeed }) => {
      for (const [, script, , expected] of paths) {
        if (!expected) continue;
        const { config, written } = await decide(script);
        const line = written.slice(written.indexOf('botcli init')).trim();
        for (const one of line.split('\n')) assert(one.length <= 80, one);
        assert.deepEqual(JSON.parse(await succeed([...shellWords(line).slice(1), '--dry-run'])), config);
      }
    }),
  );

  it('is also printed when the user declines the bot', async () => {
    const { terminal, written } = sitDown(follow({ ...BOT, [MAKE]: false }));
    await assert.rejects(runWizard({}, EMPTY, terminal), { exitCode: 1, message: 'Declined. Nothing was written.' });
    assert.match(written(), /\nbotcli init my-bot -t rtc_local/);
  });
});

describe('every combination of answers', () => {
  it('is a valid configuration', async () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = createRandom(seed);
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
      const { terminal } = sitDown((one, at) => {
        if (one.question.includes('want to build')) return 'bot';
        if (one.question.includes(MAKE)) return true;
        if (at < 60 && at > 0 && random() < 0.2) return ESC;
        if (Array.isArray(one.proposed)) return (one.values ?? []).filter(() => random() < 0.4);
        if (one.values) return pick(one.values);
        return typeof one.proposed === 'boolean' ? random() < 0.5 : ENTER;
      });
      const given = { directory: 'my-bot', build: 'bot' } as const;
      // Esc on the first question quits.
      const answers = await converse(initSteps, given, EMPTY, terminal).catch(() => undefined);
      if (answers) assert.doesNotThrow(() => resolveConfig({ flags: rawConfigOf(answers), directoryName: 'x' }));
    }
  });
});

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
