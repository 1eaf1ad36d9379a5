import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_KINDS, serviceIds, services, transportIds, variablesOf } from '../../src/catalog/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The files that show ids to people: in help, in hints and in the quickstart. Each with all ids in it. */
const EXAMPLES: Record<string, string[]> = {
  'src/config/options.ts': ['cartesia_tts', 'deepgram_stt', 'openai_llm', 'openai_realtime', 'rtc_local'],
  'src/config/quickstart.ts': [
    ...['kokoro_tts', 'moonshine_stt', 'ollama_llm', 'openai_llm', 'openai_stt', 'openai_tts'],
    ...['rtc_hosted', 'rtc_local'],
  ],
  'src/deploy/sessions.ts': ['rtc_hosted'],
  'src/deploy/transports.ts': ['tel_a'],
  'src/init/command.ts': ['openai_realtime', 'rtc_local'],
  'src/init/intent.ts': ['rtc_local'],
  'src/init/report.ts': ['openai_llm', 'openai_stt', 'openai_tts', 'rtc_local'],
  'src/secrets-cli/commands/set.ts': ['OPENAI_API_KEY'],
  'src/update/command.ts': ['elevenlabs_tts', 'rtc_local', 'tel_a'],
};

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Everything that belongs to one service or transport, and so into the catalog. */
const names = new Set([
  ...SERVICE_KINDS.flatMap(serviceIds),
  ...transportIds('web'),
  ...transportIds('telephony'),
  ...Object.values(services)
    .flat()
    .flatMap(variablesOf)
    .map(({ env }) => env),
]);

function filesBelow(folder: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return paths.filter(path => path.endsWith('.ts')).map(path => `${folder}/${path.replaceAll(sep, '/')}`);
}

/** The names in the code of a file, sorted. */
function namesIn(path: string): string[] {
  const code = readFileSync(join(ROOT, path), 'utf8').replace(COMMENTS, '');
  return [...new Set(code.match(/\w+/g))].filter(word => names.has(word)).sort();
}

describe('services and transports', () => {
  it('are named in the catalog alone, and in examples', () => {
    const files = [...filesBelow('src'), ...filesBelow('generators')].filter(
      path => !path.startsWith('src/catalog/') && !path.includes('/templates/'),
    );
    assert(files.length > 100 && names.size > 100);
    const found = files.map(path => [path, namesIn(path)] as const).filter(([, words]) => words.length > 0);
    assert.deepEqual(Object.fromEntries(found), EXAMPLES);
  });
});
