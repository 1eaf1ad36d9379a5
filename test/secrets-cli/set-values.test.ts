import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cloudIt, printOf, SECRET, storedValue } from '../support/cloud-session.ts';

describe('the values that cloud secrets set sends', () => {
  const values = [
    'v w',
    ' padded ',
    '"v"',
    "'v'",
    '=a=b=',
    'né😀\ud7ff',
    'a\nb\n',
    '$HOME `x` \\n',
    '\t',
    '--',
    'a\u001bb',
    'x'.repeat(100_000),
    'a "b"',
    '-----BEGIN-----\nMIIEvQ/+\nabc==\n-----END-----\n',
    'postgres://u:p@h/db?a=1&b=2',
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
  cloudIt(
    'reads a file from a relative path, an absolute path, or stdin',
    { files },
    async ({ succeed, cloud, directory }) => {
      await succeed('cloud secrets set demo --file .env -s', { cwd: 'a' });
      assert.equal(storedValue(cloud, 'K'), printOf(`${SECRET}\n`));
      await succeed(['cloud', 'secrets', 'set', 'demo', '-f', join(directory, '.env'), '-s'], { cwd: 'a' });
      assert.equal(storedValue(cloud, 'K'), printOf('1'));
      await succeed('cloud secrets set demo -sf -', { input: '# comment\r\nK=2\r\n' });
      assert.equal(storedValue(cloud, 'K'), printOf('2'));
    },
  );

  const removals: [input: string, report: string][] = [
    [`${SECRET}\n`, 'Removed the line break at the end of stdin.\n'],
    [SECRET, ''],
  ];
  for (const [input, report] of removals) {
    cloudIt(`reports what it removed from stdin: ${report.trim() || 'nothing'}`, {}, async ({ run }) => {
      const { stderr } = await run('cloud secrets set demo K=- -s', { input });
      assert(stderr.startsWith(`${report}demo in organization acme: adding K`), stderr);
      const quiet = await run('cloud secrets set demo K=- -s', { input, env: { CI: '1' } });
      assert(quiet.stderr.startsWith('demo in'), quiet.stderr);
    });
  }
});
