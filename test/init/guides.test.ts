import assert from 'node:assert/strict';
import { PROGRAM } from '../../src/about.ts';
import { footerOf } from '../../src/project/files/files.ts';
import { VERSION } from '../../src/version.ts';
import { BOT, itIn } from '../support/session.ts';

const GUIDES = ['AGENTS.md', 'ASSISTANT.md', 'GETTING_STARTED.md'];
const stamped = (version: string) => `# My guide\n\n${footerOf(version, true)}\n`;

const REFRESH = (names: string, directory = '.') =>
  `${names}: written by an older botcli. Refresh with: botcli init ${directory} --overwrite-guide\n` +
  'That discards your edits, so copy anything you want to keep first.\n';

describe('botcli init DIRECTORY', () => {
  itIn('writes the guides for a coding agent, and how to begin', {}, async ({ run, tree }) => {
    const { code, stdout, stderr } = await run('init my-bot');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.deepEqual(
      Object.keys(tree()),
      GUIDES.map(name => `my-bot/${name}`),
    );
    assert.match(stdout, /^✓ The guides are in my-bot\n {2}created {3}AGENTS\.md\n/);
    assert.match(stdout, /\nNext:\n {2}cd my-bot\n {2}cat GETTING_STARTED\.md\n {2}#/);
  });

  itIn('stamps the guides, all but the one that only imports another', {}, async ({ succeed, read }) => {
    await succeed('init .');
    assert.equal(read('ASSISTANT.md'), '@AGENTS.md\n');
    for (const name of ['AGENTS.md', 'GETTING_STARTED.md'])
      assert(read(name).endsWith(`\n\n${footerOf(VERSION, true)}\n`));
    assert(Buffer.byteLength(read('AGENTS.md')) < 8000, 'an agent reads all of it, each time');
  });

  itIn('next to a bot adds no guide for beginners', { 'server/bot.py': 'mine' }, async ({ succeed, tree }) => {
    assert(!(await succeed('init .')).includes('GETTING_STARTED.md'));
    assert.deepEqual(Object.keys(tree()), ['AGENTS.md', 'ASSISTANT.md', 'server/bot.py']);
  });
});

describe('after npx, which does not put botcli on the PATH,', () => {
  const old = { 'old/AGENTS.md': stamped('0.0.1'), 'old/server/bot.py': '' };
  const ways: [about: string, env: Record<string, string>][] = [
    ['from the registry', { npm_command: 'exec', npm_package_name: 'mine' }],
    ['by npm create', { npm_command: 'init' }],
    ['in a clone', { npm_command: 'exec', npm_package_name: 'generator-botcli' }],
  ];
  for (const [about, env] of ways) {
    itIn(`${about}: commands can be pasted`, old, async ({ succeed, run }) => {
      const stdout = await succeed('init my-bot', { env });
      assert(stdout.includes(`\n  ${PROGRAM} init . -t `), stdout);
      const { stderr } = await run('init old', { env });
      assert(stderr.includes(`Refresh with: ${PROGRAM} init old --overwrite-guide\n`), stderr);
      for (const line of ['init quickstart', `init bot ${BOT}`])
        assert((await succeed(line, { env })).includes(`\n  ${PROGRAM} dev\n`), line);
    });
  }
});

// The ways on which guides are written: into a directory, with a bot, with the quickstart.
const ways: [line: string, directory: string][] = [
  ['init .', '.'],
  [`init . ${BOT}`, '.'],
  ['init quickstart', 'botcli-quickstart'],
];

for (const [line, directory] of ways) {
  const at = (tree: Record<string, string>) =>
    Object.fromEntries(Object.entries(tree).map(([name, text]) => [`${directory}/${name}`, text]));

  describe(`existing guides, and ${line}`, () => {
    const mine = at({ 'AGENTS.md': 'mine', 'ASSISTANT.md': '', 'GETTING_STARTED.md': 'x' });
    itIn('are kept, whatever they contain', mine, async ({ run, read }) => {
      const { code, stdout, stderr } = await run(line);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const [path, text] of Object.entries(mine)) assert.equal(read(path), text);
      assert.match(stdout, /\n {2}kept {6}AGENTS\.md\n {12}ASSISTANT\.md\n {12}GETTING_STARTED\.md\n/);
    });

    const stamps: [about: string, text: string, names: string][] = [
      ['older', stamped('0.0.9'), 'AGENTS.md'],
      ['a preview of this version', stamped(`${VERSION.replace(/-.*/, '')}-0`), 'AGENTS.md'],
      ['newer', stamped('99.0.0'), ''],
      ["somebody else's", '# My guide, made with botcli 0.0.1\n', ''],
      ['older, with notes below', `${stamped('0.0.1')}\n## Team notes\n`, 'AGENTS.md'],
    ];
    for (const [about, text, names] of stamps) {
      const shown = names ? 'the refresh command is printed' : 'not called older';
      itIn(`${about}: kept, and ${shown}`, at({ 'AGENTS.md': text }), async ({ run, read }) => {
        const { code, stderr } = await run(line);
        assert.deepEqual({ code, stderr }, { code: 0, stderr: names ? REFRESH(names, directory) : '' });
        assert.equal(read(`${directory}/AGENTS.md`), text);
      });
    }

    const older = at({ 'AGENTS.md': stamped('0.0.1'), 'GETTING_STARTED.md': stamped('0.0.1') });
    itIn('are all refreshed by the printed command', older, async ({ run, read }) => {
      const { stderr } = await run(line);
      assert.equal(stderr, REFRESH('AGENTS.md, GETTING_STARTED.md', directory));
      const [, refresh = ''] = /Refresh with: botcli (.*)/.exec(stderr) ?? [];
      assert.equal((await run(refresh)).stderr, '');
      for (const name of Object.keys(older)) assert(read(name).includes(VERSION));
    });

    const full = { ...mine, [`${directory}/ASSISTANT.md`]: 'x' };
    itIn('--overwrite-guide replaces them at once, with the one for beginners', full, async ({ succeed, read }) => {
      const stdout = await succeed(`${line} --overwrite-guide`);
      assert.match(stdout, /\n {2}overwrote {1}AGENTS\.md\n {12}ASSISTANT\.md\n {12}GETTING_STARTED\.md\n/);
      assert.equal(read(`${directory}/ASSISTANT.md`), '@AGENTS.md\n');
      assert.match(read(`${directory}/GETTING_STARTED.md`), /^# Build a bot/);
    });
  });
}

describe('guides', () => {
  const links = { 'shared.md': 'ours', 'bot/AGENTS.md': '-> ../shared.md' };
  itIn('that are links are kept, and never written through', links, async ({ succeed, fail, read }) => {
    await succeed('init bot');
    const stderr = await fail(1, 'init bot --overwrite-guide');
    assert.match(stderr, /AGENTS\.md leads outside the directory, through a symbolic link/);
    assert.equal(read('shared.md'), 'ours');
  });

  itIn('that are older are also reported in JSON', { 'AGENTS.md': stamped('0.0.1') }, async ({ succeed }) => {
    const { outdated_guides, refresh_command } = JSON.parse(await succeed('init . --json'));
    assert.deepEqual(outdated_guides, ['AGENTS.md']);
    assert.equal(refresh_command, 'botcli init . --overwrite-guide');
  });
});
