import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cloudIt, printOf, SECRET, storedValue } from '../support/cloud-session.ts';

describe('the values that cloud secrets set sends', () => {
  const values = [
    ...['v w', ' padded ', '"v"', "'v'", '=a=b=', 'né😀\ud7ff', 'a\nb\n', '$HOME `x` \\n', '\t', '--', 'a\u001bb'],
    ...[
      'x'.repeat(100_000),
      'a "b"',
      '-----BEGIN-----\nMIIEvQ/+\nabc==\n-----END-----\n',
      'postgres://u:p@h/db?a=1&b=2',
    ],
  ];
  cloudIt('sends a value unchanged', {}, async ({ succeed, cloud }) => {
    for (const value of values) {
      await succeed(['cloud', 'secrets', 'set', 'demo', '--skip', '--', `K=${value}`]);
      assert.equal(storedValue(cloud, 'K'), printOf(value), JSON.stringify(value).slice(0, 40));
    }
  });

  cloudIt('reads a value from stdin, without the line break that echo adds', {}, async ({ succeed, cloud }) => {
    for (const [input, value] of [
      ['a\n', 'a'],
      ['a\r\n', 'a'],
      ['a\n\n', 'a\n'],
      [' a', ' a'],
      ['\ufeffa', 'a'],
      ['\ufeff\ufeffa', '\ufeffa'],
    ] as const) {
      await succeed('cloud secrets set demo K=- --skip', { input });
      assert.equal(storedValue(cloud, 'K'), printOf(value), JSON.stringify(input));
    }
  });

  const files = { 'a/.env': `export K="${SECRET}\\n"\n`, '.env': 'K=1' };
  cloudIt('reads a file from a relative or an absolute path', { files }, async ({ succeed, cloud, directory }) => {
    for (const [path, value] of [
      ['.env', `${SECRET}\n`],
      [join(directory, '.env'), '1'],
    ] as const) {
      await succeed(['cloud', 'secrets', 'set', 'demo', '--file', path, '-s'], { cwd: 'a' });
      assert.equal(storedValue(cloud, 'K'), printOf(value));
    }
  });

  cloudIt('reports what it removed from stdin', {}, async ({ run }) => {
    const [line, input] = ['cloud secrets set demo K=- -s', `${SECRET}\n`];
    const { stderr } = await run(line, { input });
    assert.match(stderr, /^Removed the line break at the end of stdin\.\ndemo in organization acme: adding K/);
    for (const quiet of [{ input: SECRET }, { input, env: { CI: '1' } }])
      assert.match((await run(line, quiet)).stderr, /^demo in/);
  });
});
