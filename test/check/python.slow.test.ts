import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { refusedByPython } from '../../src/check/this-machine.ts';
import { findProgram } from '../../src/programs.ts';
import { inTree } from '../support/trees.ts';

const env = { PATH: process.env.PATH };

/** Whether this machine has a Python that projects run on. */
function hasPython(): boolean {
  const python = findProgram('python3', env, '/nowhere');
  const code = 'import sys; print(sys.version_info >= (3, 11))';
  return python !== undefined && String(execFileSync(python, ['-c', code])).trim() === 'True';
}

/** Files, and what Python says of each. */
const FILES: Readonly<Record<string, readonly [text: string | Buffer, said: string | undefined]>> = {
  'bracket.py': ['a = 1\nx = (1\n', "2 '(' was never closed"],
  'quote.py': ['x = "never closed\n', '1 unterminated string literal (detected at line 1)'],
  'comma.py': ['print("a" end="")\n', '1 invalid syntax. Perhaps you forgot a comma?'],
  'await.py': ['def f(x):\n    await x()\n', "2 'await' outside async function"],
  'indentation.py': ['if x:\n    a = 1\n  b = 1\n', '3 unindent does not match any outer indentation level'],
  'key.py': ['f(sk_abcDEF123456789=1, sk_abcDEF123456789=2)\n', '1 invalid syntax'],
  'unread.py': ['import langchain_openai\nprint(nothing_defines_this)\n', undefined],
  'code_page.py': [Buffer.from('# coding: cp1252\nx = "\xfc"\n', 'latin1'), undefined],
  'runs.py': ['open("ran", "w")\nraise SystemExit(3)\n', undefined],
};

describe('the Python that compiles files for botcli check', () => {
  before(function () {
    if (!hasPython()) this.skip();
  });

  it('says what it refuses, runs nothing, and writes nothing', async () => {
    const tree = Object.fromEntries(Object.entries(FILES).map(([name, [text]]) => [`server/${name}`, String(text)]));
    const paths = Object.keys(tree);
    await inTree(tree, async root => {
      const found = await refusedByPython(root, paths, { env });
      const expected = Object.entries(FILES).filter(([, [, said]]) => said !== undefined);
      assert.deepEqual(
        [...found].map(([path, { line, why }]) => [path, `${line} ${why}`]),
        expected.map(([name, [, said]]) => [`server/${name}`, said]),
      );
      assert.deepEqual(readdirSync(join(root, 'server')).sort(), Object.keys(FILES).sort());
    });
  });

  it('is not one of the project, and not older than the one of the project', () =>
    inTree({ 'server/bot.py': 'x = (1\n', 'bin/README': '' }, async root => {
      symlinkSync(process.execPath, join(root, 'bin/python3'));
      const path = [join(root, 'bin'), process.env.PATH].join(delimiter);
      assert.equal((await refusedByPython(root, ['server/bot.py'], { env: { PATH: path } })).size, 1);
    }));

  it('says nothing about a project for a newer Python', () =>
    inTree(
      { 'server/bot.py': 'x = (1\n', 'server/.python-version': '3.99\n', 'server/pyproject.toml': '' },
      async root => assert.equal((await refusedByPython(root, ['server/bot.py'], { env })).size, 0),
    ));
});
