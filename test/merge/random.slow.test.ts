import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { CASCADE, CLIENTS, generateProject, REALTIME } from '../support/projects.ts';
import { randomOf } from '../support/random.ts';
import { resolveFlags } from '../support/resolving.ts';
import { mergeTexts } from './merging.ts';
import { makeEdits, replay } from './random-edits.ts';

// The user edits a file of a real project as people do, and botcli renders it again with other choices, or edits it, too. The
// right results are those of the same edits in botcli's file. The seed is another one each day; SEED=n repeats a run.

const SEED = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000));

const PROJECTS: readonly RawConfig[] = [
  { ...CASCADE, recording: true, ...CLIENTS['React on Vite'] },
  { ...CASCADE, ...CLIENTS['Next.js'] },
  { ...CASCADE, enable_eval: true, ...CLIENTS.vanilla },
];
const CHANGES: readonly RawConfig[] = [
  { video_input: true },
  { transcription: true, recording: true },
  { transports: ['rtc_hosted'] },
  { transports: ['rtc_local', 'rtc_hosted'] },
  { llm_service: 'anthropic_llm', tts_service: 'cartesia_tts' },
  { enable_observability: true, enable_eval: true },
  { ...REALTIME, stt_service: undefined, llm_service: undefined, tts_service: undefined },
  { language: 'de', project_name: 'Front desk' },
];

interface Pair {
  path: string;
  base: string;
  botcli: string;
}

function renderPairs(): Pair[] {
  return PROJECTS.flatMap(flags => {
    const base = generateProject(resolveFlags(flags));
    return CHANGES.flatMap(change => {
      const botcli = generateProject(resolveFlags({ ...flags, ...change }));
      return Object.keys(base).flatMap(path => {
        const [old = '', now] = [base[path], botcli[path]];
        return now === undefined || now === old ? [] : [{ path, base: old, botcli: now }];
      });
    });
  });
}

const squeeze = (text: string): string =>
  text
    .replaceAll("'", '"')
    .replace(/\s+/g, '')
    .replace(/[,;](?=[)\]}])/g, '')
    .replaceAll(';', '');

/** What a text says, without its look, and without the order of what has none. */
function contentOf(path: string, text: string): string {
  if (/\.[jt]sx?$/.test(path)) {
    const imports = text.match(/^import [\s\S]*?from .*$/gm) ?? [];
    return [...imports.map(squeeze).sort(), squeeze(imports.reduce((rest, one) => rest.replace(one, ''), text))].join(
      '\n',
    );
  }
  if (/\.(css|html)$/.test(path)) return squeeze(text);
  const lines = text.split('\n').map(line => line.trim().replace(/^[*+] /, '- '));
  const full = lines.filter(line => line !== '');
  return (/\.(toml|json|env\.example)$/.test(path) ? full.map(line => line.replace(/,$/, '')).sort() : full).join('\n');
}

/** How often merges may be wrong, and how often they must be right. */
const KINDS: readonly [about: string, files: RegExp, count: number, right: number, wrong: number][] = [
  ['TypeScript', /\.[jt]sx?$/, 120, 0.93, 0.02],
  ['CSS and HTML', /\.(css|html)$/, 30, 0.95, 0.04],
  ['TOML', /\.toml$/, 60, 0.95, 0.02],
  ['.env.example', /\.env\.example$/, 60, 0.95, 0.02],
  ['JSON', /\.json$/, 40, 0.95, 0.02],
  ['README.md', /README\.md$/, 60, 0.95, 0.02],
];

describe(`random edits of real files (SEED=${SEED})`, () => {
  let pairs: Pair[] = [];
  before(() => {
    pairs = renderPairs();
  });

  for (const [about, files, count, right, wrong] of KINDS) {
    for (const isBoth of [false, true]) {
      it(`merge right in ${about}, and hardly ever wrong${isBoth ? ', if botcli edits, too' : ''}`, () => {
        const random = randomOf(SEED + (isBoth ? 1 : 0));
        const own = pairs.filter(({ path }) => files.test(path));
        const found = { right: 0, conflict: 0, wrong: [] as string[] };
        for (
          let tries = 0;
          tries < 20 * count && found.right + found.conflict + found.wrong.length < count;
          tries += 1
        ) {
          const { path, base, ...pair } = own[random(own.length)] as Pair;
          const ours = isBoth ? makeEdits(path, base, random, 'ours') : { text: pair.botcli, edits: [] };
          const mine = makeEdits(path, base, random, 'mine');
          const other = isBoth ? replay(mine.text, ours.edits) : [];
          const results = replay(ours.text, mine.edits);
          const isKnown = results.length > 0 && (!isBoth || other.length > 0);
          if (!isKnown || mine.text === base || ours.text === base) continue;
          const { text, conflicts } = mergeTexts(path, mine.text, base, ours.text);
          const rights = [...results, ...other].map(one => contentOf(path, one));
          if (conflicts.length > 0) found.conflict += 1;
          else if (rights.includes(contentOf(path, text))) found.right += 1;
          else found.wrong.push(`${path} of try ${tries}\n${mine.text}\n=> ${text}`);
        }
        const all = found.right + found.conflict + found.wrong.length;
        const summary = `${found.right} right, ${found.conflict} conflicts, ${found.wrong.length} wrong of ${all}`;
        assert(found.wrong.length <= Math.max(1, wrong * all), `${summary}\n${found.wrong[0]}`);
        assert(found.right >= right * all - 1, summary);
      });
    }
  }
});
