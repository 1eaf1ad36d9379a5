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
import { walk } from '../support/wizard.ts';

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

  for (const redirect of ['</dev/null', '| cat']) {
    const notAsked = session({}, async ({ directory: cwd }) => {
      const env = { NODE: process.execPath, BIN };
      const terminal = openTerminal(['sh', '-c', `"$NODE" "$BIN" init ${redirect}`], { cwd, env });
      await terminal.until(
        /Nothing to do: pass a directory or options\. botcli can't ask, because this isn't a terminal/,
      );
      await terminal.ended;
    });
    posixIt(`where one side is no terminal: ${redirect}`, notAsked);
  }
});

describe('guides of an older botcli, on a terminal', () => {
  for (const [line, more, directory] of [
    ['init .', {}, '.'],
    ['init .', { 'server/bot.py': 'mine' }, '.'],
    ['init quickstart', {}, 'botcli-quickstart'],
  ] as const) {
    const before = { [`${directory}/AGENTS.md`]: OLD, [`${directory}/ASSISTANT.md`]: 'mine', ...more };
    for (const script of [{}, { Refresh: false }] as Record<string, Deed>[]) {
      const isFresh = !('Refresh' in script);
      const title = `${line}, ${Object.keys(more)[0] ?? 'no bot'}: ${isFresh ? 'Enter refreshes them, and no others' : 'no keeps them'}`;
      itIn(title, before, async ({ directory: cwd, read }) => {
        const { code, written, questions } = await talk(cwd, line, script);
        assert.deepEqual([code, questions[0]], [0, 'Refresh AGENTS.md?'], written);
        const text = read(`${directory}/AGENTS.md`);
        assert(isFresh ? text.endsWith(`${footerOf(VERSION, true)}\n`) : text === OLD);
        const hint = /AGENTS\.md: written by an older botcli\. Refresh with: botcli init .* --overwrite-guide/;
        assert.equal(hint.test(written), !isFresh);
        assert.equal(read(`${directory}/ASSISTANT.md`), 'mine');
      });
    }
  }

  const next = { 'server/bot.py': 'mine', 'AGENTS.md': OLD };
  itIn('next to a bot: what to do is asked, and no guide for beginners comes', next, async ({ directory, tree }) => {
    assert.equal((await talk(directory, 'init .')).questions.length, 3);
    assert.deepEqual(Object.keys(tree()), ['AGENTS.md', 'ASSISTANT.md', 'server/bot.py']);
  });

  itIn('--overwrite-guide asks nothing about them', next, async ({ directory, read }) => {
    assert.deepEqual((await talk(directory, 'init . --overwrite-guide')).questions, []);
    assert(read('AGENTS.md').includes(VERSION));
  });
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

  const more = { ...MINE, 'server/container-file': 'mine' };
  itIn('are overwritten when a person says so; guides and all else never', more, async ({ directory, read }) => {
    const { code, written } = await talk(directory, 'init .', { ...WIZARD, 'happen to them': 'overwrite' });
    assert.equal(code, 0, written);
    assert.deepEqual([read('AGENTS.md'), read('.git/config')], ['my guide\n', 'x']);
    assert.match(read('server/pyproject.toml'), /^\[project\]/);
    assert.match(read('server/container-file'), /^FROM /m);
  });

  /** Answers what should happen to them, each time in another way. */
  const decide = async (cwd: string, answers: string[], onQuestion = () => {}) => {
    const { terminal, written } = sitDown(({ question }) => {
      if (!question.includes('should happen')) return question.includes('your keys') ? false : ENTER;
      onQuestion();
      return answers.shift() ?? assert.fail();
    }, cwd);
    const code = await main(['init', '.'], terminal);
    return { code, written: written(), unused: answers };
  };

  itIn('show what would change, and are asked about again', MINE, async ({ directory, read }) => {
    const { code, written } = await decide(directory, ['show', 'overwrite']);
    assert.equal(code, 0);
    assert.match(written, /--- server\/pyproject\.toml\s+existing\n\+\+\+ [\s\S]*\n-mine = 1\n\+\[project\]\n/);
    assert.match(read('server/pyproject.toml'), /^\[project\]/);
  });

  itIn('are asked about again if one changes during the question', MINE, async ({ directory, write, read }) => {
    const edit = () => write('server/pyproject.toml', 'mine = 2\n');
    const { code, unused } = await decide(directory, ['overwrite', 'leave'], edit);
    assert.deepEqual([code, unused, read('server/pyproject.toml')], [1, [], 'mine = 2\n']);
  });
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
