import assert from 'node:assert/strict';
import { chooseEvals } from '../../src/dev/choose-evals.ts';
import type { UserError } from '../../src/errors.ts';
import { posixIt } from '../support/systems.ts';
import { inTree, type Tree } from '../support/trees.ts';

const GOOD: Tree = { 'server/evals/good.yaml': 'name: good\nscenarios: []\n', 'server/evals/part.yaml': 'eval: {}\n' };

/** The files that these words choose, or the lines of the error. */
const chosen = (tree: Tree, ...words: string[]): Promise<string[]> =>
  inTree({ ...GOOD, ...tree }, root => {
    try {
      return chooseEvals({ root, cwd: root }, { words }).map(({ path }) => path);
    } catch (error) {
      const { message, problems, hint, exitCode } = error as UserError;
      assert.equal(exitCode, 2);
      return [message, ...problems, ...(hint ? [hint] : [])];
    }
  });

describe('the test conversations to have', () => {
  const ALL = 'Not every file in server/evals can be a test conversation';
  const REPAIR = 'Repair it or move it away. Or name the conversations to run: botcli test NAME';
  const bad = (why: string) => [ALL, `server/evals/bad.yaml ${why}`, REPAIR];
  const faults: [test: typeof posixIt, about: string, tree: Tree, why: string][] = [
    [it, 'an empty file', { 'server/evals/bad.yaml': '\n' }, 'is empty'],
    [it, 'a directory', { 'server/evals/bad.yaml': '/' }, 'is a directory'],
    [it, 'a huge file', { 'server/evals/bad.yaml': `name: bad\n#${'x'.repeat(2 ** 20)}` }, 'is larger than 1 MiB'],
    [
      posixIt,
      'a link to nothing',
      { 'server/evals/bad.yaml': '-> nowhere' },
      "can't be read: it is a broken symbolic link",
    ],
    [
      posixIt,
      'a link that leads outside',
      { 'server/evals/bad.yaml': '-> /etc/passwd' },
      'leads outside the directory, through a symbolic link',
    ],
  ];
  for (const [test, about, tree, why] of faults) {
    test(`never leave out ${about} silently`, async () => {
      assert.deepEqual(await chosen(tree), bad(why));
      assert.deepEqual(await chosen(tree, 'bad'), [`server/evals/bad.yaml ${why}, so it isn't a test conversation`]);
      assert.deepEqual(await chosen(tree, 'good'), ['server/evals/good.yaml']);
    });
  }

  it('are never a part that others include', async () => {
    assert.deepEqual(await chosen({}), ['server/evals/good.yaml']);
    assert.deepEqual(await chosen({}, 'part'), [
      "server/evals/part.yaml doesn't have a name, so it isn't a test conversation",
      'Begin it with a line such as name: opening_hours',
    ]);
  });

  it('may be anywhere in the project', async () =>
    assert.deepEqual(await chosen({ 'other.yaml': 'name: other\n' }, './other.yaml', 'good'), [
      'other.yaml',
      'server/evals/good.yaml',
    ]));

  it('are never outside of it', async () =>
    assert.deepEqual(await chosen({}, '../out.yaml'), [
      '"../out.yaml" isn\'t in this project',
      'Copy it to server/evals/, and name that file.',
    ]));

  it('are named in the message about one that does not exist', async () =>
    assert.deepEqual(await chosen({}, 'server/evals/nope.yaml'), [
      'There is no scenario "server/evals/nope.yaml"',
      'server/evals has good.',
    ]));

  it('are refused with all that is wrong with them', async () =>
    assert.deepEqual(await chosen({}, 'nope', 'good', '../out.yaml'), [
      '2 problems in this command line:',
      'There is no scenario "nope"',
      '"../out.yaml" isn\'t in this project',
      'server/evals has good.\nCopy it to server/evals/, and name that file.',
    ]));
});
