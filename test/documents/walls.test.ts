import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBreaches, type Imports, readImports, readRooms } from './walls.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const rooms = readRooms(readFileSync(join(ROOT, 'docs/layout.md'), 'utf8'));
const imports = readImports(ROOT, ['src', 'generators']);

const standing = findBreaches(rooms, imports);

/** The additional violations with changed rows or changed code. */
const newBreaches = (...changed: Parameters<typeof findBreaches>): string[] =>
  findBreaches(...changed).filter(breach => !standing.includes(breach));

/** The code with another module, which imports this. */
const withModule = (path: string, name: string): Imports => new Map([...imports, [path, [name]]]);

describe('the import rules in docs/layout.md', () => {
  it('match the code: no forbidden imports, no unused permissions, no circular imports', () => {
    assert.deepEqual(standing, []);
  });

  it('forbid importing a module that the row does not list, and a folder without a row', () => {
    const from = (module: string, name: string, room: string) => `${module} imports ${name}, and ${room} may not`;
    const cases: [module: string, name: string, breach: string][] = [
      ['src/config/new.ts', '../shell/input.ts', from('src/config/new.ts', 'src/shell/input.ts', 'src/config')],
      [
        'generators/client/new.ts',
        '../../src/wizard/index.ts',
        from('generators/client/new.ts', 'src/wizard/index.ts', 'generators'),
      ],
      ['src/config/new.ts', 'node:worker_threads', from('src/config/new.ts', 'node:worker_threads', 'src/config')],
      ['src/config/new.ts', 'left-pad', from('src/config/new.ts', 'left-pad', 'src/config')],
      ['src/attic/new.ts', '../errors.ts', 'src/attic/new.ts is in no room: give its folder a row'],
    ];
    for (const [module, name, breach] of cases)
      assert.deepEqual(newBreaches(rooms, withModule(module, name)), [breach]);
  });

  it('report a row that allows more than the code needs', () => {
    const [first, ...others] = rooms;
    assert(first);
    const wide = [{ ...first, others: [...first.others, 'left-pad'] }, ...others];
    assert.deepEqual(newBreaches(wide, imports), [
      `${first.name} may import left-pad, and doesn't: take it out of its row`,
    ]);
  });

  it('report folders that may import each other', () => {
    const open = rooms.map(room =>
      room.name === 'src/catalog' ? { ...room, ours: [...room.ours, 'src/config'] } : room,
    );
    assert(newBreaches(open, imports).includes('A circle of imports: src/catalog -> src/config -> src/catalog'));
  });

  it('report modules that import each other', () => {
    const circle = new Map([
      ['src/config/one.ts', ['./other.ts']],
      ['src/config/other.ts', ['./one.ts']],
    ]);
    assert(
      newBreaches(rooms, new Map([...imports, ...circle])).includes(
        'A circle of imports: src/config/one.ts -> src/config/other.ts -> src/config/one.ts',
      ),
    );
  });
});

/** Every module that uses the disk itself, by the files that it uses. `locate` decides about all files of projects. */
const DISK_USERS: Readonly<Record<string, readonly string[]>> = {
  "a project's, through `locate`": [
    'src/deploy/context/context.ts',
    'src/paths/locate.ts',
    'src/paths/read.ts',
    'src/writing/changes.ts',
  ],
  'none: only where a repository is': ['src/git.ts'],
  'those at paths that the modules above have found': [
    'src/deploy/context/archive.ts',
    'src/deploy/context/contents.ts',
    'src/writing/disk.ts',
    'src/writing/scratch.ts',
  ],
  "botcli's own": ['src/guide/command.ts', 'src/package-root.ts', 'src/rendering/project.ts'],
  "the user's account and home directory": [
    'src/account/user-config.ts',
    'src/check/this-machine.ts',
    'src/dev/phone-number.ts',
  ],
  'what the user typed or opened': [
    'src/init/questions.ts',
    'src/shell/input.ts',
    'src/shell/interruption.ts',
    'src/shell/terminal.ts',
  ],
  'a temporary directory': [
    'src/dev/call-tests.ts',
    'src/dev/test-command.ts',
    'src/dev/fresh-bot.ts',
    'src/dev/talk/keep.ts',
    'src/dev/talk/session.ts',
    'src/update/base.ts',
  ],
  'where programs are on the PATH and start, and which ones run': ['src/dev/supervise.ts', 'src/programs.ts'],
};

describe("the files of a project, which may be a stranger's,", () => {
  it('are used only where `locate` decides', () => {
    const users = [...imports].filter(([, names]) => names.some(name => /^(node:)?fs(\/|$)/.test(name)));
    assert.deepEqual(users.map(([path]) => path).sort(), Object.values(DISK_USERS).flat().sort());
  });

  it('are never found without it', () => {
    const [gate = [], found = []] = Object.values(DISK_USERS);
    const asks = (path: string) =>
      /\blocate(EnvFile|Listed)?\(/.test(readFileSync(join(ROOT, path), 'utf8')) ? 'asks' : 'is given paths';
    assert.deepEqual(
      [...gate, ...found].map(path => [path, asks(path)]),
      [...gate.map(path => [path, 'asks']), ...found.map(path => [path, 'is given paths'])],
    );
  });
});
