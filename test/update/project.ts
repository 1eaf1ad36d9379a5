import assert from 'node:assert/strict';
import { BOT, type Session, session, type Tree } from '../support/session.ts';
import { growTree } from '../support/trees.ts';

/** A session with a project in `bot`, for which `prepare` does what its owner did. */
export interface OwnedProject extends Session {
  /** The project as botcli wrote it. */
  written: Tree;
  /** Replaces a text in one of its files. */
  edit(path: string, from: string | RegExp, to: string): void;
  /** Changes what the state file says of the version, and of the hashes of files. */
  record(changes: { version?: string; files?: Readonly<Record<string, string>> }): void;
}

/** What `botcli init` wrote, by its options. */
const projects = new Map<string, Tree>();

/** A test in a directory with a new project. */
export function owned(use: (project: OwnedProject) => Promise<void>, options = ''): () => Promise<void> {
  return session({}, async opened => {
    const known = projects.get(options);
    if (known) growTree(opened.directory, known);
    else await opened.succeed(`init bot ${BOT} ${options}`);
    const written = known ?? opened.tree();
    projects.set(options, written);
    const edit = (path: string, from: string | RegExp, to: string) => {
      const before = opened.read(`bot/${path}`);
      const after = before.replace(from, to);
      assert.notEqual(after, before, path);
      opened.write(`bot/${path}`, after);
    };
    const record: OwnedProject['record'] = ({ files, ...changes }) => {
      const { botcli, ...choices } = JSON.parse(opened.read('bot/.botcli.json'));
      const now = { ...botcli, ...changes, files: { ...botcli.files, ...files } };
      opened.write('bot/.botcli.json', `${JSON.stringify({ ...choices, botcli: now }, undefined, 2)}\n`);
    };
    await use({ ...opened, written, edit, record });
  });
}

/** Such a test, with its title. */
export const ownedIt = (title: string, ...test: Parameters<typeof owned>) => it(title, owned(...test));

/** Fails if a word that the owner wrote is lost, or a file that the owner deleted is back. */
export function expectNothingLost(written: Tree, mine: Tree, after: Tree): void {
  for (const [path, text] of Object.entries(mine).filter(([path]) => !path.endsWith('.botcli.json'))) {
    const known = new Set(wordsOf(written[path] ?? ''));
    const now = new Set(wordsOf(after[path] ?? ''));
    for (const word of wordsOf(text)) assert(known.has(word) || now.has(word), `${path} has lost ${word}`);
  }
  for (const path of Object.keys(written)) assert(path in mine || !(path in after), `${path} is back`);
}

const wordsOf = (text: string): string[] => text.split(/[\s,[\]"'(){}=]+/);
