import assert from 'node:assert/strict';
import { parse as parseByDotenv } from 'dotenv';
import fc from 'fast-check';
import { parseDotEnv } from '../../../src/formats/dotenv.ts';
import { looksLikeValue, type Secret, valueProblem } from '../../../src/platform/names.ts';
import { parseSecrets } from '../../../src/secrets-cli/input/sources.ts';

const read = (text: string) => parseSecrets(Buffer.from(text), '.env');
const pairs = (text: string) => {
  const { secrets, problems } = read(text);
  assert.deepEqual(problems, [], text);
  return secrets.map(({ key, value }) => [key, value]);
};

/** Writes secrets so that `parseSecrets` reads them back. */
function formatEnvFile(secrets: readonly Secret[]): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const quote = (value: string) => `"${value.replace(/["\\\n\r\t]/g, sign => escapes[sign] ?? `\\${sign}`)}"`;
  return secrets.map(({ key, value }) => `${key}=${quote(value)}\n`).join('');
}

/** Parts of secrets that look like a key of a file. */
const KEYS = [
  'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA',
  'g5h6j7k8l9ZxQQQQQQQQ',
  '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  `sk-${'proj'}-Q1w2E3r4T5y6U7i8O9p0-a1S2d3F4`,
  '8c6f1d2e-4b5a-4c3d-9e8f-7a6b5c4d3e2f',
];

const NAMES = [
  ...['GOOGLE_APPLICATION_CREDENTIALS_JSON_2', 'AZURE_OPENAI_GPT4O_EASTUS2_KEY', 'S3BUCKET2REGION', 'a1B2c3D4'],
  ...['azure_openai_gpt4o_eastus2_key', 'openaiApiKeyForProduction2', 'BASE64ENCODEDSHA256KEY', 'my-s3-key-2-eu-1a'],
];

describe('a file of secrets', () => {
  const FILE = '-----BEGIN-----\nMIIEvQ/+\nabc=\nabcd==\n-----END-----';
  const K64 = 'k'.repeat(64);
  /** The secrets in each file. 'agreed' means that all well-known readers agree, including dotenv. */
  const legal: [name: string, text: string, holds: Record<string, string>, agreed?: 'agreed'][] = [
    ['lines', 'A=1\nB=2\n', { A: '1', B: '2' }, 'agreed'],
    ['blank lines and comments', '\n \t\n# c=d\n  # c\nA=b\n\n', { A: 'b' }, 'agreed'],
    ['the key export', 'export=b\nexports=c\nexport A=b', { export: 'b', exports: 'c', A: 'b' }],
    ['blanks', 'export A=b\n  B = b\nC=b   \nD=b\t\nE=b  c', { A: 'b', B: 'b', C: 'b', D: 'b', E: 'b  c' }, 'agreed'],
    ['quotes', 'A="x y"\nB=\'x y\'\nC=a"b"c\nD="  b  "', { A: 'x y', B: 'x y', C: 'a"b"c', D: '  b  ' }, 'agreed'],
    ['neither no-break spaces nor backticks', 'A=b\u00a0\nB=`x y`', { A: 'b\u00a0', B: '`x y`' }],
    [
      'comments after values',
      'A=b # c\nB=b\t# c\nC="x" # c\nD="x"  \nE=1',
      { A: 'b', B: 'b', C: 'x', D: 'x', E: '1' },
      'agreed',
    ],
    ['# without a space', 'A=b#c\nB=#c\nC=say "hi#there"', { A: 'b#c', B: '#c', C: 'say "hi#there"' }],
    ['# in quotes', 'A="b # c"\nB=\'b # c\'', { A: 'b # c', B: 'b # c' }, 'agreed'],
    ['\\n in double quotes only', 'A="x\\ny"\nB=\'x\\ny\'\nC=x\\ny', { A: 'x\ny', B: 'x\\ny', C: 'x\\ny' }, 'agreed'],
    ['every escape', 'A="\\r\\t\\"\\\'\\\\\\a\\b\\f\\v"\nB="x\\\\"', { A: '\r\t"\'\\\x07\b\f\v', B: 'x\\' }],
    ['no escapes, in double quotes', 'A="\\$5\\x\\ "', { A: '\\$5\\x\\ ' }],
    ['every escape in single quotes', "A='it\\'s\\\\'\nB='\\$5\\\"\\t'", { A: "it's\\", B: '\\$5\\"\\t' }],
    ['lines in double quotes', 'A="l1\nl2"\nB=2', { A: 'l1\nl2', B: '2' }, 'agreed'],
    ['lines in single quotes', "A='l1\n# l2\nC: 3'\nB=2", { A: 'l1\n# l2\nC: 3', B: '2' }, 'agreed'],
    ['a key file', `A="${FILE}"`, { A: FILE }, 'agreed'],
    ['lines like KEY=value, written as \\n', 'A="l1\\nB=2"', { A: 'l1\nB=2' }, 'agreed'],
    ['JSON of several lines', 'A=\'{\n  "x": "a=b"\n}\'', { A: '{\n  "x": "a=b"\n}' }, 'agreed'],
    ['quotes within, then a comment', 'A=say "hi" # c', { A: 'say "hi"' }, 'agreed'],
    ['an apostrophe, then a comment', 'A=don\'t # c\nB=don\'t # "c"', { A: "don't", B: "don't" }, 'agreed'],
    ['CRLF', 'A=1\r\nB=2\r\nC="1\r\n2"\r\n', { A: '1', B: '2', C: '1\n2' }, 'agreed'],
    ['CR alone', 'A=1\rB=2', { A: '1', B: '2' }, 'agreed'],
    ['byte order mark', '\ufeffA=1', { A: '1' }],
    [
      'keys',
      `my-key=1\n1A=x\na=1\nA=x=y==\n${K64}=x`,
      { 'my-key': '1', '1A': 'x', a: '1', A: 'x=y==', [K64]: 'x' },
      'agreed',
    ],
    ['a value that is not ASCII', 'A=né😀', { A: 'né😀' }, 'agreed'],
    ['nothing is expanded', 'B=1\nA=$B $(id)', { B: '1', A: '$B $(id)' }, 'agreed'],
    ['JSON', 'A={"x":"#1"}', { A: '{"x":"#1"}' }],
    ['keys that objects treat specially', '__proto__=1\nconstructor=2', { ['__proto__']: '1', constructor: '2' }],
    [
      'keys that look a bit like values',
      NAMES.map(key => `${key}=1\n`).join(''),
      Object.fromEntries(NAMES.map(key => [key, '1'])),
    ],
    ['100 KB', `A=${'x'.repeat(100_000)}`, { A: 'x'.repeat(100_000) }, 'agreed'],
    ['a byte less than 128 KiB', `A=${'x'.repeat(128 * 1024 - 3)}`, { A: 'x'.repeat(128 * 1024 - 3) }, 'agreed'],
    ['100 KB of lines', `A="${'x\n'.repeat(50_000)}"`, { A: 'x\n'.repeat(50_000) }, 'agreed'],
  ];
  for (const [name, text, holds, agreed] of legal) {
    it(`${name}: ${JSON.stringify(text).slice(0, 60)}`, () => {
      assert.deepEqual(pairs(text), Object.entries(holds));
      if (agreed) assert.deepEqual(parseByDotenv(text), holds);
    });
  }

  const EMPTY = 'the value is empty, and the bot needs it; fill it in';
  const KEY = 'a key must be 1 to 64 letters, digits, underscores, or hyphens, followed by "="';
  const IN_QUOTES = 'the # may be in quotes; put the whole value in quotes';
  const KEY_INSIDE = 'it looks like a key, but is inside the quotes that open on line';
  const HOW = 'close them there, or write \\n for line breaks in double quotes';
  const TAIL = 'something follows the closing quote';
  const RETURN = 'it contains a lone carriage return in quotes; write \\r in double quotes, or use a line feed';
  const LENGTH = 'the value is too long: KEY=VALUE must be under 128 KiB to fit in an environment variable';
  const UTF16 = 'it is UTF-16; save it as UTF-8 (in PowerShell: Out-File -Encoding utf8)';
  const open = (quote: string) => `the ${quote} that opens the value is never closed`;
  const rest = (line: number) => `it looks like the rest of the value in line ${line}; put that on one line`;
  const illegal: [name: string, text: string | Buffer, ...problems: string[]][] = [
    ['nothing', '', 'it contains no secrets'],
    ['comments alone', '# A=1\n', 'it contains no secrets'],
    [
      'empty values',
      'B=1\nA=\nAPI_KEY=\nC= # c\nD=""',
      ...[2, 3, 4, 5].map(line => `line ${line}: ${EMPTY}${line === 3 ? ' (API_KEY)' : ''}`),
    ],
    ['the same key', 'DB_KEY=1\n\nDB_KEY=2', 'line 3: it repeats the key of line 1 (DB_KEY)'],
    ['the same key after a value of several lines', 'A="1\n2"\nB=1\nA=2', 'line 4: it repeats the key of line 1'],
    ['no =', 'A=1\nhunter2', 'line 2: it has no "="'],
    ['a colon or export instead', 'A: b\nexport A', 'line 1: it has no "="', 'line 2: it has no "="'],
    ...[
      'xexport A=1',
      '=x',
      'a.b=1',
      'MY KEY=1',
      `${'k'.repeat(65)}=x`,
      `A_${'K'.repeat(64)}=x`,
      'ΑPI=x',
      'A\ufeff= x',
    ].map((line): [string, string, string] => [`a key that isn't one: ${line}`, line, `line 1: ${KEY}`]),
    ['the short end of a value in Base64', `A=${KEYS[1]}\naB3dE7gHkL9m==`, `line 2: ${rest(1)}`],
    ...[...KEYS, `${KEYS[0]}=`, `${KEYS[0]}= # c`, `export ${KEYS[0]}`].map((end): [string, string, string, string] => [
      `what looks like the rest of a value: ${end}`,
      `A=1\n\nB=${KEYS[1]}\n${end}=\n${end}=x`,
      `line 4: ${rest(3)}`,
      `line 5: ${rest(3)}`,
    ]),
    ['what looks like a value without a key', `${KEYS[0]}=\nA=1`, 'line 1: the key looks like a value'],
    ['quote never closed', 'B=1\nA="abc\nC=2', `line 2: ${open('"')}`],
    ['quote never closed, with lines that may be its value', 'A="abc\nhunter2\n=x', `line 1: ${open('"')}`],
    ['single quote never closed', "A='abc\nC=2", `line 1: ${open("'")}`],
    ['lone quote', 'A="', `line 1: ${open('"')}`],
    ['escaped quote at the end', 'A="x\\"', `line 1: ${open('"')}`],
    ['text after quotes', 'A="x"y\nB="x"#y\nC=\'it\'s\'', ...[1, 2, 3].map(line => `line ${line}: ${TAIL}`)],
    [
      'a comment that may be in quotes',
      `B=1\nA=Say "hi # there"\nC=Say 'hi # there'\nD=Don't say 'hi # there'\nE=Say "hi" or "bye # there"\nF=Say "hi\t# there`,
      ...[2, 3, 4, 5, 6].map(line => `line ${line}: ${IN_QUOTES}`),
    ],
    ['a key in single quotes', "A='one\nB='", `line 2: ${KEY_INSIDE} 1; ${HOW}`],
    ['a key in double quotes', 'X=1\nA="one\n\n  B=2\nC="', `line 4: ${KEY_INSIDE} 2; ${HOW}`],
    ['a key in quotes that the next value closes', "A='one\nexport B = 'two'\nC=3", `line 2: ${KEY_INSIDE} 1; ${HOW}`],
    ['a key in quotes, and CRLF', 'A="one\r\nB-b= 2"', `line 2: ${KEY_INSIDE} 1; ${HOW}`],
    [
      'control characters',
      'A=a\0b\nB="a\0b"\nC=\u001b[31m',
      ...[1, 2, 3].map(line => `line ${line}: it contains a control character`),
    ],
    ['CR in quotes', 'A="a\rb"', `line 1: ${RETURN}`],
    ['too long', `A=${'x'.repeat(128 * 1024 - 'A='.length)}`, `line 1: ${LENGTH}`],
    ['not UTF-8', Buffer.from('A=1\nB=\xff\nC\nD=\xfe', 'latin1'), 'line 2: it is not UTF-8 text'],
    ['UTF-16', Buffer.from('\ufeffA=1', 'utf16le'), UTF16],
    [
      'an unquoted key file, in which a key repeats',
      'A=-----BEGIN\nMIIEvQ\nhunter2=\nabc+/=\n-----END\nB=1\nB=2',
      'line 2: it has no "="',
      `line 3: ${EMPTY}`,
      `line 4: ${KEY}`,
      'line 5: it has no "="',
      'line 7: it repeats the key of line 6',
    ],
  ];
  for (const [name, text, ...problems] of illegal) {
    it(`refuses ${name}`, () => {
      const found = parseSecrets(Buffer.from(text as string), '.env').problems;
      assert.deepEqual(found, problems);
      assert.doesNotMatch(found.join(), /hunter2|[A-Za-z\d]{20}/);
    });
  }
});

const key = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).filter(text => !looksLikeValue(text));
/** Any code point. fast-check's own unit for that fills a table of all of them, which takes a second. */
const sign = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(code => String.fromCodePoint(code));
const value = fc.string({ unit: sign, minLength: 1, maxLength: 200 });
const isStorable = (text: string) => text.isWellFormed() && !/(?![\t\n\r])\p{Cc}/u.test(text);

describe('any file of secrets', () => {
  const storable = fc.tuple(key, value.filter(isStorable)).map(([key, value]) => ({ key, value }));
  const sets = fc.uniqueArray(storable, { selector: secret => secret.key, minLength: 1, maxLength: 20 });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(sets, secrets => {
        assert.deepEqual(read(formatEnvFile(secrets)), { secrets, problems: [] });
      }),
    );
  });

  it('is read back from single quotes if values have none, nor lines like KEY=value', () => {
    const plain = (value: string) => value.replace(/['\r\\]/g, '.').replace(/(?<=\n[^=\n]*)=/g, ':');
    const quoted = sets.map(all => all.map(secret => ({ ...secret, value: plain(secret.value) })));
    fc.assert(
      fc.property(quoted, secrets => {
        const file = secrets.map(secret => `${secret.key}='${secret.value}'\n`).join('');
        assert.deepEqual(read(file), { secrets, problems: [] });
      }),
    );
  });

  it('has the values that bots read from it, unless there are references', () => {
    const signs = fc.constantFrom(...'abfnrtvx$"\' #={}', '\n', '\\', '\\', '\\\\', '\\"', "\\'", '\\$');
    const quote = fc.constantFrom('"', "'", '');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), quote, (parts, quote) => {
        const text = `A=${quote}${parts.join('').replaceAll(/\$\{+/g, '$')}${quote}`;
        const { entries } = parseDotEnv(text);
        for (const { key, value } of read(text).secrets) assert.equal(entries.get(key)?.value, value, text);
      }),
      { numRuns: 5000 },
    );
  });

  it('is never cut inside quotes', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'ab"\'# \t='), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(signs, text => {
        const { secrets } = read(`A=x${text}`);
        for (const { value } of secrets) {
          const isCut = value !== `x${text}`.trimEnd();
          assert(!isCut || value.split('"').length % 2 === 1, `${text} became ${value}`);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('has storable secrets, or problems with existing line numbers', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'A=b"\'# \t\n\r\\$`\0é'), maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string({ unit: sign })), text => {
        const { secrets, problems } = read(text.toWellFormed());
        assert(secrets.length + problems.length > 0);
        for (const secret of secrets) assert.equal(valueProblem(secret), undefined);
        for (const problem of problems) {
          const [, line] = /^line (\d+): /.exec(problem) ?? [];
          assert(line === undefined || Number(line) <= text.split(/\r\n|\r|\n/).length, problem);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
