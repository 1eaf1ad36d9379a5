import assert from 'node:assert/strict';
import { chooseEvals } from '../../src/dev/evals.ts';
import { createVerdicts } from '../../src/dev/test-command.ts';
import type { UserError } from '../../src/errors.ts';
import { CASCADE, generateProject, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { posixIt } from '../support/systems.ts';
import { inTree, type Tree } from '../support/trees.ts';

const GOOD: Tree = { 'server/evals/good.yaml': 'name: good\nscenarios: []\n', 'server/evals/part.yaml': 'eval: {}\n' };

/** The names of the conversations that are chosen, or the lines of the error. */
const chosenFrom = (tree: Tree, choice: Parameters<typeof chooseEvals>[2]): Promise<string[]> =>
  inTree(tree, root => {
    try {
      return chooseEvals(root, root, choice).map(({ name }) => name);
    } catch (error) {
      const { message, problems, hint, exitCode } = error as UserError;
      assert.equal(exitCode, 2);
      return [message, ...problems, ...(hint ? [hint] : [])];
    }
  });

const chosen = (tree: Tree, ...words: string[]) => chosenFrom({ ...GOOD, ...tree }, { words });

describe('the test conversations to have', () => {
  const bad = (why: string) => [
    'Not every file in server/evals can be a test conversation',
    `server/evals/bad.yaml ${why}`,
    'Repair it or move it away. Or name the conversations to run: botcli test NAME',
  ];
  const faults: [test: typeof posixIt, about: string, contents: string, why: string][] = [
    [it, 'an empty file', '\n', 'is empty'],
    [it, 'a directory', '/', 'is a directory'],
    [it, 'a huge file', `name: bad\n#${'x'.repeat(2 ** 20)}`, 'is larger than 1 MiB'],
    [posixIt, 'a link to nothing', '-> nowhere', "can't be read: it is a broken symbolic link"],
    [posixIt, 'a link away', '-> /etc/passwd', 'leads outside the directory, through a symbolic link'],
  ];
  for (const [test, about, contents, why] of faults) {
    test(`never leave out ${about} silently`, async () => {
      const tree = { 'server/evals/bad.yaml': contents };
      assert.deepEqual(await chosen(tree), bad(why));
      assert.deepEqual(await chosen(tree, 'bad'), [`server/evals/bad.yaml ${why}, so it isn't a test conversation`]);
      assert.deepEqual(await chosen(tree, 'good'), ['good']);
    });
  }

  it('are never a part that others include', async () => {
    assert.deepEqual(await chosen({}), ['good']);
    assert.deepEqual(await chosen({}, 'part'), [
      "server/evals/part.yaml doesn't have a name, so it isn't a test conversation",
      'Begin it with a line such as name: opening_hours',
    ]);
  });

  it('are meant by a path, the name of a file, or the name in it, and may be anywhere in the project', async () => {
    const other = { 'other.yaml': 'name: other\n', 'server/evals/a.yaml': 'name: alpha\n' };
    assert.deepEqual(await chosen(other, './other.yaml', 'good'), ['other', 'good']);
    for (const word of ['server/evals/a.yaml', 'a.yaml', 'a', 'alpha'])
      assert.deepEqual(await chosen(other, word), ['alpha']);
  });

  it('are refused with all that is wrong with them', async () => {
    assert.deepEqual(await chosen({}, 'server/evals/nope.yaml'), [
      'There is no scenario "server/evals/nope.yaml"',
      'server/evals has good.',
    ]);
    assert.deepEqual(await chosen({}, 'nope', 'good', '../out.yaml'), [
      '2 problems in this command line:',
      'There is no scenario "nope"',
      '"../out.yaml" isn\'t in this project',
      'server/evals has good.\nCopy it to server/evals/, and name that file.',
    ]);
  });

  it('have a name that may be quoted, or have a comment', async () => {
    for (const line of ['name: a b', 'name: "a b"', "name: 'a b'  # c", 'name: a b # c', '\uFEFFname:\ta b\r'])
      assert.deepEqual(await chosenFrom({ 'server/evals/x.yaml': `${line}\nscenarios:\n` }, { words: [] }), ['a b']);
    for (const line of ['name:', 'name: # c', 'names: a'])
      assert.deepEqual(await chosen({ 'server/evals/x.yaml': `${line}\n` }), ['good']);
  });

  const starters = (config: object) => generateProject(resolveFlags({ ...config, enable_eval: true }));
  const all = [['starter_audio'], ['starter_simulation'], ['starter_text']];
  const a = (text: string) => ({ 'server/evals/a.yaml': `name: a\n${text}` });
  const including = { ...GOOD, ...a('user: !include ../b.yaml\n'), 'server/b.yaml': 'modality: audio' };
  const booking = ['persona: Jamie', 'modality: audio'].map(line => `${' '.repeat(18)}${line}\n`).join('');
  const arguing = a(`scenarios:\n  - name: conversation\n    turns:\n${booking}`);
  const kinds: [about: string, tree: Tree, kinds: string[][]][] = [
    ['of a cascade', starters(CASCADE), all],
    ['of a speech-to-speech bot', starters(REALTIME), all],
    ['that include others, which say that they are spoken', including, [['a'], [], ['good']]],
    ['with such words among the arguments of a tool', arguing, [[], [], ['a']]],
  ];
  for (const [about, tree, [spoken = [], played = [], typed = []]] of kinds) {
    it(`need what their turns say: those ${about}`, async () => {
      assert.deepEqual(await chosenFrom(tree, { words: [] }), typed);
      assert.deepEqual(await chosenFrom(tree, { words: [], audio: true }), [...spoken, ...typed].sort());
      assert.deepEqual(await chosenFrom(tree, { words: [], simulation: true }), [...played, ...typed].sort());
    });
  }
});

describe("the framework's report", () => {
  it('becomes results, with the reason of each failure, also if two have the same name', () => {
    const verdicts = createVerdicts();
    verdicts.take([
      'Scripted scenarios:',
      '  starter_text/greeting:',
      '    user  -> modality: text',
      '  starter_text/greeting in the morning:',
      '',
      '      turn 0 → (observe)',
      '        ✗ llm_response — not satisfied',
      '  ✓ ws://localhost:7860/ws starter_text/greeting (1250ms)',
      '  ✗ ws://localhost:7860/ws starter_text/hours 1/2 turns (500ms)',
      "  ✗ ws://localhost:7860/ws other/broken error: KeyError: 'X'",
      '  ✓ ws://localhost:7860/ws other/broken (10ms)',
      '  ✗ ws://localhost:7860/ws other/broken error: no key — set it',
      '  ✓ ws://localhost:7860/ws starter_text/greeting in the morning (40ms)',
      '  ✓ ws://localhost:7860/ws person/newcomer end_call (9000ms)',
      '  ✗ ws://localhost:7860/ws person/deaf silence (30000ms)',
      '',
      '  Failures (4 of 8):',
      '  ✗ ws://localhost:7860/ws starter_text/hours 1/2 turns passed',
      '      • turn 1 response text_contains — expected "9"',
      '      • turn 1 response eval — it said no',
      "  ✗ ws://localhost:7860/ws other/broken — error: KeyError: 'X'",
      '  ✗ ws://localhost:7860/ws other/broken — error: no key — set it',
      '  ✗ ws://localhost:7860/ws person/deaf — judge call failed',
    ]);
    const rows = verdicts.all.map(({ name, ...row }) => [name, row.result, row.seconds, row.reason].join(' | '));
    assert.deepEqual(rows, [
      'starter_text/greeting | passed | 1.25 | ',
      'starter_text/hours | failed | 0.5 | turn 1 response text_contains — expected "9"; turn 1 response eval — it said no',
      "other/broken | failed |  | error: KeyError: 'X'",
      'other/broken | passed | 0.01 | ',
      'other/broken | failed |  | error: no key — set it',
      'starter_text/greeting in the morning | passed | 0.04 | ',
      'person/newcomer | passed | 9 | ',
      'person/deaf | failed | 30 | judge call failed',
    ]);
  });
});
