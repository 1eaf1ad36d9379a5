import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSystem } from '../../src/writing/disk.ts';
import { removeRemains } from '../../src/writing/scratch.ts';
import { CASCADE, generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree, readTree, type Tree } from '../support/trees.ts';
import {
  changeOn,
  changesBetween,
  Dead,
  diskError,
  dyingAt,
  type Fault,
  faultyFiles,
  MOMENTS,
} from './faulty-files.ts';

/** Files that runs create, change, delete and leave, in the root, in a directory and in one below it. */
const FILES = /^(\.botcli\.json|README\.md|server\/(bot|env|recording|evals\/judge)\.py)$/;

const projectOf = (more: object): Tree =>
  Object.fromEntries(
    Object.entries(generateProject(resolveFlags({ ...CASCADE, ...more }))).filter(([path]) => FILES.test(path)),
  );

/** A run: what is in the directory, and what the run makes of it. */
interface Run {
  before: Tree;
  after: Tree;
}

/** Files of the user, which no run touches. */
const OWN: Tree = { 'notes.txt': 'mine', 'server/mine.py': 'mine', 'server/.env': 'OPENAI_API_KEY=sk-mine' };

const runs: Record<string, () => Run> = {
  'botcli init': () => ({ before: {}, after: projectOf({}) }),
  'botcli init --force': () => {
    const [old, after] = [projectOf({}), projectOf({ recording: true })];
    return { before: { ...old, ...OWN, 'server/bot.py': 'edited', 'README.md': '' }, after: { ...after, ...OWN } };
  },
  'botcli update': () => {
    const [old, after] = [projectOf({ enable_eval: true }), projectOf({ recording: true })];
    return { before: { ...old, ...OWN }, after: { ...after, ...OWN } };
  },
};

const disks: Record<string, Fault> = {
  'with hard links': () => undefined,
  'without hard links': call => (call === 'linkSync' ? diskError('ENOTSUP') : undefined),
};

const treeAt = (root: string): Tree => (existsSync(root) ? readTree(root) : {});

const commit = async (root: string, present: Tree, after: Tree, files: FileSystem): Promise<void> =>
  assert.equal(await changeOn(root, changesBetween(present, after), files), undefined);

/** Runs until it is killed. Whether it was. */
const isKilled = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      if (error instanceof Dead) return true;
      throw error;
    },
  );

/** Removes what a killed run left, and fails unless each file is the old one or the new one. Returns those that are new. */
function newFiles(root: string, { before, after }: Run, about: string): string[] {
  const notes: string[] = [];
  const isLeft = existsSync(root) && readdirSync(root).some(name => /^\.botcli-.*\.tmp$/.test(name));
  removeRemains(root, note => void notes.push(note));
  assert.equal(notes.length, isLeft ? 1 : 0, about);
  const tree = treeAt(root);
  const changed = [...new Set([...Object.keys(tree), ...Object.keys(before)])].filter(
    name => tree[name] !== before[name] && tree[name] !== '/',
  );
  for (const name of changed) assert.equal(tree[name], after[name], `${about}: ${name}`);
  return changed;
}

const inProject = (tree: Tree, use: (root: string) => Promise<void>) =>
  inTree(Object.fromEntries(Object.entries(tree).map(([path, text]) => [`bot/${path}`, text])), sandbox =>
    use(join(sandbox, 'bot')),
  );

/** The files, without directories that have become empty. */
const filesAt = (root: string): Tree =>
  Object.fromEntries(Object.entries(treeAt(root)).filter(([, text]) => text !== '/'));

describe('a run that is killed at any call', () => {
  for (const [name, prepare] of Object.entries(runs)) {
    for (const [disk, fault] of Object.entries(disks)) {
      it(`leaves each file old or new, and the next one finishes it: ${name}, on a disk ${disk}`, async function () {
        this.timeout(600_000);
        const run = prepare();
        let kills = 0;
        for (let isOver = false; !isOver; ) {
          const number = kills + 1;
          for (const moment of MOMENTS) {
            await inProject(run.before, async root => {
              const files = dyingAt(number, moment, fault);
              isOver = !(await isKilled(commit(root, run.before, run.after, files)));
              if (isOver) return;
              const about = `${moment} call ${number}`;
              const made = newFiles(root, run, about);
              // With the state file, the run counts as done.
              if (made.includes('.botcli.json')) assert.deepEqual(filesAt(root), run.after, about);
              await commit(root, filesAt(root), run.after, faultyFiles(fault));
              assert.deepEqual(filesAt(root), run.after, about);
            });
          }
          kills = number;
        }
        assert(kills > 20, `only ${kills} calls`);
      });
    }
  }
});
