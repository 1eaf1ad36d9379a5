import assert from 'node:assert/strict';
import { readRules } from '../../../src/deploy/context/rules.ts';

const lineFor = (text: string, name: string): string | undefined => readRules(text).judge(name).by?.text;

/** A `.dockerignore` with one line, what it leaves out, and what it doesn't. */
const lines: [line: string, out: string[], stays: string[]][] = [
  // As the platform's client reads it: the whole path, or any single name in it.
  ['docs', ['docs', 'docs/a', 'a/docs', 'a/docs/b'], ['docs2', 'mydocs', 'DOCS']],
  ['*.log', ['a.log', 'a/b.log', 'a.log/b', '.log'], ['a.logs', 'log']],
  ['a/*', ['a/b', 'a/b/c'], ['b/a/c', 'a']],
  ['a*b', ['ab', 'a/b', 'a/x/yb', 'a/b/c', 'x/ab'], ['ba', 'x/a/b']],
  ['a?c', ['abc', 'a/c', 'x/a-c'], ['ac', 'abbc']],
  ['./docs/', ['docs/a', 'x/docs'], []],
  ['docs//', ['docs/a'], []],
  ['x/y', ['x/y', 'x/y/z'], ['a/x/y', 'y']],
  ['[ab].txt', ['a.txt', 'd/b.txt'], ['c.txt']],
  ['[!ab].txt', ['c.txt', '!.txt'], ['a.txt', 'b.txts']],
  ['[]a].txt', ['].txt', 'a.txt'], ['b.txt']],
  ['[!]a].txt', ['b.txt'], ['].txt', 'a.txt']],
  ['[a-c-e]x', ['bx', '-x', 'ex'], ['dx']],
  ['[--a]x', ['-x', 'Zx', 'ax'], ['bx', '+x']],
  ['[a-]x', ['ax', '-x'], ['bx']],
  ['[c-a]x', [], ['ax', 'bx', 'cx']],
  ['[^a]x', ['^x', 'ax', 'bx', 'a/ax'], ['a/bx']],
  ['[a', ['[a', 'd/[a'], ['a']],
  ['a\\', ['a\\'], ['a']],
  ['😀?', ['😀😀', 'a/😀b'], ['😀']],
  ['#name', [], ['#name']],
  [' name\t', ['name'], []],
  ['\u00A0name\x1C', ['name'], []],
  // As Docker reads it.
  ['/docs', ['docs', 'docs/a'], ['a/docs']],
  ['**/.cache', ['.cache', 'a/.cache', 'a/b/.cache/c'], ['a.cache']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a/c']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b/c'], ['a/xb']],
  ['a**b', ['ab', 'axb', 'a/x/b'], ['x']],
  ['a/../b', ['b', 'b/c'], ['a', 'a/b']],
  ['a/./b', ['a/b'], []],
  ['/*.md', ['a.md'], ['b/a.md']],
  ['a\\*b', ['a*b'], ['axb']],
  ['/[^a].md', ['b.md'], ['a.md']],
  ['/[!a].md', ['b.md'], ['a.md']],
  ['/[a\\]].md', ['].md', 'a.md'], ['b.md']],
  ['/a[', [], ['a[']],
  ['/', [], ['a']],
  ['.', [], ['a']],
  ['..', [], ['a']],
  ['!', [], ['!', 'a']],
];

describe('a line of .dockerignore', () => {
  for (const [line, out, stays] of lines) {
    it(`${JSON.stringify(line)} leaves out ${out.join(' ') || 'nothing'}`, () => {
      for (const name of out) assert.notEqual(lineFor(line, name), undefined, name);
      for (const name of stays) assert.equal(lineFor(line, name), undefined, name);
    });
  }

  it('is one for which Docker refuses the file if it has a broken set, or ends within something', () => {
    const refused = '[a|[a-|!x/[|[]|[]a]|[a-]|[-a]|[^]|a\\|[\\|[a-\\|!| ! |😀['.split('|');
    const fine = '[a]|[!a]|[^a-c]|[\\]a]|[a\\-]|\\[a|a]|[[]|[😀]|**/*.p[yc]|!a|# [a||{a|a?'.split('|');
    const { refused: found } = readRules([...fine, ...refused].join('\n'));
    assert.deepEqual(
      found.map(({ text, line }) => [text, line]),
      refused.map((text, at) => [text.trim(), fine.length + at + 1]),
    );
  });

  it('ends at any line break, and the first one may begin with a byte order mark', () => {
    const rules = readRules('\uFEFFone\r\n\rtwo\n# three\nfour');
    const numbers = ['one', 'two', 'three', 'four'].map(name => rules.judge(name).by?.line);
    assert.deepEqual(numbers, [1, 3, undefined, 5]);
  });

  it('takes no longer for many stars and a long path', () => {
    const hostile = [
      '**/a*/**/a*/**/a*/**/a*/*.b',
      `${'*a'.repeat(40)}*b`,
      `!${'**/a*'.repeat(40)}b`,
      `${'a**'.repeat(40)}/b`,
    ];
    for (const line of hostile)
      for (const name of [`${'a/'.repeat(40)}x`, 'a'.repeat(250)]) assert.equal(lineFor(line, name), undefined, line);
  });
});

/** The lines of a `.dockerignore`, and for each path the line that leaves it out, if one does. */
const orders: [about: string, lines: string[], paths: Record<string, string | undefined>][] = [
  [
    'the last line that matches wins, and a ! line matches as it does for Docker: not a name at any depth',
    ['*', '!bot.py', '!src', 'src/old'],
    { 'bot.py': undefined, 'a.py': '*', 'src/a.py': undefined, 'src/old/a.py': 'src/old', 'x/bot.py': '*' },
  ],
  ['a ! line before the others does nothing', ['!a.log', '*.log'], { 'a.log': '*.log' }],
  ['one brings back part of a directory', ['data', '!data/a'], { 'data/a': undefined, 'data/b': 'data' }],
  [
    'private keys are left out without a line',
    [],
    { 'a.pem': '*.pem', 'x/a.KEY': '*.key', 'a.pem/b': '*.pem', 'a.pem.txt': undefined },
  ],
  [
    'a private key comes back only by its exact path',
    ['!*', '!*.pem', '!certs', '!certs/ca.pem', '!./x.key'],
    { 'certs/ca.pem': undefined, 'x.key': undefined, 'certs/b.pem': '*.pem', 'a.pem': '*.pem' },
  ],
  [
    'other secrets are left out like private keys, unless a ! line names them',
    ['!*', '!deploy/id_rsa'],
    {
      ...{ id_rsa: 'id_rsa', 'deploy/id_rsa': undefined, 'id_rsa.pub': undefined, 'x/ID_ED25519_SK': 'id_ed25519_sk' },
      ...{ '.netrc': '.netrc', 'a/_netrc': '_netrc', '.htpasswd': '.htpasswd', 'prod.env': '*.env', 'x.P12': '*.p12' },
      'a/.streamlit/secrets.toml': 'secrets.toml',
      '.aws/credentials': '.aws/credentials',
      'a/.cargo/credentials.toml': '.cargo/credentials*',
      'a/.docker/config.json': '.docker/config.json',
      '.kube/config': '.kube/config',
      kubeconfig: 'kubeconfig',
      'a/b.tfstate': '*.tfstate',
      'b.tfstate.backup': '*.tfstate.*',
      'service-account-prod.json': 'service-account*.json',
      'a/application_default_credentials.json': 'application_default_credentials.json',
      'prod.env.py': undefined,
    },
  ],
  ['a later line takes a key away again', ['!x.pem', '*.pem'], { 'x.pem': '*.pem' }],
];

describe('the lines of .dockerignore', () => {
  for (const [about, texts, paths] of orders) {
    it(about, () => {
      const found = Object.keys(paths).map(name => [name, lineFor(texts.join('\n'), name)]);
      assert.deepEqual(Object.fromEntries(found), paths);
    });
  }

  it('say where something in a directory that is left out may come back', () => {
    const rules = readRules('*\n!*.md\n!data/a/b.csv\n!**/keep\nold');
    const asked = (directory: string) => rules.mayBringBack(directory);
    assert.deepEqual(['data', 'data/a', 'other', 'old'].map(asked), [true, true, true, false]);
    const narrow = readRules('*\n!*.md\n!data/a/b.csv');
    const asks = (directory: string) => narrow.mayBringBack(directory);
    assert.deepEqual(['data', 'data/a', 'data/b', 'data2', 'other'].map(asks), [true, true, false, false, false]);
  });

  it('are the defaults of the client if there is no file', () => {
    const rules = readRules(undefined);
    const by = ['.env', 'x/.env.local', 'a.key', '__pycache__', 'build/x', 'bot.py', '.envoy'].map(
      name => rules.judge(name).by?.text,
    );
    assert.deepEqual(by, ['.env', '.env.*', '*.key', '__pycache__', 'build', undefined, undefined]);
  });
});
