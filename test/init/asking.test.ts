import assert from 'node:assert/strict';
import { PROGRAM } from '../../src/about.ts';
import { main } from '../../src/bin/main.ts';
import { type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { footerOf } from '../../src/project/files/files.ts';
import type { Terminal } from '../../src/shell/terminal.ts';
import { VERSION } from '../../src/version.ts';
import { type Deed, ENTER, LEAVE, sitDown } from '../support/person.ts';
import { BIN } from '../support/program.ts';
import { openTerminal } from '../support/pty.ts';
import { BOT, itIn, session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';
import { posixIt } from '../support/systems.ts';
import { TURNS, walk } from '../support/wizard.ts';

/** Runs a line before a person, who does the same thing at the same words. */
async function talk(cwd: string, line: string, script: Readonly<Record<string, Deed>> = {}, env: Terminal['env'] = {}) {
  const { terminal, asked, written } = sitDown(
    ({ question }) => Object.entries(script).find(([part]) => question.includes(part))?.[1] ?? ENTER,
    cwd,
  );
  const code = await main(shellWords(line), { ...terminal, env });
  return { code, written: written(), questions: asked.map(({ question }) => question.split('\n')[0]) };
}

const WIZARD = { 'your keys': false };
const OLD = `# Guide\n\n${footerOf('0.0.9', true)}\n`;

describe('a person is never asked', () => {
  const forms = scaffoldOptions.flatMap(({ flag, short, kind }: ScaffoldOption) =>
    kind === 'boolean' ? [`--${flag}`, `--no-${flag}`] : [`--${flag} x`, ...(short ? [`-${short} x`] : [])],
  );
  const lines = [
    ...forms.flatMap(form => [`init ${form}`, `init my-bot ${form}`]),
    ...['--dry-run', '--config x.json', '-c x.json', '--list-options', '--json', '--help', '--nonsense'].map(
      form => `init my-bot ${form}`,
    ),
    `init my-bot ${BOT}`,
    'init quickstart --eval',
    'init',
  ];
  itIn('where any scaffold option is typed, in either form', {}, async ({ directory }) => {
    for (const line of lines.slice(0, -1)) assert.deepEqual((await talk(directory, line)).questions, [], line);
    assert.equal((await talk(directory, 'init', { directory: LEAVE })).questions.length, 1, 'this test sees questions');
  });

  itIn('in CI', {}, async ({ directory }) => {
    const { code, text } = await walk('init', [], { cwd: directory, env: { CI: 'true' } });
    assert.equal(code, 2);
    assert.match(text, /Nothing to do: pass a directory or options\. botcli can't ask, because CI is set/);
  });

  for (const [stream, redirect] of [
    ['stdin', '</dev/null'],
    ['stdout', '| cat'],
  ]) {
    posixIt(
      `where ${stream} is no terminal`,
      session({}, async ({ directory }) => {
        const terminal = openTerminal(['sh', '-c', `"$NODE" "$BIN" init ${redirect}`], {
          cwd: directory,
          env: { NODE: process.execPath, BIN },
        });
        await terminal.until(
          /Nothing to do: pass a directory or options\. botcli can't ask, because this isn't a terminal/,
        );
        await terminal.ended;
      }),
    );
  }
});

describe('guides of an older botcli, on a terminal', () => {
  for (const [line, more, directory] of [
    ['init .', {}, '.'],
    ['init .', { 'server/bot.py': 'mine' }, '.'],
    ['init quickstart', {}, 'botcli-quickstart'],
  ] as const) {
    const before = { [`${directory}/AGENTS.md`]: OLD, [`${directory}/ASSISTANT.md`]: 'mine', ...more };
    itIn(
      `${line}, ${Object.keys(more)[0] ?? 'no bot'}: Enter refreshes them, and no others`,
      before,
      async ({ directory: cwd, read }) => {
        const { code, written, questions } = await talk(cwd, line);
        assert.deepEqual([code, questions[0]], [0, 'Refresh AGENTS.md?'], written);
        assert(read(`${directory}/AGENTS.md`).endsWith(`${footerOf(VERSION, true)}\n`));
        assert.equal(read(`${directory}/ASSISTANT.md`), 'mine');
      },
    );

    itIn(
      `${line}, ${Object.keys(more)[0] ?? 'no bot'}: no keeps them, and prints the refresh command`,
      before,
      async ({ directory: cwd, read }) => {
        const { code, written } = await talk(cwd, line, { Refresh: false });
        assert.equal(code, 0);
        assert.equal(read(`${directory}/AGENTS.md`), OLD);
        assert.match(
          written,
          /AGENTS\.md: written by an older botcli\. Refresh with: botcli init .* --overwrite-guide/,
        );
      },
    );
  }

  itIn(
    'next to a bot: what to do with that is asked, and no guide for beginners comes',
    { 'server/bot.py': 'mine', 'AGENTS.md': OLD },
    async ({ directory, tree }) => {
      const { questions } = await talk(directory, 'init .');
      assert.equal(questions.length, 3);
      assert.deepEqual(Object.keys(tree()), ['AGENTS.md', 'ASSISTANT.md', 'server/bot.py']);
    },
  );

  itIn(
    '--overwrite-guide asks nothing about them',
    { 'server/bot.py': 'mine', 'AGENTS.md': OLD },
    async ({ directory, read }) => {
      assert.deepEqual((await talk(directory, 'init . --overwrite-guide')).questions, []);
      assert(read('AGENTS.md').includes(VERSION));
    },
  );
});

describe('files that are in the way, on a terminal', () => {
  const MINE = { 'AGENTS.md': 'my guide\n', 'server/pyproject.toml': 'mine = 1\n', '.git/config': 'x' };

  itIn('are named, and Enter leaves everything', MINE, async ({ directory, disk }) => {
    const before = disk();
    const { code, written, questions } = await talk(directory, 'init .', WIZARD);
    assert.deepEqual([code, questions.at(-1)], [1, 'What should happen to it?'], written);
    assert.match(written, /A file already exists with different content:\n {2}server\/pyproject\.toml\n/);
    assert.match(written, /\nLeft everything as it is\. Nothing was written\.\n$/);
    assert.deepEqual(disk(), before);
  });

  itIn(
    'are overwritten when a person says so; guides and all else never',
    { ...MINE, 'server/container-file': 'mine' },
    async ({ directory, read }) => {
      const { code, written } = await talk(directory, 'init .', { ...WIZARD, 'happen to them': 'overwrite' });
      assert.equal(code, 0, written);
      assert.deepEqual([read('AGENTS.md'), read('.git/config')], ['my guide\n', 'x']);
      assert.match(read('server/pyproject.toml'), /^\[project\]/);
      assert.match(read('server/container-file'), /^FROM /m);
    },
  );

  itIn('show what would change, and are asked about again', MINE, async ({ directory, read }) => {
    let visits = 0;
    const { terminal, written } = sitDown(({ question }) => {
      if (!question.includes('should happen')) return question.includes('your keys') ? false : ENTER;
      visits += 1;
      return visits === 1 ? 'show' : 'overwrite';
    }, directory);
    assert.equal(await main(['init', '.'], terminal), 0);
    assert.match(written(), /--- server\/pyproject\.toml\s+existing\n\+\+\+ [\s\S]*\n-mine = 1\n\+\[project\]\n/);
    assert.match(read('server/pyproject.toml'), /^\[project\]/);
  });

  itIn(
    'are shown as they are: one that changes during the question is asked about again',
    MINE,
    async ({ directory, write, read }) => {
      const questions: string[] = [];
      const { terminal } = sitDown(({ question }) => {
        if (question.includes('your keys')) return false;
        if (!question.includes('should happen')) return ENTER;
        questions.push(question);
        if (questions.length === 1) write('server/pyproject.toml', 'mine = 2\n');
        return questions.length === 1 ? 'overwrite' : 'leave';
      }, directory);
      assert.equal(await main(['init', '.'], terminal), 1);
      assert.equal(questions.length, 2);
      assert.equal(read('server/pyproject.toml'), 'mine = 2\n');
    },
  );
});

itIn('the prompts are drawn without colour where NO_COLOR forbids it', {}, async ({ directory }) => {
  const turns = [TURNS.directory, TURNS.agent, TURNS.guides];
  const { raw } = await walk('init', turns, { cwd: directory, env: { NO_COLOR: '1' } });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that's what a colour is.
  assert.doesNotMatch(raw, /\u001b\[[\d;]*m/);
});

describe('a person who runs botcli with npx', () => {
  for (const line of ['init my-bot', 'init quickstart']) {
    itIn(`can paste every command after ${line}`, {}, async ({ directory }) => {
      const { code, written } = await talk(directory, line, WIZARD, { npm_command: 'exec' });
      assert.equal(code, 0, written);
      assert(written.includes(`\n  ${PROGRAM} dev\n`), written);
      for (const [line] of written.matchAll(/^ *(?:npx )?botcli .*/gm))
        assert(line.trim().startsWith(`${PROGRAM} `), line);
    });
  }
});
