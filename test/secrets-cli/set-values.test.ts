import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cloudSession, printOf, SECRET, storedValue } from '../support/cloud-session.ts';

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
  it(
    'sends a value unchanged',
    cloudSession({}, async ({ succeed, cloud }) => {
      for (const value of values) {
        await succeed(['cloud', 'secrets', 'set', 'demo', '--skip', '--', `K=${value}`]);
        assert.equal(storedValue(cloud, 'K'), printOf(value), JSON.stringify(value).slice(0, 40));
      }
    }),
  );

  it(
    'reads a value from stdin, without the line break that echo adds',
    cloudSession({}, async ({ succeed, cloud }) => {
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
    }),
  );

  it(
    'reads a file from a relative path, an absolute path, or stdin',
    cloudSession(
      { files: { 'a/.env': `export K="${SECRET}\\n"\n`, '.env': 'K=1' } },
      async ({ succeed, cloud, directory }) => {
        await succeed('cloud secrets set demo --file .env -s', { cwd: 'a' });
        assert.equal(storedValue(cloud, 'K'), printOf(`${SECRET}\n`));
        await succeed(['cloud', 'secrets', 'set', 'demo', '-f', join(directory, '.env'), '-s'], { cwd: 'a' });
        assert.equal(storedValue(cloud, 'K'), printOf('1'));
        await succeed('cloud secrets set demo -sf -', { input: '# comment\r\nK=2\r\n' });
        assert.equal(storedValue(cloud, 'K'), printOf('2'));
      },
    ),
  );

  const removals: [input: string, report: string][] = [
    [`${SECRET}\n`, 'Removed the line break at the end of stdin.\n'],
    [SECRET, ''],
  ];
  for (const [input, report] of removals) {
    it(
      `reports what it removed from stdin: ${report.trim() || 'nothing'}`,
      cloudSession({}, async ({ run }) => {
        const { stderr } = await run('cloud secrets set demo K=- -s', { input });
        assert(stderr.startsWith(`${report}demo in organization acme: adding K`), stderr);
        const quiet = await run('cloud secrets set demo K=- -s', { input, env: { CI: '1' } });
        assert(quiet.stderr.startsWith('demo in'), quiet.stderr);
      }),
    );
  }
});
