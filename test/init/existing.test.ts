import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOT, itIn, session, type Tree } from '../support/session.ts';
import { linuxIt, posixIt } from '../support/systems.ts';

const MINE = { 'AGENTS.md': 'my guide\n', 'server/bot.py': 'my bot\n', 'server/pyproject.toml': 'mine = 1\n' };

describe('existing files', () => {
  itIn('that differ: the run refuses, and names all of them', MINE, async ({ fail }) => {
    const stderr = await fail(1, `init . ${BOT} --name x`);
    assert.deepEqual(stderr.trimEnd().split('\n').slice(1), [
      '  server/bot.py already exists with different content',
      '  server/pyproject.toml already exists with different content',
      'Nothing was written. Pass --force to overwrite the files that differ; your changes in them are lost.',
    ]);
  });

  itIn('--force overwrites them, but never a guide', MINE, async ({ succeed, read }) => {
    const stdout = await succeed(`init . ${BOT} --name x --force`);
    assert.match(stdout, /\n {2}overwrote server\/bot\.py\n {12}server\/pyproject\.toml\n {2}kept {6}AGENTS\.md\n/);
    assert.equal(read('AGENTS.md'), 'my guide\n');
    assert.match(read('server/bot.py'), /^"""x: a voice bot/);
  });

  const workflow = { '.github/workflows/bot.yml': 'on: push # mine\n' };
  itIn('a workflow is never replaced, and a missing one is added and removed', workflow, async here => {
    const { succeed, run, read, exists } = here;
    assert.match(await succeed(`init . ${BOT} --ci github --force`), /\n {2}kept {6}\.github\/workflows\/bot\.yml\n/);
    const stdout = await succeed('update --ci github --eval');
    assert.match(stdout, /\n {2}note {6}\.github\/workflows\/bot\.yml: the file is yours, and stays as it is\n/);
    await succeed('update --ci none');
    assert.equal(read('.github/workflows/bot.yml'), 'on: push # mine\n');
    await succeed(`init bot ${BOT}`);
    const lack = ".github/workflows/bot.yml needs a step that installs botcli, because this botcli isn't a release";
    const updated = await succeed('update bot --ci GitHub');
    assert.match(updated, /\n {2}created {3}\.github\/workflows\/bot\.yml\n/);
    assert(updated.includes(`\n  note      ${lack}\n`));
    assert((await run(`init other ${BOT} --ci github`)).stderr.includes(`${lack}.\n`));
    assert.match(read('other/.github/workflows/bot.yml'), /# The botcli that wrote this isn't a release/);
    assert.equal((await run(`init third ${BOT} --ci github --no-deploy-to-cloud`)).stderr, '');
    assert.match(read('bot/.github/workflows/bot.yml'), /cloud deploy --skip/);
    await succeed('update bot --ci None');
    assert(!exists('bot/.github/workflows/bot.yml'));
  });

  const otherCase = { 'Readme.md': 'my readme\n', 'agents.md': 'my guide\n' };
  itIn('that differ only in case from documents are those, so that no system loses one', otherCase, async here => {
    const { succeed, tree, read } = here;
    const stdout = await succeed(`init . ${BOT} --name x`);
    assert.match(stdout, /\n {2}kept {6}AGENTS\.md\n {12}README\.md; the bot's is server\/README\.md\n/);
    const lower = Object.keys(tree()).map(path => path.toLowerCase());
    assert.equal(new Set(lower).size, lower.length);
    assert.match(read('server/README.md'), /^# x/);
    await succeed(`init . ${BOT} --name x`);
    await succeed('update --recording');
    assert.deepEqual([read('Readme.md'), read('agents.md')], ['my readme\n', 'my guide\n']);
    assert.deepEqual({ ...tree(), ...otherCase }, tree());
    assert.equal(tree()['README.md'], undefined);
  });

  const otherCases: [there: string, reported: string][] = [
    ['Server/notes', 'server differs only in case from the existing Server: rename that to server'],
    ['.GitIgnore', '.gitignore differs only in case from the existing .GitIgnore: rename that to .gitignore'],
    [
      'server/PyProject.toml',
      'server/pyproject.toml differs only in case from the existing PyProject.toml: rename that to pyproject.toml',
    ],
  ];
  for (const [there, reported] of otherCases) {
    const refuses = session({ [there]: 'mine' }, async ({ fail }) => {
      const stderr = await fail(1, `init . ${BOT} --name x --force`);
      assert(stderr.includes(`\n  ${reported}\n`), stderr);
    });
    linuxIt(`are in the way if programs look for another case: ${there}`, refuses);
  }

  const others = { 'server/tools.py': 'mine', 'client/package.json': '{', '.git/config': 'x' };
  itIn('that botcli does not write are left alone', others, async ({ succeed, tree }) => {
    await succeed(`init . ${BOT} --force`);
    assert.deepEqual({ ...tree(), ...others }, tree());
  });
});

describe('a README', () => {
  const readme = { 'README.md': '# Mine\n' };
  itIn("of the user's is kept, also by --force, and ours goes to server/", readme, async here => {
    const { succeed, read, disk } = here;
    const stdout = await succeed(`init . ${BOT} --name x`);
    assert.match(stdout, /\n {2}kept {6}README\.md; the bot's is server\/README\.md\n/);
    assert.equal(read('README.md'), '# Mine\n');
    assert.match(read('server/README.md'), /^# x\n/);
    const before = disk();
    await succeed(`init . ${BOT} --name x --force`);
    assert.deepEqual(disk(), before);
  });

  itIn('that botcli wrote for another bot is a file that differs', {}, async ({ succeed, fail, read }) => {
    await succeed(`init . ${BOT} --name one`);
    assert.match(await fail(1, `init . ${BOT} --name two`), /^ {2}README\.md already exists with different content$/m);
    await succeed(`init . ${BOT} --name two --force`);
    assert.match(read('README.md'), /^# two\n/);
  });
});

describe('a .gitignore', () => {
  for (const end of ['\n', '\r\n']) {
    const about = `gets the lines that it lacks, with its line ends: ${JSON.stringify(end)}`;
    itIn(about, { '.gitignore': `dist${end}.env${end}` }, async ({ succeed, read }) => {
      assert.match(await succeed(`init . ${BOT}`), /\n {2}added to {2}\.gitignore\n/);
      const text = read('.gitignore');
      assert(text.startsWith(`dist${end}.env${end}${end}# Added for the voice bot${end}.env.*${end}`), text);
      assert.equal(text.split(end).length, text.split('\n').length);
      await succeed(`init . ${BOT}`);
      assert.equal(read('.gitignore'), text);
    });
  }

  const LATIN = Buffer.from('# f\xfcr alle\nnode_modules\n', 'latin1');
  itIn(
    'that is not UTF-8 keeps each of its bytes, and gets the lines that it lacks',
    {},
    async ({ directory, succeed, disk }) => {
      writeFileSync(join(directory, '.gitignore'), LATIN);
      assert.match(await succeed(`init . ${BOT}`), /\n {2}added to {2}\.gitignore\n/);
      const bytes = readFileSync(join(directory, '.gitignore'));
      assert.deepEqual(bytes.subarray(0, LATIN.length), LATIN);
      assert.match(bytes.subarray(LATIN.length).toString('utf8'), /^\n# Added for the voice bot\n\.env\n/);
      const before = disk();
      await succeed(`init . ${BOT}`);
      assert.deepEqual(disk(), before);
    },
  );

  const utf16 = Buffer.from('dist\r\n', 'utf16le');
  for (const text of [utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])]) {
    for (const force of ['', ' --force']) {
      itIn(`that is UTF-16 in ${text.length} bytes: the run refuses${force}`, {}, async ({ directory, fail }) => {
        writeFileSync(join(directory, '.gitignore'), text);
        assert.equal(
          await fail(1, `init . ${BOT}${force}`),
          "error: .gitignore isn't a UTF-8 text file (it contains NUL bytes). Nothing was written.\n" +
            "Save it as UTF-8, or move it away: git can't read it as it is.\n",
        );
      });
    }
  }
});

describe('an obstacle', () => {
  const obstacles: [about: string, before: Tree, reported: RegExp][] = [
    ['a file for a directory', { server: 'a file' }, /^ {2}server is a file, but must be a directory$/m],
    ['a directory for a file', { 'server/bot.py/x': '' }, /^ {2}server\/bot\.py is a directory, but must be a file$/m],
    ['a directory for a guide', { 'AGENTS.md/x': '' }, /^ {2}AGENTS\.md is a directory/m],
    ['a link that leads nowhere', { server: '-> nowhere' }, /^ {2}server is a broken symbolic link$/m],
  ];
  for (const force of ['', ' --force']) {
    for (const [about, before, reported] of obstacles) {
      itIn(`${about}: the run refuses${force}`, before, async ({ fail }) =>
        assert.match(await fail(1, `init . ${BOT}${force}`), reported),
      );
    }

    for (const name of ['server', '.github']) {
      const out = { 'elsewhere/keep': 'x', [`target/${name}`]: '-> ../elsewhere' };
      itIn(`${name} is a link out of the target: nothing is written through it${force}`, out, async ({ fail }) => {
        const stderr = await fail(1, `init target ${BOT} --ci github${force}`);
        assert(stderr.includes(`\n  ${name} leads outside the directory, through a symbolic link\n`), stderr);
      });
    }
  }

  itIn('a target that is a file: the run refuses', { 'my-bot': 'a file' }, async ({ fail, directory }) => {
    const reported = `error: ${join(directory, 'my-bot')} is not a directory. Nothing was written.\n`;
    assert.equal(await fail(1, `init my-bot ${BOT}`), reported);
    assert.equal(await fail(1, 'init my-bot'), reported);
    assert.equal(await fail(1, `init my-bot/deeper ${BOT}`), reported);
  });

  for (const name of ['server/bot.py', '.gitignore', 'README.md', 'AGENTS.md', '.botcli.json']) {
    const refuses = session({ 'server/x': '' }, async ({ directory, run }) => {
      execFileSync('mkfifo', [join(directory, name)]);
      const { code, stderr } = await run(`init . ${BOT}`);
      assert.equal(code, 1);
      assert(stderr.includes(`\n  ${name} is not a regular file\n`), stderr);
    });
    posixIt(`a pipe is never opened: ${name}`, refuses);
  }

  const secrets: [about: string, before: Tree][] = [
    ['.gitignore', { 'server/.env': 'KEY=mine', '.gitignore': '-> server/.env' }],
    ['AGENTS.md', { '.git/config': 'url = mine', 'AGENTS.md': '-> .git/config' }],
    ['server/.env.example', { 'server/.env': 'KEY=mine', 'server/.env.example': '-> .env' }],
    ['server', { '.git/HEAD': 'mine', server: '-> .git' }],
  ];
  for (const [name, before] of secrets) {
    itIn(`a link to what botcli never touches: ${name}`, before, async ({ fail }) => {
      for (const line of [`init . ${BOT}`, `init . ${BOT} --force`, `init . ${BOT} --overwrite-guide`]) {
        const stderr = await fail(1, line);
        assert.match(stderr, /^ {2}\S+ is a symbolic link to \S+, which botcli never touches$/m);
        assert.doesNotMatch(stderr, /mine/);
      }
    });
  }

  for (const name of ['package.json', '.yo-rc.json']) {
    itIn(`a broken ${name} in the target is ignored`, { [name]: '{ broken' }, async ({ succeed, read }) => {
      await succeed(`init . ${BOT}`);
      assert.equal(read(name), '{ broken');
    });
  }
});
