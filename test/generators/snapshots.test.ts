import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { structuredPatch } from 'diff';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { quickstart } from '../../src/config/quickstart.ts';
import { generatorTemplates } from '../../src/package-root.ts';
import { nameIn } from '../../src/paths/locate.ts';
import { planClient } from '../../src/project/client.ts';
import { featuresOf } from '../../src/project/features.ts';
import { guideFiles, planBot } from '../../src/project/files/files.ts';
import { runGenerator } from '../../src/yeoman/run-generator.ts';
import { CASCADE, generateProject, type Project, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

// One text file per project. After an intended change, run UPDATE_SNAPSHOTS=1 npx mocha, and read the diff.
const DIRECTORY = join(import.meta.dirname, 'snapshots');
const UPDATES = process.env.UPDATE_SNAPSHOTS === '1';

const projects: Record<string, RawConfig> = {
  'sagemaker-without-cloud': {
    ...CASCADE,
    transports: ['rtc_hosted'],
    stt_service: 'deepgram_sagemaker_stt',
    llm_service: 'google_gemini_llm',
    tts_service: 'deepgram_flux_sagemaker_tts',
    deploy_to_cloud: false,
  },
  'google-with-evals': {
    ...CASCADE,
    transports: ['rtc_hosted', 'rtc_local'],
    stt_service: 'google_stt',
    llm_service: 'google_vertex_llm',
    tts_service: 'gemini_tts',
    enable_eval: true,
  },
  'twilio-and-local-with-evals': { ...CASCADE, transports: ['tel_a', 'rtc_local'], enable_eval: true, ci: 'github' },
  'exotel-and-realtime': { ...REALTIME, transports: ['tel_d', 'tel_c', 'tel_b'] },
  'daily-dial-in-and-hosted': { ...CASCADE, transports: ['rtc_hosted_pstn_dialin', 'rtc_hosted'], recording: true },
  'daily-dial-out': { ...CASCADE, transports: ['rtc_hosted_pstn_dialout'], enable_noisecancel: true },
  'ultravox-dial-out': {
    ...REALTIME,
    realtime_service: 'ultravox_realtime',
    transports: ['rtc_hosted_pstn_dialout'],
    enable_eval: true,
  },
  'sip-dial-in-and-twilio': {
    ...CASCADE,
    stt_service: 'deepgram_stt',
    tts_service: 'cartesia_tts',
    transports: ['tel_a_rtc_sip_dialin', 'tel_a'],
  },
  'sip-dial-out-with-evals': { ...CASCADE, transports: ['tel_a_rtc_sip_dialout'], enable_eval: true },
  'react-client': { ...CASCADE, client_framework: 'component' },
  'next-client': {
    ...CASCADE,
    transports: ['rtc_local', 'rtc_hosted'],
    client_framework: 'component',
    client_server: 'fullstack',
    video_input: true,
    video_service: 'simli_video',
  },
  'vanilla-client': { ...CASCADE, transports: ['rtc_hosted'], client_framework: 'vanilla', video_input: true },
  'german-on-this-machine': {
    ...CASCADE,
    stt_service: 'whisper_stt',
    tts_service: 'piper_tts',
    language: 'de-AT',
    enable_eval: true,
  },
  'brazilian-realtime': { ...REALTIME, realtime_service: 'xai_realtime', language: 'pt-BR', enable_eval: true },
  'hostile-name-and-http-session': {
    ...CASCADE,
    project_name: `-x"""y\\ <%= 1 %> [it's](\`\${HOME}\`) 日本語 🦜`,
    stt_service: 'elevenlabs_stt',
    llm_service: 'openai_responses_llm',
    enable_eval: true,
  },
};

const names = ['quickstart', ...Object.keys(projects)];

const configOf = (name: string): ScaffoldConfig => {
  const flags = projects[name];
  return flags ? resolveFlags(flags) : quickstart;
};

/** The same project from the generators, as `botcli init` runs them in an empty directory. */
async function throughYeoman(scaffold: ScaffoldConfig): Promise<Project> {
  const directory = join(DIRECTORY, 'never-written');
  const run = { generator: 'app', directory, options: { scaffold } } as const;
  const { files } = await runGenerator(run, new AbortController().signal);
  const texts = files.map(({ path, contents }) => [nameIn(directory, path), contents.toString()] as const);
  return Object.fromEntries(texts);
}

/** The templates without tags, by the path of the file that is a copy of each. */
function copiedTemplates(config: ScaffoldConfig): Map<string, string> {
  const features = featuresOf(config);
  const files = { bot: planBot(features), client: planClient(features), guide: guideFiles };
  const generators = ['bot', 'client', 'guide'] as const;
  const templates = generators.flatMap(generator => files[generator].map(file => ({ generator, ...file })));
  const copied = templates.filter(({ template }) => !template.endsWith('.ejs'));
  return new Map(copied.map(one => [one.destination, join(generatorTemplates(one.generator), one.template)]));
}

/** The state file lists the files of a snapshot, with hashes that change with every template. */
const shortened = (text: string) => text.replace(/(?<="files": \{)[^}]*"[0-9a-f]{64}"\s*(?=\})/, '…');

const countLines = (text: string) => text.split('\n').length;

describe('a generated project', () => {
  const made: Record<string, Project> = {};
  const shown: Record<string, string> = {};
  before(() => {
    for (const name of names) made[name] = generateProject(configOf(name));
    for (const [at, name] of names.entries()) shown[name] = show(name, names.slice(0, at));
  });

  /** The text of a snapshot: first the files that need no text, then each other file after a line with its path. */
  function show(name: string, earlier: readonly string[]): string {
    const project = made[name] ?? {};
    const known = new Map<string, string[]>();
    const texts = Object.keys(project).flatMap(path => {
      const place = whereKnown(path, name, earlier);
      if (place) known.set(place, [...(known.get(place) ?? []), path]);
      return place ? [] : [`=== ${path}\n${showFile(path, name, earlier)}`];
    });
    const lists = [...known].map(
      ([place, paths]) => `=== ${place}\n${paths.join(' ').replace(/(.{90,}?) /g, '$1\n')}\n`,
    );
    return [...lists, ...texts].join('\n');
  }

  /** Where the text of a file can be read, if not in this snapshot. */
  function whereKnown(path: string, name: string, earlier: readonly string[]): string | undefined {
    const text = made[name]?.[path];
    const template = copiedTemplates(configOf(name)).get(path);
    if (template !== undefined) assert.equal(text, readFileSync(template, 'utf8'));
    const owner = earlier.find(one => made[one]?.[path] === text);
    return template === undefined ? owner && `as in ${owner}` : 'as their templates';
  }

  /** A file whole, or how it differs from the same file of an earlier project, if that's shorter. */
  function showFile(path: string, name: string, earlier: readonly string[]): string {
    const whole = shortened(made[name]?.[path] ?? '');
    const patches = earlier.filter(one => made[one]?.[path]).map(one => patch(path, one, name));
    const [shortest = whole] = [whole, ...patches].sort((one, other) => countLines(one) - countLines(other));
    return shortest;
  }

  /** How a file of a project differs from the same file of another one: `@@ 68-70` are lines there, then what is instead. */
  const patch = (path: string, from: string, to: string): string => {
    const [old, now] = [from, to].map(one => shortened(made[one]?.[path] ?? ''));
    const { hunks } = structuredPatch('', '', old ?? '', now ?? '', '', '', { context: 0 });
    const lines = hunks.flatMap(({ oldStart, oldLines, lines: both }) => [
      `@@ ${oldStart}${oldLines > 0 ? `-${oldStart + oldLines - 1}` : ''}`,
      ...both.filter(line => !line.startsWith('-')).map(line => line.slice(1)),
    ]);
    return [`(as in ${from}, but with these lines)`, ...lines, ''].join('\n');
  };

  for (const name of names) {
    it(name, () => {
      const path = join(DIRECTORY, `${name}.txt`);
      const text = shown[name] ?? '';
      if (UPDATES) {
        mkdirSync(DIRECTORY, { recursive: true });
        writeFileSync(path, text);
      }
      assert(existsSync(path), `${path} doesn't exist: create it with UPDATE_SNAPSHOTS=1`);
      assert.equal(text, readFileSync(path, 'utf8'), 'If this is meant: UPDATE_SNAPSHOTS=1');
    });

    it(`${name}: the generators give the same files`, async () => {
      assert.deepEqual(await throughYeoman(configOf(name)), made[name]);
    });
  }

  it('has a snapshot for each of these projects, and no others', () => {
    assert.deepEqual(readdirSync(DIRECTORY).sort(), names.map(name => `${name}.txt`).sort());
  });
});
