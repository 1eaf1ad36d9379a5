import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Features, featuresOf } from '../../src/scaffold/features.ts';
import { botFiles, planFiles, projectTree } from '../../src/scaffold/files.ts';
import { resolveFlags } from './resolving.ts';

const TEMPLATES = fileURLToPath(new URL('../../generators/bot/templates', import.meta.url));
const ALWAYS = '.gitignore README.md server/bot.py server/pyproject.toml server/.env.example';
const TEXT_EVAL = 'server/evals/starter_text.yaml';
const AUDIO_EVAL = 'server/evals/starter_audio.yaml';
const CLOUD = 'server/container-file server/cloud-deploy.toml';

const BARE: Features = featuresOf(
  resolveFlags({
    transports: ['rtc_local'],
    mode: 'cascade',
    stt_service: 'openai_stt',
    llm_service: 'openai_llm',
    tts_service: 'openai_tts',
    deploy_to_cloud: false,
  }),
);

const plans: [about: string, facts: Features, files: string][] = [
  ['a bare bot', BARE, ALWAYS],
  ['a bot for the cloud', { ...BARE, hasCloud: true }, `${ALWAYS} ${CLOUD}`],
  ['a cascade with evals', { ...BARE, hasEvals: true }, `${ALWAYS} ${TEXT_EVAL} ${AUDIO_EVAL}`],
  [
    'a realtime bot with evals: it has no text to test',
    { ...BARE, hasCloud: true, hasEvals: true, isCascade: false },
    `${ALWAYS} ${AUDIO_EVAL} ${CLOUD}`,
  ],
  ['a bot that shows a picture', { ...BARE, hasPicture: true }, `${ALWAYS} server/picture.py`],
];

describe('the files of', () => {
  for (const [about, facts, files] of plans) {
    it(about, () => {
      const planned = planFiles(facts).map(({ destination }) => destination);
      assert.deepEqual(planned.sort(), files.split(' ').sort());
      const named = projectTree(facts).map(line => line.split(/ {2,}/)[0] ?? '');
      assert.deepEqual(named.sort(), [...planned, 'AGENTS.md', 'ASSISTANT.md'].sort());
    });
  }
});

describe('the table of files', () => {
  it('has a row for every template, and a template for every row', () => {
    const templates = readdirSync(TEMPLATES, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry =>
        join(entry.parentPath, entry.name)
          .slice(TEMPLATES.length + 1)
          .replaceAll(sep, '/'),
      );
    assert.deepEqual(botFiles.map(({ template }) => template).sort(), templates.sort());
  });

  it('has a template tree that mirrors its output', () => {
    for (const { template, destination } of botFiles) {
      // npm leaves files of these names out of packages, or takes them for its own.
      const undotted = destination.replace(/(^|\/)\./, '$1');
      assert.equal(template.replace(/\.ejs$/, ''), undotted);
    }
  });
});
