import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { format } from '@wasm-fmt/ruff_fmt';
import { main } from '../../src/bin/main.ts';
import { readPage, topics } from '../../src/guide/command.ts';
import { guidePages } from '../../src/package-root.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';
import { blocksOf, inlineCodeOf } from '../support/documents.ts';
import { BOT, openRecorded, session } from '../support/session.ts';

const names = topics.map(({ name }) => name);

describe('botcli guide', () => {
  it(
    'lists the topics',
    session({}, async ({ run }) => {
      const { code, stdout, stderr } = await run('guide');
      assert.deepEqual([code, stderr], [0, '']);
      for (const { name, summary } of topics) assert.match(stdout, new RegExp(`^  ${name} +${summary}$`, 'm'));
      for (const line of stdout.split('\n')) assert(line.length <= 80, line);
    }),
  );

  for (const topic of topics) {
    it(
      `${topic.name}: prints its page, and the release it is for`,
      session({}, async ({ succeed }) => {
        const stdout = await succeed(`guide ${topic.name}`);
        assert.match(stdout, /^# /);
        assert.equal(stdout, `${readPage(topic.name)}\nTested with pipecat-ai ${PIPECAT_RELEASE}.\n`);
      }),
    );
  }

  for (const name of ['', ...names]) {
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

  it(
    'prints JSON for programs',
    session({}, async ({ succeed }) => {
      assert.deepEqual(JSON.parse(await succeed('guide --json')), { release: PIPECAT_RELEASE, topics });
      const { topic, page } = JSON.parse(await succeed('guide flows --json'));
      assert.deepEqual([topic, page.split('\n')[0]], ['flows', '# Flows: conversations with steps']);
    }),
  );

  const unknown: [word: string, hint: string][] = [
    ['flow', 'Did you mean flows?'],
    ['call', 'Did you mean calls?'],
    ['databases', 'List the topics with: botcli guide'],
  ];
  for (const [word, hint] of unknown) {
    it(
      `${word}: ${hint}`,
      session({}, async ({ fail }) => {
        const said = `error: Unknown topic "${word}". Topics: ${names.join(', ')}\n${hint}\n`;
        assert.equal(await fail(2, `guide ${word}`), said);
      }),
    );
  }
});

it(
  'AGENTS.md names each topic, and no other',
  session({}, async ({ succeed, read }) => {
    await succeed('init .');
    const agents = read('AGENTS.md');
    const [, table = ''] = /\n\| `botcli guide …` [^\n]*\n\|---\|---\|\n((?:\|.*\n)+)/.exec(agents) ?? [];
    assert.deepEqual(
      [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name),
      names,
    );
    for (const code of inlineCodeOf(agents)) {
      const [, name = 'calls'] = /^botcli guide (\w+)$/.exec(code) ?? [];
      assert(names.includes(name), name);
    }
  }),
);

it(
  'the commands of botcli guide ci for any CI are those of the workflow for GitHub',
  session({}, async ({ succeed, read }) => {
    const [, { text = '' } = {}] = blocksOf(await succeed('guide ci'));
    await succeed(`init . ${BOT} --eval --ci github`);
    const runs = read('.github/workflows/bot.yml').match(/(?<=- run: ).*botcli.*/g);
    assert.deepEqual(text.trimEnd().split('\n'), runs);
  }),
);

describe('the pages of botcli guide', () => {
  it('are in the list, each once', () => {
    assert.deepEqual(readdirSync(guidePages).sort(), names.map(name => `${name}.md`).sort());
  });

  for (const topic of topics) {
    it(`${topic.name}: has code of known languages, Python as ruff formats it, and lines that fit`, () => {
      const page = readPage(topic.name);
      for (const { language, text } of blocksOf(page)) {
        assert(['python', 'yaml', 'bash'].includes(language), language);
        if (language === 'python') assert.equal(text, format(text, 'page.py', { line_width: 100, line_ending: 'lf' }));
      }
      for (const line of page.split('\n')) assert(line.length <= 120, line);
    });

    it(`${topic.name}: names only existing pages`, () => {
      const named = inlineCodeOf(readPage(topic.name)).flatMap(code => /^botcli guide (\w+)$/.exec(code)?.[1] ?? []);
      for (const name of named) assert(names.includes(name), name);
    });
  }
});
