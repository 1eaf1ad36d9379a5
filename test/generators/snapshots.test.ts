import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import { runGenerator } from '../../src/yeoman/run-generator.ts';
import { CASCADE, generateProject, type Project, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

// After an intended change, run UPDATE_SNAPSHOTS=1 npx mocha, and read the diff.
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
  'plivo-and-inworld': { ...REALTIME, realtime_service: 'inworld_realtime', transports: ['tel_c'] },
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
  'sip-dial-out-with-evals': {
    ...CASCADE,
    stt_service: 'azure_stt',
    transports: ['tel_a_rtc_sip_dialout'],
    enable_eval: true,
  },
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
  'brazilian-realtime': {
    ...REALTIME,
    realtime_service: 'xai_realtime',
    language: 'pt-BR',
    enable_eval: true,
    client_framework: 'vanilla',
    video_output: true,
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
    transports: ['rtc_local', 'rtc_hosted'],
    client_framework: 'vanilla',
    ...{ video_input: true, video_output: true, transcription: true, enable_observability: true },
  },
  'hostile-name-and-http-session': {
    ...CASCADE,
    project_name: `-x"""y\\ <%= 1 %> [it's](\`\${HOME}\`) 日本語 🦜`,
    stt_service: 'elevenlabs_stt',
    llm_service: 'openai_responses_llm',
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
  const directory = join(DIRECTORY, 'never-written');
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

/** A line of a template, or of a file that was made from it, and the letters of the projects whose files have it. */
interface Line {
  text: string;
  letters: string;
  isTemplate: boolean;
}

/** Adds lines of a project's file to those that other projects have in the same place. */
function addLines(known: readonly Line[], texts: readonly string[], letter: string): Line[] {
  const rest = [...known];
  const changes = diffArrays(
    known.map(({ text }) => text),
    [...texts],
  );
  return changes.flatMap(({ added, removed, value }) => {
    if (added) return value.map(text => ({ text, letters: letter, isTemplate: false }));
    const lines = rest.splice(0, value.length);
    return removed ? lines : lines.map(line => ({ ...line, letters: line.letters + letter }));
  });
}

/** The lines of a template that files have, and between them those that files have instead of its tags. */
function mergeFiles(template: readonly string[], files: readonly { text: string; letter: string }[]): Line[] {
  const lines = template.map(text => ({ text, letters: '', isTemplate: true }));
  const before = [...template, ''].map((): Line[] => []);
  for (const { text, letter } of files) {
    let at = 0;
    for (const { added, removed, value } of diffArrays([...template], shortened(text).split('\n'))) {
      if (added) before[at] = addLines(before[at] ?? [], value, letter);
      else if (removed) at += value.length;
      else for (const _ of value) (lines[at++] as Line).letters += letter;
    }
  }
  return before.flatMap((inserted, at) => [...inserted, ...lines.slice(at, at + 1).filter(line => line.letters)]);
}

/** A column for each project: its letter if it's among these. No letters if all that have the file are among them. */
const columnsOf = (letters: string, all: string) =>
  (letters === all ? '' : LETTERS.replaceAll(/./g, one => (letters.includes(one) ? one : '.'))).padEnd(LETTERS.length);

/** What files have, each line once. Of lines in a row that a template has for the same projects, the first and a hash. */
function showLines(lines: readonly Line[], all: string): string[] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    if (first?.isTemplate && line.isTemplate && first.letters === line.letters) run?.push(line);
    else runs.push([line]);
  }
  return runs.flatMap(run => {
    const columns = columnsOf(run[0]?.letters ?? '', all);
    const texts = run.map(({ text }) => text);
    const [first = '', ...more] = texts;
    const shown =
      more.length > 2 ? [first, `… ${more.length} more, ${hash('sha1', more.join('\n')).slice(0, 4)}`] : texts;
    return shown.map(text => (text === '' ? columns.trimEnd() : `${columns} ${text}`));
  });
}

describe('a generated project', () => {
  const made = names.map(name => generateProject(configOf(name)));
  const unseen: string[] = [];
  const snapshots: Record<string, string[]> = { project: [], server: [], client: [] };

  before(() => {
    /** The projects that have a file from a template. */
    const files = new Map<string, number[]>();
    for (const [at, name] of names.entries()) {
      const templates = templatesOf(configOf(name));
      for (const path of Object.keys(made[at] ?? {})) {
        const key = `${path}, from ${relative(TEMPLATES, templates.get(path) ?? TEMPLATES)}`;
        files.set(key, [...(files.get(key) ?? []), at]);
      }
    }
    for (const [key, owners] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const [path = '', template = ''] = key.split(', from ');
      const texts = owners.map(at => ({ text: made[at]?.[path] ?? '', letter: LETTERS[at] ?? '' }));
      const all = texts.map(({ letter }) => letter).join('');
      const snapshot = snapshots[/^(client|server)\//.exec(path)?.[1] ?? 'project'] ?? [];
      snapshot.push(`=== ${columnsOf(all, LETTERS)} ${key}`.replace(/, from $/, ''));
      const isCopy = template !== '' && !template.endsWith('.ejs');
      const known = template === '' ? [] : readTemplate(join(TEMPLATES, template));
      if (isCopy) for (const { text } of texts) assert.equal(text, known.join('\n'));
      else {
        snapshot.push(...showLines(mergeFiles(known, texts), all));
        const shown = new Set(texts.flatMap(({ text }) => text.split('\n')));
        const lost = known.filter(line => /\w/.test(line) && !line.includes('<%') && !shown.has(line));
        unseen.push(...lost.map(line => `${template}: ${line}`));
      }
    }
  });

  for (const name of Object.keys(snapshots)) {
    it(`has the files of the snapshot ${name}`, () => {
      const path = join(DIRECTORY, `${name}.txt`);
      const legend = names.map((project, at) => `${LETTERS[at]} ${project}`);
      const text = [...legend, '', ...(snapshots[name] ?? []), ''].join('\n');
      if (UPDATES) {
        mkdirSync(DIRECTORY, { recursive: true });
        writeFileSync(path, text);
      }
      assert(existsSync(path), `${path} doesn't exist: create it with UPDATE_SNAPSHOTS=1`);
      assert.equal(text, readFileSync(path, 'utf8'), 'If this is meant: UPDATE_SNAPSHOTS=1');
    });
  }

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
