import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { diffArrays } from 'diff';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { quickstart } from '../../src/config/quickstart.ts';
import { generatorTemplates } from '../../src/package-root.ts';
import { nameIn } from '../../src/paths/locate.ts';
import { botParts } from '../../src/project/bot/facts.ts';
import { planClient } from '../../src/project/client.ts';
import { featuresOf } from '../../src/project/features.ts';
import { guideFiles, planBot } from '../../src/project/files/files.ts';
import { STATE_FILE } from '../../src/project/files/state.ts';
import { runGenerator } from '../../src/yeoman/run-generator.ts';
import { CASCADE, generateProject, type Project, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

// After an intended change, run UPDATE_SNAPSHOTS=1 npx mocha, and read the diff.
const SNAPSHOT = join(import.meta.dirname, 'snapshots/projects.txt');
const UPDATES = process.env.UPDATE_SNAPSHOTS === '1';

const projects: Record<string, RawConfig> = {
  'google-in-german': {
    ...CASCADE,
    transports: ['rtc_hosted'],
    stt_service: 'google_stt',
    llm_service: 'google_vertex_llm',
    tts_service: 'gemini_tts',
    language: 'de-AT',
    client_framework: 'vanilla',
    ...{ enable_eval: true, video_input: true },
  },
  'sip-dial-in-and-twilio': {
    ...CASCADE,
    stt_service: 'deepgram_stt',
    tts_service: 'cartesia_tts',
    transports: ['tel_a_rtc_sip_dialin', 'tel_a', 'rtc_local'],
    ...{ enable_eval: true, ci: 'github' },
  },
  'plivo-and-inworld': { ...REALTIME, realtime_service: 'inworld_realtime', transports: ['tel_c'] },
  'exotel-and-realtime': { ...REALTIME, transports: ['tel_d', 'rtc_hosted_pstn_dialin', 'tel_b'] },
  'daily-dial-in-and-hosted': { ...CASCADE, transports: ['rtc_hosted_pstn_dialin', 'rtc_hosted'], recording: true },
  'ultravox-dial-out': {
    ...REALTIME,
    realtime_service: 'ultravox_realtime',
    transports: ['rtc_hosted_pstn_dialout'],
    enable_eval: true,
  },
  'sip-dial-out-with-evals': {
    ...CASCADE,
    stt_service: 'azure_stt',
    transports: ['tel_a_rtc_sip_dialout'],
    ...{ enable_eval: true, enable_noisecancel: true },
  },
  'next-client': {
    ...CASCADE,
    transports: ['rtc_local', 'rtc_hosted'],
    client_framework: 'component',
    client_server: 'fullstack',
    video_input: true,
    video_service: 'simli_video',
  },
  'brazilian-realtime': {
    ...REALTIME,
    realtime_service: 'xai_realtime',
    language: 'pt-BR',
    client_framework: 'vanilla',
    ...{ enable_eval: true, video_output: true },
  },
  'without-accounts': {
    ...CASCADE,
    stt_service: 'whisper_stt',
    llm_service: 'ollama_llm',
    tts_service: 'piper_tts',
    client_framework: 'vanilla',
    deploy_to_cloud: false,
  },
  'live-without-text': {
    ...REALTIME,
    realtime_service: 'openai_live_realtime',
    client_framework: 'component',
    enable_eval: true,
  },
  'everything-and-realtime': {
    ...REALTIME,
    transports: ['rtc_hosted', 'rtc_local'],
    client_framework: 'vanilla',
    ...{ video_input: true, video_output: true, transcription: true, recording: true, enable_observability: true },
  },
  'hostile-name-and-http-session': {
    ...CASCADE,
    project_name: `-x"""y\\ <%= 1 %> [it's](\`\${HOME}\`) 日本語 🦜`,
    stt_service: 'whisper_stt',
    llm_service: 'openai_responses_llm',
    tts_service: 'speechify_tts',
    enable_eval: true,
  },
};
const names = ['quickstart', ...Object.keys(projects)];

/** In snapshots, each project is a letter, with a column of its own. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.slice(0, names.length);

const configOf = (name: string): ScaffoldConfig => {
  const flags = projects[name];
  return flags ? resolveFlags(flags) : quickstart;
};

/** The same project from the generators, as `botcli init` runs them in an empty directory. */
async function throughYeoman(scaffold: ScaffoldConfig): Promise<Project> {
  const directory = join(import.meta.dirname, 'never-written');
  const run = { generator: 'app', directory, options: { scaffold } } as const;
  const { files } = await runGenerator(run, new AbortController().signal);
  const texts = files.map(({ path, contents }) => [nameIn(directory, path), contents.toString()] as const);
  return Object.fromEntries(texts);
}

/** The templates of a project's files, by the paths of the files. */
function templatesOf(config: ScaffoldConfig): Map<string, string> {
  const features = featuresOf(config);
  const files = { bot: planBot(features), client: planClient(features), guide: guideFiles };
  const generators = ['bot', 'client', 'guide'] as const;
  const all = generators.flatMap(generator => files[generator].map(file => ({ generator, ...file })));
  return new Map(all.map(one => [one.destination, join(generatorTemplates(one.generator), one.template)]));
}

/** Where the templates are, and those that no project has: a guide that is written on request. */
const TEMPLATES = join(generatorTemplates('bot'), '../..');
const ON_REQUEST = ['guide/templates/GETTING_STARTED.md.ejs'];
const readTemplates = new Set(ON_REQUEST);

/** The lines of a template and of what it includes, without what depends on whether this version is a release. */
function readTemplate(path: string): string[] {
  readTemplates.add(relative(TEMPLATES, path));
  const text = readFileSync(path, 'utf8').replaceAll(/<% if \(!?is(?:Published|Released)\)[\s\S]*?<% \} -%>\n/g, '');
  return text.split('\n').flatMap(line => {
    const [, included, isPart] = /^<%- include\((?:'(.*)'|(part))\) -?%>$/.exec(line) ?? [];
    const names = isPart ? botParts.map(({ template }) => template) : [included ?? []].flat();
    return names.length > 0 ? names.flatMap(name => readTemplate(join(dirname(path), name)).slice(0, -1)) : [line];
  });
}

/** The state file lists the files of a project, with hashes that change with every template. */
const shortened = (text: string) => text.replace(/(?<="files": \{)[^}]*"[0-9a-f]{64}"\s*(?=\})/, '…');

/** A line of files from one template, and the letters of the projects that have it there. */
interface Line {
  text: string;
  letters: string;
  isTemplate: boolean;
}

/** Adds a project's file to those that other projects have from the same template. */
function addFile(known: readonly Line[], text: string, letter: string, template: readonly string[]): Line[] {
  const rest = [...known];
  const before = known.map(line => line.text);
  return diffArrays(before, shortened(text).split('\n')).flatMap(({ added, removed, value }) => {
    if (added) return value.map(line => ({ text: line, letters: letter, isTemplate: template.includes(line) }));
    const lines = rest.splice(0, value.length);
    return removed ? lines : lines.map(line => ({ ...line, letters: line.letters + letter }));
  });
}

/** A column for each project: its letter if it's among these. No letters if all that have the file are among them. */
const columnsOf = (letters: string, all: string) =>
  (letters === all ? '' : LETTERS.replaceAll(/./g, one => (letters.includes(one) ? one : '.'))).padEnd(LETTERS.length);

/** More lines in a row than this are a list, which is read where it's written. */
const LONGEST = 20;

/** What files have, each line once. Of lines in a row for the same projects, one and a hash if a template has them all. */
function showLines(lines: readonly Line[], all: string): string[] {
  const runs: (Omit<Line, 'text'> & { texts: string[] })[] = [];
  for (const { text, letters, isTemplate } of lines) {
    const run = runs.at(-1);
    if (run?.letters === letters && run.isTemplate === isTemplate) run.texts.push(text);
    else runs.push({ letters, isTemplate, texts: [text] });
  }
  return runs.flatMap(({ letters, isTemplate, texts }) => {
    const first = texts.find(text => text !== '') ?? '';
    const folded = `${first} … ${texts.length - 1} more, ${hash('sha1', texts.join('\n')).slice(0, 4)}`;
    const isFolded = texts.length > (isTemplate ? 1 : LONGEST);
    const columns = columnsOf(letters, all);
    return (isFolded ? [folded] : texts).map(text => (text === '' ? columns.trimEnd() : `${columns} ${text}`));
  });
}

describe('a generated project', () => {
  const made = names.map(name => generateProject(configOf(name)));
  const unseen: string[] = [];
  const snapshot = names.map((project, at) => `${LETTERS[at]} ${project}`);

  before(() => {
    /** The projects that have a file from a template. */
    const files = new Map<string, number[]>();
    for (const [at, name] of names.entries()) {
      const templates = templatesOf(configOf(name));
      for (const path of Object.keys(made[at] ?? {})) {
        // It repeats the choices, so one is enough.
        if (path === STATE_FILE && at > 0) continue;
        const key = `${path}, from ${relative(TEMPLATES, templates.get(path) ?? TEMPLATES)}`;
        files.set(key, [...(files.get(key) ?? []), at]);
      }
    }
    for (const [key, owners] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const [path = '', template = ''] = key.split(', from ');
      const texts = owners.map(at => ({ text: made[at]?.[path] ?? '', letter: LETTERS[at] ?? '' }));
      const all = texts.map(({ letter }) => letter).join('');
      snapshot.push(`\n=== ${columnsOf(all, LETTERS)} ${key}`.replace(/, from $/, ''));
      const isCopy = template !== '' && !template.endsWith('.ejs');
      const known = template === '' ? [] : readTemplate(join(TEMPLATES, template));
      if (isCopy) for (const { text } of texts) assert.equal(text, known.join('\n'));
      else {
        const lines = texts.reduce<Line[]>((before, { text, letter }) => addFile(before, text, letter, known), []);
        snapshot.push(...showLines(lines, all));
        const shown = new Set(texts.flatMap(({ text }) => text.split('\n')));
        const lost = known.filter(line => /\w/.test(line) && !line.includes('<%') && !shown.has(line));
        unseen.push(...lost.map(line => `${template}: ${line}`));
      }
    }
  });

  it('has the files of the snapshot', () => {
    const text = `${snapshot.join('\n')}\n`;
    if (UPDATES) writeFileSync(SNAPSHOT, text);
    assert.equal(text, readFileSync(SNAPSHOT, 'utf8'), 'If this is meant: UPDATE_SNAPSHOTS=1');
  });

  for (const [at, name] of names.entries()) {
    it(`${name}: the generators give the same files`, async () => {
      assert.deepEqual(await throughYeoman(configOf(name)), made[at]);
    });
  }

  it('has each template, and each line of it, in one of these projects', () => {
    const sources = join(import.meta.dirname, '../../generators');
    const templates = readdirSync(sources, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /templates/.test(entry.parentPath))
      .map(entry => relative(sources, join(entry.parentPath, entry.name)));
    assert.deepEqual(
      templates.filter(path => !readTemplates.has(path)),
      [],
    );
    assert.deepEqual(unseen, []);
  });
});
