import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { format } from '@wasm-fmt/ruff_fmt';
import { parse as parseToml } from 'smol-toml';
import { readableName, slugOf } from '../../src/project/names.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';
import { BOT, itIn, type Session, session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';
import { posixIt } from '../support/systems.ts';

const OPTIONS = shellWords(BOT);

/** Everything that reads the name reads it whole, or the last part if it's a path. */
function checkProject(name: string, directory: string, { read, tree }: Session): void {
  const bot = read(`${directory}/server/bot.py`);
  assert.equal(format(bot, 'bot.py', { line_width: 100 }), bot);
  const { project } = parseToml(read(`${directory}/server/pyproject.toml`)) as { project: Record<string, string> };
  assert.equal(project.name, slugOf(name));
  assert.equal(project.description, `${readableName(name)}: a voice bot built on Pipecat`);
  assert.equal(parseToml(read(`${directory}/server/cloud-deploy.toml`)).agent_name, slugOf(name));
  assert(Object.keys(tree()).every(path => path.startsWith(`${directory}/`)));
}

describe('a name given by --name', () => {
  for (const name of HOSTILE_NAMES) {
    itIn(JSON.stringify(name).slice(0, 50), {}, async opened => {
      await opened.succeed(['init', 'bot', ...OPTIONS, `--name=${name}`]);
      checkProject(name, 'bot', opened);
    });
  }
});

describe('a name that is the directory', () => {
  // A name of a directory holds no slash, which is in two of the names. Windows forbids some of the others.
  for (const name of HOSTILE_NAMES.filter(one => !one.includes('/'))) {
    const create = session({}, async opened => {
      // A word that begins with a dash is an argument only after `--`.
      const stdout = await opened.succeed(['init', ...OPTIONS, '--', name]);
      checkProject(name, name, opened);
      const [, enter = ''] = /^ {2}(cd .*)$/m.exec(stdout) ?? [];
      const place = execFileSync('sh', ['-c', `${enter} && pwd -P`], { cwd: opened.directory, encoding: 'utf8' });
      assert.equal(place, `${realpathSync(opened.directory)}/${name}\n`);
    });
    posixIt(JSON.stringify(name).slice(0, 50), create);
  }
});

describe('a name that is refused', () => {
  const names: [about: string, name: string, reported: RegExp][] = [
    ['a line break', 'a\nb', /^ {2}--name "a\\nb" contains a line break/m],
    ['an escape sequence', '\u001b[31mred', /^ {2}--name "\\u001b\[31mred" contains .* a control character/m],
    ['a direction mark', 'a\u202eb', /^ {2}--name "a\ufffdb" contains .* an invisible direction mark$/m],
  ];
  for (const [about, name, reported] of names) {
    itIn(`${about}, by --name`, {}, async ({ fail }) =>
      assert.match(await fail(2, ['init', 'bot', ...OPTIONS, '--name', name]), reported),
    );

    itIn(`${about}, as the directory's`, {}, async ({ fail }) => {
      const stderr = await fail(2, ['init', name, ...OPTIONS]);
      assert.match(stderr, /^ {2}--name \(default: the directory's name\) /m);
      assert(!stderr.includes('\u001b') && !stderr.includes('\u202e'), 'it never reaches the terminal');
    });
  }
});
