import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import { parse as parseToml } from 'smol-toml';
import { SERVICE_KINDS, type ServiceKind, services } from '../../src/scaffold/catalog/index.ts';
import type { RawConfig } from '../../src/scaffold/options.ts';
import { resolveFlags } from '../scaffold/resolving.ts';
import { CASCADE, generateProject, type Project } from './projects.ts';

// Faults that scaffolders for this framework have had. Each is a test that these projects pass, under its own name.

const REALTIME: RawConfig = { transports: ['rtc_local'], mode: 'realtime', realtime_service: 'openai_realtime' };

/** A bot with a service, the others being OpenAI's. */
const botWith = (kind: ServiceKind, id: string): RawConfig =>
  kind === 'realtime' ? { ...REALTIME, realtime_service: id } : { ...CASCADE, [`${kind}_service`]: id };

const generate = (flags: RawConfig): Promise<Project> => generateProject(resolveFlags(flags));

const bots = new Map<string, Project>();

/** The text of a file of the bot with this service. */
const textOf = (id: string, path = 'server/bot.py') => bots.get(id)?.[path] ?? '';

const read = (text: string) => [...text.matchAll(/"([A-Z][A-Z0-9_]{3,})"/g)].map(([, name = '']) => name);

describe('faults of other scaffolders', () => {
  before(async () => {
    for (const kind of SERVICE_KINDS) {
      for (const { id } of services[kind]) bots.set(id, await generate(botWith(kind, id)));
    }
  });

  it('a bot is no Python: every service gives one that parses', () => {
    for (const [id] of bots) assert.doesNotThrow(() => format(textOf(id), 'bot.py'), id);
  });

  it("an unset variable passes None or an empty text, and the library's default is lost", () => {
    for (const [id] of bots) {
      assert(!/=os\.getenv\(|=os\.environ\.get\(|=None\b|=""[,)]/.test(textOf(id)), id);
      // `cp .env.example .env` sets nothing that has a default.
      const set = [...textOf(id, 'server/.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
      const optional = [...textOf(id).matchAll(/optional_env\(\w+="([^"]+)"/g)].map(([, name]) => name);
      assert.deepEqual(
        set.filter(name => optional.includes(name)),
        [],
        id,
      );
    }
  });

  it('a path is passed to Google where the class parses JSON', () => {
    for (const [id] of bots) assert(!/\bcredentials=/.test(textOf(id)), id);
  });

  it('a variable is misspelt, or holds two things', () => {
    const all = [...bots.keys()].flatMap(id => read(textOf(id)));
    for (const wrong of ['AWS_AWS_SESSION_TOKEN', 'FAL_API_KEY', 'SARVAM_MODEL']) assert(!all.includes(wrong), wrong);
    for (const { id } of services.stt) assert(!read(textOf(id)).includes('OPENAI_STT_MODEL'), id);
    assert(!read(textOf('whisper_stt').replace(/llm = [\s\S]*?\n {4}\)/, '')).includes('OPENAI_MODEL'));
    assert(!textOf('heygen_video').includes('avatar_id="HEYGEN_AVATAR_ID"'));
    assert.match(textOf('camb_tts'), /int\(|int,|=int/);
  });

  it('.env.example lacks what the bot reads, or names what nothing reads', () => {
    for (const kind of SERVICE_KINDS) {
      for (const { id, ambient = [] } of services[kind]) {
        const named = textOf(id, 'server/.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=$/gm);
        const expected = new Set([...read(textOf(id)), ...ambient.map(({ env }) => env)]);
        assert.deepEqual([...named].map(([, name]) => name).sort(), [...expected].sort(), id);
      }
    }
  });

  it('the image copies files that do not exist', async () => {
    const files = await generate({ ...CASCADE, video_output: true });
    const copied = [...(files['server/container-file'] ?? '').matchAll(/^COPY \.\/(\S+)/gm)].map(([, name]) => name);
    assert.deepEqual(copied, ['pyproject.toml', 'bot.py', 'picture.py']);
    for (const name of copied) assert(`server/${name}` in files, name);
  });

  it('the first caller waits until a model is downloaded', () => {
    for (const { id, preload, className } of [...services.stt, ...services.tts]) {
      if (!preload) continue;
      assert(preload.startsWith(`${className}(`), id);
      assert(textOf(id, 'server/container-file').includes(`import ${className}; ${preload}'`), id);
    }
    assert(services.stt.some(({ preload }) => preload));
  });

  it('two detectors tell when the person speaks, the service and the bot', () => {
    for (const { id, ownTurns = false } of services.realtime) {
      assert.equal(/SileroVADAnalyzer\(\)/.test(textOf(id)), !ownTurns, id);
    }
  });

  it('video is promised, and no transport sends any', async () => {
    for (const video of [{ video_output: true }, { video_service: 'simli_video' }]) {
      const files = await generate({ ...CASCADE, transports: ['rtc_local', 'rtc_hosted'], ...video });
      assert.equal(files['server/bot.py']?.match(/video_out_enabled=True/g)?.length, 2);
    }
  });

  it('video comes in, and nobody looks at it', async () => {
    const asked = await generate({ ...CASCADE, video_input: true });
    assert.match(asked['server/bot.py'] ?? '', /video_in_sources=/);
    assert.match(asked['server/bot.py'] ?? '', /LLMContext\(tools=\[look\]\)/);
    const seen = await generate({ ...REALTIME, video_input: true });
    assert.match(seen['server/bot.py'] ?? '', /video_in_sources=\{"camera": VideoInSourceParams\(framerate=1\)\}/);
  });

  it('video comes in for a service that is blind', () => {
    for (const { id, sees } of services.realtime) {
      const resolve = () => resolveFlags({ ...REALTIME, realtime_service: id, video_input: true });
      if (sees) assert.doesNotThrow(resolve, id);
      else assert.throws(resolve, { name: 'UserError', exitCode: 2 }, id);
    }
  });

  it('the cloud gets the profile and the filter of another bot', async () => {
    const deploy = async (flags: RawConfig) =>
      parseToml((await generate({ ...CASCADE, ...flags }))['server/cloud-deploy.toml'] ?? '');
    assert.equal((await deploy({})).agent_profile, 'agent-1x');
    assert.equal((await deploy({ video_input: true })).agent_profile, 'agent-2x');
    assert.equal((await deploy({ video_output: true })).agent_profile, 'agent-2x');
    const { krisp_viva: filter } = await deploy({ enable_noisecancel: true });
    assert.deepEqual({ ...(filter as object) }, { audio_filter: 'pro' });
  });

  it('a deployed bot takes the cloud for a local machine', () => {
    for (const [id] of bots) assert(!/\bENV=/.test(textOf(id, 'server/.env.example')), id);
  });

  it('a service needs a newer Python than the project asks for', () => {
    for (const kind of SERVICE_KINDS) {
      for (const { id, python = '3.11' } of services[kind]) {
        assert(textOf(id, 'server/pyproject.toml').includes(`requires-python = ">=${python}"`), id);
      }
    }
  });

  it('a package has no bound', async () => {
    const { 'server/pyproject.toml': text = '' } = await generate({ ...CASCADE, enable_observability: true });
    const { project } = parseToml(text) as { project: { dependencies: string[] } };
    for (const requirement of project.dependencies) assert.match(requirement, /==|,<\d/);
  });

  it('two recordings in a second overwrite each other, and git takes them', async () => {
    const files = await generate({ ...CASCADE, recording: true });
    assert.match(files['server/bot.py'] ?? '', /%f/);
    assert.match(files['.gitignore'] ?? '', /^recordings\/$/m);
  });

  it('a language model is not told who it is', () => {
    for (const { id } of [...services.llm, ...services.realtime]) assert.match(textOf(id), /=SYSTEM_INSTRUCTION/, id);
  });

  it('an id has no shape', () => {
    for (const kind of SERVICE_KINDS) {
      for (const { id } of services[kind]) assert.match(id, new RegExp(`^[a-z0-9_]+_${kind}$`));
      assert(
        services[kind].some(row => row.recommended),
        kind,
      );
    }
  });
});
