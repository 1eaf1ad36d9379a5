import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from '@wasm-fmt/ruff_fmt';
import { PROGRAM_IN_CI } from '../../src/about.ts';
import { main } from '../../src/bin/main.ts';
import { guidePages } from '../../src/package-root.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';
import { blocksOf, inlineCodeOf } from '../support/documents.ts';
import { BOT, itIn, openRecorded } from '../support/session.ts';

const pages = readdirSync(guidePages).map(name => name.replace('.md', ''));

const readPage = (name: string) =>
  readFileSync(join(guidePages, `${name}.md`), 'utf8').replaceAll('npx --yes botcli@VERSION', PROGRAM_IN_CI);

describe('botcli guide', () => {
  itIn('lists the topics, each once, also as JSON for programs', {}, async ({ run, succeed }) => {
    const { code, stdout, stderr } = await run('guide');
    assert.deepEqual([code, stderr], [0, '']);
    const { release, topics } = JSON.parse(await succeed('guide --json'));
    assert.equal(release, PIPECAT_RELEASE);
    for (const { name, summary } of topics) assert.match(stdout, new RegExp(`^  ${name} +${summary}$`, 'm'));
    assert.deepEqual(topics.map(({ name }: { name: string }) => name).sort(), [...pages].sort());
    for (const line of stdout.split('\n')) assert(line.length <= 80, line);
  });

  for (const name of pages) {
    itIn(`${name}: prints its page, and the release it is for`, {}, async ({ succeed }) => {
      const stdout = await succeed(`guide ${name}`);
      assert.match(stdout, /^# /);
      assert.equal(stdout, `${readPage(name)}\nTested with pipecat-ai ${PIPECAT_RELEASE}.\n`);
    });
  }

  for (const name of ['', ...pages]) {
    it(`${name || 'the list'}: fits a terminal of 60 columns, and keeps code as it is`, async () => {
      const { terminal, written } = openRecorded('/');
      const at60 = { ...terminal, columns: 60 };
      assert.equal(await main(['guide', ...(name ? [name] : [])], at60), 0);
      const text = written.stdout.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
      const wide = text.split('\n').filter(line => line.length > 60 && !/^(?:#|\|)/.test(line));
      // Only code with spaces is wider than that, which people copy.
      assert.deepEqual(
        wide.filter(line => !/^\W*`[^`]+`\S*$/.test(line)),
        [],
      );
      if (!name) return;
      assert.deepEqual(blocksOf(written.stdout), blocksOf(readPage(name)));
      const words = (page: string) => page.split(/\s+/).join(' ');
      assert.equal(words(written.stdout), words(`${readPage(name)}\nTested with pipecat-ai ${PIPECAT_RELEASE}.\n`));
    });
  }

  itIn('prints a page as JSON for programs', {}, async ({ succeed }) => {
    const { topic, page } = JSON.parse(await succeed('guide flows --json'));
    assert.deepEqual([topic, page.split('\n')[0]], ['flows', '# Flows: conversations with steps']);
  });

  const unknown: [word: string, hint: string][] = [
    ['flow', 'Did you mean flows?'],
    ['call', 'Did you mean calls?'],
    ['databases', 'List the topics with: botcli guide'],
  ];
  for (const [word, hint] of unknown) {
    itIn(`${word}: ${hint}`, {}, async ({ fail }) => {
      const [said, ...hints] = (await fail(2, `guide ${word}`)).trimEnd().split('\n');
      assert.match(said ?? '', new RegExp(`^error: Unknown topic "${word}"\\. Topics: calls, tools, languages, `));
      assert.deepEqual(hints, [hint]);
    });
  }
});

itIn('AGENTS.md names each topic, and no other', {}, async ({ succeed, read }) => {
  await succeed('init .');
  const agents = read('AGENTS.md');
  const [, table = ''] = /\n\| `botcli guide …` [^\n]*\n\|---\|---\|\n((?:\|.*\n)+)/.exec(agents) ?? [];
  assert.deepEqual(
    [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name),
    JSON.parse(await succeed('guide --json')).topics.map(({ name }: { name: string }) => name),
  );
  for (const code of inlineCodeOf(agents)) {
    const [, name = 'calls'] = /^botcli guide (\w+)$/.exec(code) ?? [];
    assert(pages.includes(name), name);
  }
});

itIn(
  'the commands of botcli guide ci for any CI are those of the workflow for GitHub',
  {},
  async ({ succeed, read }) => {
    const [, { text = '' } = {}] = blocksOf(await succeed('guide ci'));
    await succeed(`init . ${BOT} --eval --ci github`);
    const runs = read('.github/workflows/bot.yml').match(/(?<=- run: ).*botcli.*/g);
    assert.deepEqual(text.trimEnd().split('\n'), runs);
  },
);

describe('the pages of botcli guide', () => {
  for (const topic of pages) {
    it(`${topic}: has code of known languages, Python as ruff formats it, and lines that fit`, () => {
      const page = readPage(topic);
      for (const { language, text } of blocksOf(page)) {
        assert(['python', 'yaml', 'bash'].includes(language), language);
        if (language === 'python') assert.equal(text, format(text, 'page.py', { line_width: 100, line_ending: 'lf' }));
      }
      for (const line of page.split('\n')) assert(line.length <= 120, line);
    });

    it(`${topic}: names only existing pages`, () => {
      const named = inlineCodeOf(readPage(topic)).flatMap(code => /^botcli guide (\w+)$/.exec(code)?.[1] ?? []);
      for (const name of named) assert(pages.includes(name), name);
    });
  }
});
