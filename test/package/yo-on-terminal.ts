import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS } from '../support/pty.ts';
import { readTree } from '../support/trees.ts';
import type { Turn } from '../support/wizard.ts';
import { check, makeDirectory, openAt, run } from './workshop.ts';
import { made, SERVICES } from './yo.ts';

/** Checks the questions of `yo botcli` in a terminal, and the results. */
export async function checkYoOnTerminal(version: string): Promise<void> {
  await check(
    `${version}: yo botcli asks in a terminal, and writes the same project as the command it prints`,
    async () => {
      const [asked, typed] = ['asked', 'typed'].map(name => makeDirectory(`${version}/${name}/${made}`)) as [
        string,
        string,
      ];
      const { questions } = await askYo(asked, []);
      assert.ok(questions.includes('Next:\n  botcli dev\n'), questions);
      const [, line = ''] = /(botcli init \. (?:.*\\\n)*.*)/.exec(questions) ?? [];
      run('sh', ['-c', line], typed);
      assert.deepEqual(readTree(asked), readTree(typed));
    },
  );
  await check(`${version}: yo botcli writes nothing if canceled, and exits with 130`, async () => {
    const directory = makeDirectory(`${version}/left`);
    const steps: Turn = ['Quick start', `${KEYS.down.repeat(2)}\r`];
    const { code } = await askYo(directory, [steps, ['Search:', KEYS.ctrlC]]);
    assert.equal(code, 130);
    assert.deepEqual(readdirSync(directory), []);
  });
  await check(`${version}: Yeoman asks before it overwrites files, except for guides`, () => checkConflicts(version));
}

const MINE = { 'server/bot.py': '# mine\n', 'AGENTS.md': 'mine\n', 'README.md': 'mine\n' };

async function checkConflicts(version: string): Promise<void> {
  const directory = makeDirectory(`${version}/conflicts`, MINE);
  const words = ['botcli', '-t', 'rtc_local', ...SERVICES];
  const isMine = () => Object.entries(MINE).map(([path, text]) => readTree(directory)[path] === text);

  // Existing guides are kept. Missing guides and all other files are created.
  assert.deepEqual(await declineAll(directory, words), ['server/bot.py']);
  assert.deepEqual(isMine(), [true, true, true]);
  assert.ok(['ASSISTANT.md', 'server/README.md', 'server/pyproject.toml'].every(path => path in readTree(directory)));
  assert.deepEqual(await declineAll(directory, [...words, '--overwrite-guide']), ['server/bot.py']);
  assert.deepEqual(isMine(), [true, false, true]);

  // Without a terminal, a question would fail the run.
  writeFileSync(join(directory, 'AGENTS.md'), MINE['AGENTS.md']);
  run('yo', [...words, '--force'], directory);
  assert.deepEqual(isMine(), [false, true, true]);
  run('yo', [...words, '--force', '--overwrite-guide'], directory);
  assert.deepEqual(isMine(), [false, false, true]);
  writeFileSync(join(directory, 'AGENTS.md'), MINE['AGENTS.md']);
  run('yo', ['botcli:guide', '--overwrite-guide'], directory);
  assert.deepEqual(isMine(), [false, false, true]);
}

/** Runs `yo` in a terminal, and answers no to each of Yeoman's questions. Returns the files that it asked about. */
async function declineAll(cwd: string, words: readonly string[]): Promise<string[]> {
  const terminal = openAt(['yo', ...words], cwd);
  const asked: string[] = [];
  let isOver = false;
  const ended = terminal.ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const next = new RegExp(`(?:conflict [\\s\\S]*){${asked.length + 1}}Overwrite \\S+\\? \\(`);
    await Promise.race([terminal.until(next).catch(() => {}), ended]);
    const [, file] = /^.*(?:conflict (\S+)\n)/s.exec(terminal.text()) ?? [];
    if (isOver || !file) break;
    asked.push(file);
    terminal.type('n\r');
  }
  assert.equal((await ended).code, 0, terminal.text());
  return asked;
}

/** Runs `yo botcli` in a terminal. Answers these questions with the given keys, and all others with Enter. */
async function askYo(cwd: string, turns: readonly Turn[]): Promise<{ code: number; questions: string }> {
  const terminal = openAt(['yo', 'botcli'], cwd);
  let isOver = false;
  const ended = terminal.ended.finally(() => {
    isOver = true;
  });
  for (let seen = 0; !isOver; seen = terminal.text().length) {
    const found = await Promise.race([terminal.until(/◆ {2}[\s\S]*└/, seen).catch(() => {}), ended]);
    if (found) break;
    const shown = terminal.text().slice(seen);
    terminal.type(turns.find(([question]) => shown.includes(question))?.[1] ?? '\r');
  }
  return { code: (await ended).code, questions: terminal.text() };
}
