import assert from 'node:assert/strict';
import { factsOf } from '../../src/project/facts.ts';
import { readableName, slugOf, titleOf } from '../../src/project/names.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';
import { LOCAL, problemsOf, resolveFlags } from '../support/resolving.ts';

const slugs: [name: string, slug: string][] = [
  ['my-bot', 'my-bot'],
  ['My Bot', 'my-bot'],
  ['a[b](c)', 'a-b-c'],
  ['日本語', 'bot-0zm9zaf'],
  ['日本語 v2', 'v2-0pn7sf5'],
  ['Acme 東京', 'acme'],
  ['Straße', 'stra-e'],
  ['Éclair ﬁve', 'eclair-five'],
  ['<%= 1 %>', '1-bot'],
  ['../evil', 'evil'],
  ['..', 'bot'],
  ['', 'bot'],
  ['a--b__c', 'a-b-c'],
  ['🦜', 'bot-0a0cbne'],
  ['x'.repeat(100), 'x'.repeat(50)],
  [`${'x'.repeat(49)} y`, 'x'.repeat(49)],
];

describe('the slug of a name', () => {
  for (const [name, slug] of slugs) it(`${JSON.stringify(name)}: ${slug}`, () => assert.equal(slugOf(name), slug));

  it('is never that of a package that the project requires, or that its packages do', () => {
    for (const name of ['Pipecat AI', 'ruff', 'pipecatcloud', 'OpenAI', 'loguru', 'wait-for2']) {
      const { slug } = factsOf(resolveFlags({ ...LOCAL, project_name: name }), '0.1.0');
      assert.equal(slug, `${slugOf(name)}-bot`);
    }
  });

  it('is always a name that every machine takes', () => {
    for (const name of HOSTILE_NAMES) assert.match(slugOf(name), /^[a-z0-9][a-z0-9-]{0,52}[a-z0-9]$/);
  });
});

const readable: [name: string, shown: string][] = [
  ['../x', 'x'],
  ['../../deep/evil "x"', 'evil "x"'],
  ['/srv/bots/dora', 'dora'],
  ['C:\\bots\\dora', 'dora'],
  ['\\\\server\\dora', 'dora'],
  ['..', 'bot'],
  ['/', 'bot'],
  ['C:/', 'bot'],
  ['24/7 support', '24/7 support'],
  ['...and more', '...and more'],
  ['~dora', '~dora'],
  ['Q: and A', 'Q: and A'],
  ['007', '007'],
];

describe('the name that people read', () => {
  for (const [name, shown] of readable) it(`${name}: ${shown}`, () => assert.equal(readableName(name), shown));

  it('is the one in the texts of a project', () => {
    const { name, description } = factsOf(resolveFlags({ ...LOCAL, project_name: '../x' }), '0.1.0');
    assert.deepEqual([name, description], ['x', 'x: a voice bot built on Pipecat']);
  });
});

const UNPRINTABLE = 'contains a line break, a control character or an invisible direction mark';

const UNSEEN = '--name has no visible characters';

const refused: [about: string, name: string, problem: string][] = [
  ['empty', '', '--name is empty'],
  ['spaces', ' \u3000 ', '--name is empty'],
  ['a space without width', '\u200b', UNSEEN],
  ['what cannot be seen, and spaces', ' \u00ad \ufe0f\u{e0041} ', UNSEEN],
  ['a line break', 'a\nb', `--name "a\\nb" ${UNPRINTABLE}`],
  ['a line separator', 'a\u2028b', `--name "a\uFFFDb" ${UNPRINTABLE}`],
  ['an escape', 'a\u001b[31m', `--name "a\\u001b[31m" ${UNPRINTABLE}`],
  ['a C1 control', 'a\u0085b', `--name "a\ufffdb" ${UNPRINTABLE}`],
  ['a direction mark', 'a\u202eb', `--name "a\ufffdb" ${UNPRINTABLE}`],
  ['half a character', 'a\ud83e', `--name "a\\ud83e" ${UNPRINTABLE}`],
  ['101 characters', 'x'.repeat(101), '--name is 101 characters long; the maximum is 100'],
];

describe('a project name', () => {
  for (const name of [
    ...HOSTILE_NAMES,
    '🦜'.repeat(100),
    '👩\u200d💻',
    'soft\u00adware',
    '🏴\u{e0067}\u{e0062}\u{e007f}',
  ]) {
    it(`may be ${JSON.stringify(name).slice(0, 40)}`, () => {
      assert.equal(resolveFlags({ ...LOCAL, project_name: name }).project_name, name);
    });
  }

  it('loses the space around it', () => {
    assert.equal(resolveFlags({ ...LOCAL, project_name: ' My bot\u3000' }).project_name, 'My bot');
  });

  for (const [about, name, problem] of refused) {
    it(`may not be ${about}`, () => {
      assert.deepEqual(
        problemsOf(() => resolveFlags({ ...LOCAL, project_name: name })),
        [problem],
      );
    });
  }

  it('that comes from the directory is checked, too, and called that', () => {
    const [problem, ...others] = problemsOf(() => resolveFlags(LOCAL, {}, 'a\nb'));
    assert.deepEqual(others, []);
    assert.equal(problem, `--name (default: the directory's name) "a\\nb" ${UNPRINTABLE}`);
  });
});

const titles: [name: string, title: string][] = [
  ['support-bot', 'Support Bot'],
  ['harbor_dental', 'Harbor Dental'],
  ['my_bot_2', 'Assistant'],
  ['botcli-quickstart', 'Assistant'],
  ['My bot', 'My bot'],
  ['日本語', '日本語'],
  ['-x-', '-x-'],
];

describe('the title of a name', () => {
  for (const [name, title] of titles) it(`${name}: ${title}`, () => assert.equal(titleOf(name), title));
});
