import assert from 'node:assert/strict';
import { quickstart } from '../../src/config/quickstart.ts';
import { footerOf, type GuideWishes, olderGuides, placeFiles, placeState } from '../../src/project/files/files.ts';
import { hashOf, parseState } from '../../src/project/files/state.ts';
import { VERSION } from '../../src/version.ts';

const OURS = {
  '.gitignore': '.env\n',
  'README.md': '# Bot\n<!-- Written by botcli 1.0.0. -->\n',
  'AGENTS.md': 'agents\n',
  'GETTING_STARTED.md': 'start\n',
  'server/bot.py': 'bot\n',
};

interface Settings {
  /** The files that botcli wrote before. */
  record?: string[];
  wishes?: GuideWishes;
}

function place(
  existing: Record<string, string | Buffer>,
  { record, wishes }: Settings = {},
): ReturnType<typeof placeFiles> {
  const read = (path: string) => (path in existing ? Buffer.from(existing[path] ?? '') : undefined);
  const known = record && new Map(record.map(path => [path, '']));
  return placeFiles(Object.entries(OURS), { read, ...(known && { record: known }) }, wishes);
}

/** A placed file on one line. */
function summarize({ path, contents, replaces, ours }: ReturnType<typeof placeFiles>[number]): string {
  const what = contents ? (replaces ? 'replaces' : 'writes') : 'keeps';
  return `${what} ${path}${ours ? '' : ', not recorded'}`;
}

const EMPTY = ['writes .gitignore', 'writes README.md', 'writes AGENTS.md', 'writes server/bot.py'];
const [IGNORED, README, AGENTS, BOT] = EMPTY as [string, string, string, string];

const cases: Record<string, [existing: Record<string, string>, settings: Settings, expected: string[]]> = {
  'an empty directory': [{}, {}, EMPTY],
  'a .gitignore': [{ '.gitignore': 'dist\n' }, {}, ['replaces .gitignore', README, AGENTS, BOT]],
  "the user's README.md": [
    { 'README.md': '# Mine\n' },
    {},
    [IGNORED, 'keeps README.md, not recorded', 'writes server/README.md', AGENTS, BOT],
  ],
  'our README.md, of any version': [{ 'README.md': '<!-- Written by botcli 0.0.1. -->' }, {}, EMPTY],
  'our README.md without its last line': [{ 'README.md': 'Mine\n' }, { record: ['README.md'] }, EMPTY],
  "no README.md where the user's was": [
    {},
    { record: ['server/README.md'] },
    [IGNORED, 'keeps README.md, not recorded', 'writes server/README.md', AGENTS, BOT],
  ],
  'a .gitignore of ours, edited': [{ '.gitignore': 'x\n' }, { record: ['.gitignore'] }, EMPTY],
  "the user's AGENTS.md": [{ 'AGENTS.md': 'mine' }, {}, [IGNORED, README, 'keeps AGENTS.md', BOT]],
  'our AGENTS.md, as it is now': [{ 'AGENTS.md': OURS['AGENTS.md'] }, {}, EMPTY],
  'our AGENTS.md, edited': [{ 'AGENTS.md': 'mine' }, { record: ['AGENTS.md'] }, EMPTY],
  'guides to replace': [
    { 'AGENTS.md': 'old', 'GETTING_STARTED.md': 'old' },
    { wishes: { overwriteGuide: true } },
    [IGNORED, README, 'replaces AGENTS.md', 'replaces GETTING_STARTED.md, not recorded', BOT],
  ],
  'one guide to replace': [
    { 'AGENTS.md': 'old', 'GETTING_STARTED.md': 'old' },
    { wishes: { refreshed: ['AGENTS.md'] } },
    [IGNORED, README, 'replaces AGENTS.md', 'keeps GETTING_STARTED.md, not recorded', BOT],
  ],
  'a wish for the guide for people': [
    {},
    { wishes: { gettingStarted: true } },
    [IGNORED, README, AGENTS, 'writes GETTING_STARTED.md, not recorded', BOT],
  ],
};

describe('placing files in a directory with', () => {
  for (const [about, [existing, settings, expected]] of Object.entries(cases)) {
    it(about, () => assert.deepEqual(place(existing, settings).map(summarize), expected));
  }
});

for (const path of ['.gitattributes', '.github/workflows/bot.yml'])
  describe(`the ${path} of a directory`, () => {
    const attributes: [about: string, existing: string | undefined, isRecorded: boolean, placed: string][] = [
      ['is ours if there is none', undefined, false, 'writes'],
      ['is ours with other line ends', '* text\r\n', false, 'writes'],
      ["stays if it's the user's", '* binary\n', false, 'keeps'],
      ['is ours if we wrote it', '* binary\n', true, 'writes'],
    ];
    for (const [about, existing, isRecorded, placed] of attributes) {
      it(about, () => {
        const read = () => (existing === undefined ? undefined : Buffer.from(existing));
        const record = new Map(isRecorded ? [[path, '']] : []);
        assert.deepEqual(placeFiles([[path, '* text\n']], { read, record }).map(summarize), [
          placed === 'keeps' ? `keeps ${path}, not recorded` : `writes ${path}`,
        ]);
      });
    }
  });

describe('the state file of placed files', () => {
  it('has what botcli wrote, and keeps the record of a guide that stays', () => {
    const before = placeState(quickstart, '1.0.0', place({}), { read: () => undefined });
    const read = (path: string) => (path === before.path ? before.contents : undefined);
    const files = place({ 'AGENTS.md': 'mine', '.gitignore': 'dist\n', 'README.md': 'mine' });
    const after = parseState(String(placeState(quickstart, '1.0.1', files, { read }).contents));
    assert(typeof after !== 'string');
    assert.equal(after.version, '1.0.1');
    const recorded = { ...OURS, 'server/README.md': OURS['README.md'] };
    const paths = ['.gitignore', 'AGENTS.md', 'server/README.md', 'server/bot.py'] as const;
    assert.deepEqual(
      [...after.files],
      paths.map(path => [path, hashOf(recorded[path])]),
    );
  });
});

const PATTERNS = '# Keys\n.env\n.env.*\n!.env.example\n\n# Python\n__pycache__/\n';
const ADDED = '# Added for the voice bot';

const merges: Record<string, [existing: string | undefined, merged: string]> = {
  none: [undefined, PATTERNS],
  'an empty one': ['', PATTERNS],
  'a blank one': ['\n \n', PATTERNS],
  ours: [PATTERNS, PATTERNS],
  "the user's: it stays, and missing patterns are added at the end": [
    'node_modules/\n.env\n',
    `node_modules/\n.env\n\n${ADDED}\n.env.*\n!.env.example\n__pycache__/\n`,
  ],
  'one without a final line break': ['dist', `dist\n\n${ADDED}\n.env\n.env.*\n!.env.example\n__pycache__/\n`],
  'one with Windows line endings': [
    'dist\r\n.env\r\n',
    `dist\r\n.env\r\n\r\n${ADDED}\r\n.env.*\r\n!.env.example\r\n__pycache__/\r\n`,
  ],
  'one with all the patterns, in another order and with other comments': [
    '__pycache__/\r\n# mine\r\n.env  \r\n.env.*\r\n!.env.example\r\n',
    '__pycache__/\r\n# mine\r\n.env  \r\n.env.*\r\n!.env.example\r\n',
  ],
  'one with an exception to a pattern that we add: the exception comes last again': [
    '.env\n!.env.example\n__pycache__/\n',
    `.env\n!.env.example\n__pycache__/\n\n${ADDED}\n.env.*\n!.env.example\n`,
  ],
};

function merge(existing: string | undefined): string {
  const read = () => (existing === undefined ? undefined : Buffer.from(existing));
  return String(placeFiles([['.gitignore', PATTERNS]], { read })[0]?.contents);
}

describe('merging our .gitignore with', () => {
  for (const [about, [existing, merged]] of Object.entries(merges)) {
    it(about, () => {
      assert.equal(merge(existing), merged);
      assert.equal(merge(merged), merged, 'merging again changes nothing');
    });
  }
});

const OLD = '<!-- Written by botcli 0.0.9. -->';

/** A README with it is ours; a guide with it is older. */
const stamps: [about: string, text: string, isOurs: boolean, isOlder: boolean][] = [
  ['of this version', `# Guide\n\n${footerOf(VERSION)}\n`, true, false],
  ['of a preview of this version', footerOf(`${VERSION.replace(/-.*/, '')}-0`), true, true],
  ['of a newer version', footerOf('99.0.0', true), true, false],
  ['of a guide, with line ends of Windows', `# Guide\r\n\r\n${footerOf('0.0.9', true)}\r\n`, true, true],
  ['with blank lines after it', `${OLD}\n\n \n`, true, true],
  ['not on the last line', `${OLD}\n\nMy notes.\n`, false, true],
  ['above that of a newer one', `${OLD}\n${footerOf('99.0.0')}\nMy notes.\n`, false, false],
  ['in the middle of a line', `See ${OLD}\n`, false, false],
  ['of no version', '<!-- Written by botcli latest. -->\n', false, false],
  ['of another tool', '<!-- Written by pipecat-ai 0.0.9. -->\n', false, false],
  ['missing in an empty file', '', false, false],
];

describe('a stamp', () => {
  for (const [about, text, isOurs, isOlder] of stamps) {
    it(about, () => {
      const [{ contents } = {}] = placeFiles([['README.md', 'ours']], { read: () => Buffer.from(text) });
      assert.deepEqual([contents !== undefined, olderGuides(() => text).length > 0], [isOurs, isOlder]);
    });
  }

  it('of a guide says how to refresh it', () =>
    assert.equal(
      footerOf('1.0.0', true),
      '<!-- Written by botcli 1.0.0. Refresh with: botcli init . --overwrite-guide -->',
    ));
});
