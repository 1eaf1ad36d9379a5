import assert from 'node:assert/strict';
import { callSetups } from '../../src/catalog/call-setup.ts';
import { findTransport, SERVICE_KINDS, type ServiceKind, services } from '../../src/catalog/index.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { acceptedTransports, CASCADE, generateProject, type Project, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

// Other scaffolders for this framework have broken each of these rules.

/** A bot with this service. Its other services are OpenAI's. */
const botWith = (kind: ServiceKind, id: string): RawConfig =>
  kind === 'realtime' ? { ...REALTIME, realtime_service: id } : { ...CASCADE, [`${kind}_service`]: id };

const generated = new Map<string, Project>();

/** The project for these flags. Tests share projects, so each is generated only once. */
function generate(flags: RawConfig): Project {
  const config = resolveFlags(flags);
  const key = JSON.stringify(config);
  const project = generated.get(key) ?? generateProject(config);
  generated.set(key, project);
  return project;
}

const bots = new Map<string, Project>();

/** A file of the bot with this service. */
const textOf = (id: string, path = 'server/bot.py') => bots.get(id)?.[path] ?? '';

const read = (text: string) => [...text.matchAll(/"([A-Z][A-Z0-9_]{3,})"/g)].map(([, name = '']) => name);

describe('a rule that other scaffolders have broken:', () => {
  before(() => {
    for (const kind of SERVICE_KINDS) {
      for (const { id } of services[kind]) bots.set(id, generate(botWith(kind, id)));
    }
  });

  it("an unset variable keeps the library's default: neither None nor an empty string is passed", () => {
    for (const [id] of bots) {
      assert(!/=os\.getenv\((?!"\w+"\) or ")|=os\.environ\.get\(|=None\b|=""[,)]/.test(textOf(id)), id);
      // `cp .env.example .env` sets nothing that has a default.
      const set = [...textOf(id, 'server/.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
      const omitted = [...textOf(id).matchAll(/\*\*optional_env\(([^)]*)\)/g)].join();
      assert.deepEqual(
        set.filter(name => omitted.includes(`="${name}"`)),
        [],
        id,
      );
    }
  });

  it('Google credentials are passed as JSON if the class parses JSON', () => {
    for (const [id] of bots) assert(!/\bcredentials="(?!GOOGLE_CREDENTIALS_JSON")/.test(textOf(id)), id);
  });

  it("variables have the provider's spelling, and each has one meaning", () => {
    const all = [...bots.keys()].flatMap(id => read(textOf(id)));
    for (const wrong of ['AWS_AWS_SESSION_TOKEN', 'FAL_API_KEY', 'SARVAM_MODEL']) assert(!all.includes(wrong), wrong);
    for (const { id } of services.stt) assert.equal(read(textOf(id)).includes('OPENAI_STT_MODEL'), id === 'openai_stt');
    assert(!read(textOf('whisper_stt').replace(/llm = [\s\S]*?\n {4}\)/, '')).includes('OPENAI_MODEL'));
    assert(!textOf('heygen_video').includes('avatar_id="HEYGEN_AVATAR_ID"'));
    assert.match(textOf('camb_tts'), /int\(|int,|=int/);
  });

  it('models are downloaded when the image is built, not while the first caller waits', () => {
    for (const { id, preload, className } of [...services.stt, ...services.tts]) {
      if (!preload) continue;
      assert(preload.startsWith(`${className}(`), id);
      assert(textOf(id, 'server/download_models.py').includes(`import ${className}\n\n${preload}\n`), id);
      assert(textOf(id, 'server/container-file').includes('COPY ./download_models.py ./\nRUN uv run'), id);
    }
    assert(services.stt.some(({ preload }) => preload));
  });

  it("only one detector listens for speech: the service's or the bot's", () => {
    for (const { id, ownTurns = false } of services.realtime) {
      assert.equal(/SileroVADAnalyzer\(\)/.test(textOf(id)), !ownTurns, id);
    }
  });

  it('every language model gets its instructions', () => {
    for (const { id } of [...services.llm, ...services.realtime]) assert.match(textOf(id), /=SYSTEM_INSTRUCTION/, id);
  });

  const flows = ['rtc_hosted_pstn_dialin', 'rtc_hosted_pstn_dialout', 'tel_a_rtc_sip_dialin', 'tel_a_rtc_sip_dialout'];
  const botOf = (...transports: string[]) => generate({ ...CASCADE, transports })['server/bot.py'] ?? '';

  it('every transport of a bot has its own branch in the code', () => {
    for (const ids of acceptedTransports()) {
      const bot = botOf(...ids);
      const keys = [...bot.matchAll(/^ {12}"(\w+)": lambda/gm)].map(([, key]) => key);
      const expected = [...new Set(ids.map(id => findTransport(id).runnerKey))];
      assert.deepEqual(keys, expected, ids.join());
    }
  });

  it('a cascade greets callers at once, and waits for browsers and for the people it calls', () => {
    for (const ids of acceptedTransports()) {
      const bot = botOf(...ids);
      const rows = ids.map(findTransport);
      const names = [
        ...(rows.some(({ family }) => family === 'stream') ? ['line'] : []),
        ...(rows.some(({ family, direction }) => family === 'flow' && direction === 'dial-in') ? ['call'] : []),
      ];
      const [handler = ''] = /"on_client_connected"\)[^@]*/.exec(bot) ?? [];
      const [, callers = ''] = /wait_for\(greeted\.wait\(\), (?:0 if (.*) else )?READY\)/.exec(handler) ?? [];
      const hasBrowsers = rows.some(({ family }) => family !== 'stream');
      assert.equal(callers, hasBrowsers ? names.join(' or ') : '', ids.join());
      assert.equal(/READY/.test(handler), hasBrowsers, ids.join());
      const waits = rows.some(({ direction }) => direction === 'dial-out');
      assert.equal(/if call:\n[^@]*return\n/.test(handler), waits, ids.join());
    }
  });

  it("only phone calls use a phone's sample rate, except for services that would mistake it for their own", () => {
    const rates = (text: string) =>
      [...text.matchAll(/^ {8}params\.audio_(in|out)_\w+ = 8000$/gm)].map(([, way]) => way);
    const bot = (flags: RawConfig) => generate({ ...CASCADE, ...flags })['server/bot.py'] ?? '';
    const both = { stt_service: 'deepgram_stt', tts_service: 'cartesia_tts' };
    assert.deepEqual(rates(bot({ ...both, transports: ['tel_a', 'rtc_local'] })), ['in', 'out']);
    assert.match(bot({ transports: ['tel_a', 'rtc_local'] }), / {4}if line:\n {8}# A phone.*\n {8}params\./);
    assert.deepEqual(rates(bot({ transports: ['tel_a'], stt_service: 'whisper_stt' })), ['out']);
    assert.deepEqual(rates(generate({ ...REALTIME, transports: ['tel_a'] })['server/bot.py'] ?? ''), ['out']);
    for (const flow of flows) assert.deepEqual(rates(bot({ ...both, transports: [flow] })), [], flow);
  });

  it('on the phone, a voice that always has the same sample rate says so', () => {
    const rateOf = (tts_service: string, transport: string) => {
      const { 'server/bot.py': bot = '' } = generate({ ...CASCADE, tts_service, transports: [transport] });
      return bot.match(/\bsample_rate=\w+/g);
    };
    for (const { id, onlyRate } of services.tts) {
      assert.deepEqual(rateOf(id, 'tel_a'), onlyRate ? ['sample_rate=24_000'] : null, id);
      assert.equal(rateOf(id, 'rtc_local'), null, id);
    }
  });

  it('a speech-to-speech service is asked to begin, in a form that it understands', () => {
    for (const { id, ignoresContext } of services.realtime) {
      assert.doesNotMatch(textOf(id), /"agent"/, id);
      assert.equal(textOf(id).includes('InputTextRawFrame(text=instruction)'), ignoresContext === true, id);
      assert.equal(textOf(id).includes('LLMRunFrame'), !ignoresContext, id);
    }
  });

  it('people can type to a speech-to-speech service exactly if its row says how it gets that', () => {
    const stages = { frame: 'InputTextRawFrame', message: 'queue_frame(frame', item: 'ConversationItemCreateEvent' };
    for (const { id, typed } of services.realtime) {
      const spoken = { mode: 'realtime', realtime_service: id, transports: ['rtc_local'] } as const;
      for (const client_framework of ['component', 'vanilla']) {
        const files = generate({ ...spoken, client_framework });
        const client = Object.entries(files).filter(([path]) => path.startsWith('client/'));
        assert.equal(/composer|sendText\(/.test(client.join()), typed !== undefined, id);
        const stage = files['server/typed_text.py'] ?? '';
        for (const [way, mark] of Object.entries(stages)) assert.equal(stage.includes(mark), typed === way, id);
        assert.equal(/TypedText\((llm)?\)/.test(files['server/bot.py'] ?? ''), stage !== '', id);
      }
    }
  });

  it("calls are placed only for requests with the key, and answered only for Twilio's own requests", () => {
    for (const flow of ['rtc_hosted_pstn_dialout', 'tel_a_rtc_sip_dialout']) {
      const { 'server/server.py': server = '' } = generate({ ...CASCADE, transports: [flow] });
      assert.match(server, /"\/dialout", dependencies=\[Depends\(require_key\)\]/, flow);
    }
    const { 'server/server.py': server = '' } = generate({ ...CASCADE, transports: ['tel_a_rtc_sip_dialin'] });
    assert.match(server, /if not is_from_twilio\(request, form\):\n +raise HTTPException\(403/);
  });

  it('the README explains every phone transport, in steps that count from 1', () => {
    for (const ids of acceptedTransports()) {
      const { 'README.md': readme = '' } = generate({ ...CASCADE, transports: ids });
      for (const { label, family } of ids.map(findTransport)) {
        if (family === 'web') continue;
        const [, section = ''] = readme.split(`## ${label}\n`);
        const lists = (section.split(/\n## /)[0] ?? '').split('In the cloud:');
        assert.equal(lists.length, 2, `${label}: here and in the cloud`);
        for (const list of lists) {
          const numbers = [...list.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
          assert(numbers.length > 0 || list.includes(' dev --tunnel\n'), label);
          assert.deepEqual(
            numbers,
            numbers.map((_, at) => at + 1),
            label,
          );
        }
      }
      assert(!/\{agent\}/.test(readme), ids.join());
    }
  });

  it('the steps at a provider give a wss address only inside a <Stream> element', () => {
    const steps = ['tel_a', 'tel_b', 'tel_c'].flatMap(id => [
      ...(callSetups[id]?.here ?? []),
      ...(callSetups[id]?.cloud ?? []),
    ]);
    const lines = steps
      .flatMap(({ text, code }) => [text, ...(code?.lines ?? [])])
      .filter(line => line.includes('wss://'));
    assert(lines.length >= 4);
    for (const line of lines) {
      assert.match(line, /<Stream .*wss:\/\//, line);
    }
  });
});
