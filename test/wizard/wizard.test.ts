import assert from 'node:assert/strict';
import { COMPANIONS, findTransport, transports } from '../../src/catalog/index.ts';
import { repeatLines } from '../../src/config/command.ts';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { ON_THIS_COMPUTER } from '../../src/config/quickstart.ts';
import { type Answers, runWizard, type Surroundings } from '../../src/wizard/index.ts';
import { type Asked, type Deed, ENTER, ESC, sitDown } from '../support/person.ts';
import { projectMatrix } from '../support/projects.ts';
import { randomOf } from '../support/random.ts';
import { itIn } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

const EMPTY: Surroundings = {
  problemOf: () => undefined,
  nameOf: directory => directory,
  hasBot: () => false,
  hasFiles: () => false,
  missingGuides: () => ['AGENTS.md', 'ASSISTANT.md'],
  madeAs: () => undefined,
  olderGuides: () => [],
};

/** What to do at a question, keyed by a part of it; Enter for all others. */
type Script = Readonly<Record<string, Deed>>;

const follow =
  (script: Script) =>
  ({ question }: Asked): Deed =>
    Object.entries(script).find(([part]) => question.includes(part))?.[1] ?? ENTER;

const BOT: Script = { 'choose everything': 'steps' };

async function converse(script: Script, given: Answers = {}, surroundings: Partial<Surroundings> = {}) {
  const { terminal, asked } = sitDown(follow(script));
  return { ...(await runWizard(given, { ...EMPTY, ...surroundings }, terminal)), asked };
}

async function decide(...given: Parameters<typeof converse>) {
  const { asked, ...decision } = await converse(...given);
  return { ...decision, questions: asked.map(({ question }) => question.split('\n').at(-1)) };
}

const START = ['(a new directory, or . for this one)', 'Who builds the bot?'];
const STEPS = [...START, 'Quick start, or choose everything?'];
const WHERE = 'How will people talk to it?';
const WEB = [WHERE, 'Which web client?', 'How should audio travel?'];
const PHONE = [WHERE, 'Which phone provider?'];
const OTHERS = 'Also reachable another way?';
const SERVICES = ['Which service listens?', 'Which service writes the answers?', 'Which service speaks?'];
const CASCADE = ['How should it think?', 'Which language does it speak?', ...SERVICES];
const MAKE = 'Create this bot?';
const END = ['Which features?', MAKE];

const OPENAI = { stt_service: 'openai_stt', llm_service: 'openai_llm', tts_service: 'openai_tts' } as const;
const ONE_KEY = { mode: 'cascade', ...OPENAI } as const;

// The questions of each path, and the configuration values they lead to.
const paths: [about: string, script: Script, questions: string[], expected?: Partial<ScaffoldConfig>][] = [
  ['a coding agent', { 'builds the bot': 'agent' }, [...START, 'Write these guides?']],
  [
    'Enter alone: a bot that needs one key, in five questions',
    {},
    [...STEPS, WHERE, MAKE],
    { ...ONE_KEY, project_name: 'my-bot', transports: ['rtc_local', 'rtc_hosted'], client_framework: null },
  ],
  [
    'the recommended phone bot: its provider, too; it can be tried in a browser',
    { 'people talk': 'telephony' },
    [...STEPS, ...PHONE, MAKE],
    { ...ONE_KEY, bot_type: 'telephony', transports: ['tel_a', 'rtc_local'] },
  ],
  [
    'recommended calls with a direction: the direction, too',
    { 'people talk': 'telephony', 'phone provider': 'tel_a_rtc_sip' },
    [...STEPS, ...PHONE, 'Who calls whom?', MAKE],
    { transports: ['tel_a_rtc_sip_dialin', 'rtc_local'], twilio_daily_sip_mode: 'dial-in' },
  ],
  [
    'everything on this computer: no account, in four questions',
    { 'choose everything': 'local' },
    [...STEPS, MAKE],
    { ...ON_THIS_COMPUTER, transports: ['rtc_local'], client_framework: null, deploy_to_cloud: false },
  ],
  [
    'a web client with its server',
    { ...BOT, 'web client': 'component fullstack' },
    [...STEPS, ...WEB, ...CASCADE, ...END],
    { client_framework: 'component', client_server: 'fullstack' },
  ],
  [
    'a phone bot: no client, and no direction if there is only one',
    { ...BOT, 'people talk': 'telephony', 'phone provider': 'tel_b', 'Also reachable': ['rtc_local', 'tel_d'] },
    [...STEPS, ...PHONE, OTHERS, ...CASCADE, ...END],
    { bot_type: 'telephony', transports: ['tel_b', 'rtc_local', 'tel_d'] },
  ],
  [
    'a language: the services that know it',
    { ...BOT, 'Which language': 'sv', 'service listens?': 'soniox_stt', 'service speaks': 'soniox_tts' },
    [...STEPS, ...WEB, ...CASCADE, ...END],
    { language: 'sv', stt_service: 'soniox_stt', tts_service: 'soniox_tts' },
  ],
  [
    'features: an avatar shows itself',
    { ...BOT, 'Which features': ['recording', 'video_input', 'avatar'], 'avatar service': 'tavus_video' },
    [...STEPS, ...WEB, ...CASCADE, 'Which features?', 'Which avatar service?', MAKE],
    { video_service: 'tavus_video', video_output: true, recording: true, transcription: false, deploy_to_cloud: false },
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

  it('what to do with a bot that botcli did not make, and before it writes guides', async () => {
    const mine = { hasBot: () => true };
    const questions = ["conf has a bot that botcli didn't make.", 'Write these guides?'];
    assert.deepEqual((await decide({}, { directory: 'conf' }, mine)).questions, questions);
    const declined = decide({ 'Write these': false }, { directory: 'conf' }, mine);
    await assert.rejects(declined, { exitCode: 1, message: 'Cancelled. Nothing was written.' });
  });

  it('for another directory, if the user wants one', async () => {
    const { terminal, asked } = sitDown(({ question }, at) => {
      if (at === 0) return 'conf';
      return question.startsWith('conf') ? 'back' : at === 2 ? 'new' : ENTER;
    });
    const hasBot = (directory: string) => directory === 'conf';
    const { directory, config } = await runWizard({}, { ...EMPTY, hasBot }, terminal);
    assert.deepEqual([directory, config?.project_name, asked[2]?.question], ['new', 'new', asked[0]?.question]);
  });

  it('for a name only if the directory has none that a project can have', async () => {
    const script = { 'Project name': 'support-bot' };
    const { config, questions } = await decide(script, { directory: '.', build: 'bot' }, { nameOf: () => 'a\u0000b' });
    assert.deepEqual(questions, ['Quick start, or choose everything?', 'Project name', WHERE, MAKE]);
    assert.equal(config?.project_name, 'support-bot');
  });

  it('again about features that need others', async () => {
    const answers = [['enable_noisecancel'], ['deploy_to_cloud', 'enable_noisecancel']];
    const { terminal } = sitDown(one => {
      if (!one.question.includes('Which features')) return follow(BOT)(one);
      return answers.shift() ?? assert.fail();
    });
    const { config } = await runWizard({}, EMPTY, terminal);
    assert.deepEqual([answers, config?.enable_noisecancel], [[], true]);
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

  // The first choices of each list, after the answers before it.
  const firsts: [question: string, script: Script, ids: string][] = [
    ['Which service listens?', {}, 'openai_stt deepgram_stt deepgram_flux_stt assemblyai_stt assemblyai_sync_stt'],
    ['Which service writes', {}, 'openai_llm openai_responses_llm anthropic_llm google_gemini_llm groq_llm'],
    ['Which service speaks', {}, 'openai_tts cartesia_tts elevenlabs_tts deepgram_tts asyncai_tts'],
    ['Which service speaks', { listens: 'deepgram_stt', writes: 'anthropic_llm' }, 'deepgram_tts'],
    ['Which service speaks', { listens: 'cartesia_stt', writes: 'groq_llm' }, 'cartesia_tts groq_tts'],
    ['Which service writes', { listens: 'aws_transcribe_stt' }, 'aws_bedrock_llm openai_llm'],
    ['Which service listens and', { think: 'realtime' }, 'openai_realtime gemini_live_realtime aws_nova_realtime'],
    ['Also reachable', { 'people talk': 'telephony' }, 'rtc_local rtc_hosted'],
  ];
  for (const [question, script, ids] of firsts) {
    it(`${question}, after ${Object.values(script).join(' and ') || 'Enter'}: first ${ids}`, async () => {
      const { asked } = await converse({ ...BOT, ...script });
      const { values = [] } = asked.find(one => one.question.startsWith(question)) ?? {};
      assert.equal(values.slice(0, ids.split(' ').length).join(' '), ids);
    });
  }

  it('about every value of an option that lists its values', async () => {
    const phone = { ...BOT, 'people talk': 'telephony' };
    const scripts: Script[] = [
      { ...BOT, 'Which features': ['avatar'] },
      { ...BOT, 'it think': 'realtime' },
      { ...phone, 'phone provider': 'rtc_hosted_pstn' },
      { ...phone, 'phone provider': 'tel_a_rtc_sip' },
    ];
    const all = await Promise.all(scripts.map(script => converse(script)));
    // A web client is chosen with its server, and English is the default language.
    const words = all.flatMap(({ asked }) => asked.flatMap(({ values = [] }) => values.flatMap(one => one.split(' '))));
    const offered = new Set(words.map(word => (word === 'default' ? 'en' : word)));
    for (const { key, values = [] } of scaffoldOptions as readonly ScaffoldOption[]) {
      // Few need a workflow.
      if (key === 'transports' || key === 'ci') continue;
      for (const value of values) assert(offered.has(value), `${key} ${value}`);
    }
  });

  it('about every transport of the catalog, and then about compatible ones', async () => {
    const valuesOf = async (script: Script, question: string) =>
      (await converse({ ...BOT, ...script })).asked.find(one => one.question === question)?.values ?? [];
    const phone = { 'people talk': 'telephony' };
    const providers = await valuesOf(phone, 'Which phone provider?');
    for (const id of providers) {
      const others = await valuesOf({ ...phone, 'phone provider': id }, OTHERS);
      const family = transports.find(row => row.id === id || row.generic === id)?.family ?? 'web';
      for (const other of others) assert(COMPANIONS[family].includes(findTransport(other).family), `${id} ${other}`);
      assert(others.includes('rtc_local') && !others.includes(id), id);
    }
    const seen = [...providers, ...(await valuesOf({}, 'How should audio travel?'))];
    assert.deepEqual(seen.sort(), [...new Set(transports.map(row => row.generic ?? row.id))].sort());
  });
});

describe('the summary', () => {
  /** The rows of the first summary, and the place of those that others have. */
  const ROWS: Record<string, string | undefined> = {
    Directory: 'my-bot',
    Access: 'In a browser',
    Transports: 'SmallWebRTC, peer to peer; Daily, hosted WebRTC',
    'Phone provider': undefined,
    'Also over': undefined,
    Pipeline: 'Three services',
    Language: undefined,
    'Speech-to-text': 'OpenAI',
    'Language model': 'OpenAI',
    'Text-to-speech': 'OpenAI',
    Features: 'Evals, Journal, Cloud deployment',
    Needs: 'OPENAI_API_KEY\nhttps://platform.openai.com/api-keys',
  };
  const OPENED = {
    DEEPGRAM_API_KEY: 'https://console.deepgram.com',
    GROQ_API_KEY: 'https://console.groq.com/keys',
    'CARTESIA_API_KEY, CARTESIA_VOICE_ID': 'https://play.cartesia.ai/keys',
  };
  const TWILIO = 'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN\nhttps://console.twilio.com';
  const PHONE_ROWS = { Access: 'On the phone', Transports: undefined, 'Phone provider': 'Twilio' };
  const services = (stt: string, llm: string, tts: string) => ({
    ...{ 'Speech-to-text': stt, 'Language model': llm, 'Text-to-speech': tts, Features: undefined },
  });
  const summaries: [about: string, script: Script, differences: typeof ROWS][] = [
    ['names the directory, what was chosen, and what it needs', {}, {}],
    [
      'has no rows that say nothing; it names each account',
      {
        ...BOT,
        ...{ 'people talk': 'telephony', 'Also reachable': [], 'Which features': [], 'Which language': 'de' },
        ...{ 'service listens?': 'deepgram_stt', 'writes the answers': 'groq_llm', 'service speaks': 'cartesia_tts' },
      },
      {
        ...{ ...PHONE_ROWS, Language: 'German', ...services('Deepgram', 'Groq', 'Cartesia') },
        Needs: [...Object.entries(OPENED).flat(), TWILIO].join('\n'),
      },
    ],
    [
      'of a phone bot that browsers reach names what only calls need',
      { 'people talk': 'telephony' },
      { ...PHONE_ROWS, 'Also over': 'SmallWebRTC, peer to peer', 'For calls': TWILIO },
    ],
    [
      'of a bot on this machine needs no key',
      { 'choose everything': 'local', directory: '.' },
      {
        ...{ Directory: 'this one, .', Transports: 'SmallWebRTC, peer to peer' },
        ...services('Moonshine on this machine', 'Ollama on this machine', 'Kokoro on this machine'),
        Needs: 'Ollama\nhttps://ollama.com/download\nno API key',
      },
    ],
  ];
  for (const [about, script, differences] of summaries) {
    it(about, async () => {
      const { asked } = await converse(script);
      const rows = Object.entries({ ...ROWS, ...differences }).flatMap(([name, value]) =>
        value === undefined ? [] : name.padEnd(16) + value.replaceAll('\n', `\n${' '.repeat(16)}`),
      );
      assert.equal(asked.at(-1)?.question, [...rows, '', MAKE].join('\n'));
    });
  }
});

describe('a directory with files', () => {
  const full = { hasFiles: (directory: string) => ['my-bot', '.'].includes(directory) };
  const summaryOf = async (script: Script) => (await converse(script, {}, full)).asked.at(-1)?.question.split('\n')[0];

  it("isn't suggested", async () => assert.equal((await decide({}, {}, full)).directory, 'my-bot-2'));

  it('keeps them, says the summary', async () => {
    assert.equal(await summaryOf({ '(a new': 'my-bot' }), 'Directory       my-bot (its files stay)');
    assert.equal(await summaryOf({ '(a new': '.' }), 'Directory       this one, . (its files stay)');
    assert.equal(await summaryOf({}), 'Directory       my-bot-2');
  });
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
    const answers = { ...BOT, directory: 'a', 'writes the answers': 'groq_llm', features: ['enable_eval'] };
    const { config } = await backTo('directory', answers, ENTER);
    assert.deepEqual([config?.project_name, config?.llm_service, config?.enable_eval], ['a', 'groq_llm', true]);
  });

  it('and a different choice drop the answers that are no longer relevant', async () => {
    const phone = { ...BOT, 'people talk': 'telephony', 'Also reachable': ['tel_b', 'rtc_local'] };
    const web = await backTo('people talk', phone, 'web');
    assert.deepEqual([web.config?.bot_type, web.config?.transports], ['web', ['rtc_local']]);
    const local = await backTo('phone provider', phone, 'tel_b');
    assert.deepEqual(local.config?.transports, ['tel_b', 'rtc_local']);
    const calls = { ...phone, 'phone provider': 'tel_a_rtc_sip', 'Who calls': 'dial-out', 'Also reachable': [] };
    const streams = await backTo('phone provider', calls, 'tel_a');
    assert.deepEqual([streams.config?.transports, streams.config?.twilio_daily_sip_mode], [['tel_a'], null]);
  });

  it('and the first choice again restore its answers', async () => {
    // The words of each question, in turn, and what is done there; from then on, Enter.
    const deeds: [part: string, deed: Deed][] = [
      ['directory', ENTER],
      ['builds the bot', 'bot'],
      ['choose everything', 'steps'],
      ['people talk', 'web'],
      ['web client', 'vanilla bundler'],
      ['audio travel', ESC],
      ['web client', ESC],
      ['people talk', 'telephony'],
      ['phone provider', ESC],
      ['people talk', 'web'],
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
  itIn('gives the same configuration', {}, async ({ succeed }) => {
    for (const [, script] of paths.slice(1)) {
      const { config, repeat = [] } = await decide(script);
      const lines = repeat.join('\n').split('\n');
      for (const line of lines) assert(line.length <= 80, line);
      assert.deepEqual(JSON.parse(await succeed([...shellWords(lines.join('\n')).slice(1), '--dry-run'])), config);
    }
  });

  it('is followed by the names of its ids', () => {
    const lines = ['botcli init tel_b -t tel_a \\', '  -t rtc_hosted_pstn_dialin --stt openai_stt'];
    const names = '(tel_a is Twilio, rtc_hosted_pstn_dialin is Daily phone number)';
    assert.deepEqual(repeatLines(lines).slice(2), [...lines, names]);
    assert.equal(repeatLines(['botcli update bot --recording']).at(-1), 'botcli update bot --recording');
  });

  it('is not printed when the user declines the bot', async () => {
    const { terminal, written } = sitDown(follow({ ...BOT, [MAKE]: false }));
    await assert.rejects(runWizard({}, EMPTY, terminal), { exitCode: 1, message: 'Cancelled. Nothing was written.' });
    assert.doesNotMatch(written(), /botcli init/);
  });
});

describe('every combination of answers', () => {
  it('is a valid configuration', async () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = randomOf(seed);
      const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
      const { terminal } = sitDown((one, at) => {
        if (one.question.includes('builds the bot')) return 'bot';
        if (one.question.includes(MAKE)) return true;
        if (at < 60 && at > 0 && random(5) === 0) return ESC;
        if (Array.isArray(one.proposed)) return (one.values ?? []).filter(() => random(5) < 2);
        if (one.values) return pick(one.values);
        return typeof one.proposed === 'boolean' ? random(2) === 0 : ENTER;
      });
      const given = { directory: 'my-bot', build: 'bot' } as const;
      // Esc on the first question quits, and the last one may be declined.
      await runWizard(given, EMPTY, terminal).catch(error => assert.match(error.message, /^Cancelled\./));
    }
  });
});
