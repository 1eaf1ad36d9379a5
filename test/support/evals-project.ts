import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { processesWith } from './left.ts';
import { type Outcome, session } from './session.ts';
import { runShell } from './shell.ts';
import { projectSaying, TOOLS } from './tools.ts';
import { readTree, type Tree } from './trees.ts';

export interface LineOutcome extends Outcome {
  /** What is left in the directory for temporary files. */
  left: string[];
  directory: string;
}

/** Variables for a process in such a project. */
export const evalsEnvironment = (directory: string) => ({
  PATH: `${TOOLS}:${process.env.PATH}`,
  TMPDIR: join(directory, '.tmp'),
  HOME: directory,
});

/** A project with evals, and with a directory for temporary files. */
export const evalsProject = async (saying: Record<string, string> = {}, config: RawConfig = {}): Promise<Tree> => ({
  ...(await projectSaying(saying, { enable_eval: true, ...config })),
  '.tmp/.keep': '',
});

/** Runs a line in a project with evals. Afterwards, none of its processes is left, and the project is as it was. */
export const runLine =
  (line: string, use: (outcome: LineOutcome) => void, saying: Record<string, string> = {}, config: RawConfig = {}) =>
  async () =>
    session(await evalsProject(saying, config), async ({ directory }) => {
      const before = readTree(directory);
      const outcome = await runShell(line, { cwd: directory, env: evalsEnvironment(directory) });
      const left = readdirSync(join(directory, '.tmp')).filter(name => name !== '.keep');
      const after = Object.entries(readTree(directory)).filter(([name]) => !name.startsWith('.tmp/botcli'));
      assert.deepEqual(Object.fromEntries(after), before);
      assert.deepEqual(processesWith(`HOME=${directory}`), []);
      use({ ...outcome, left, directory });
    })();
