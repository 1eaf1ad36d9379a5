import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KEPT_EDITS, mergeOlder, OLDER } from '../merge/older-code.ts';
import { generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { expect } from './expect.ts';
import { runWell } from './processes.ts';
import type { Report } from './report.ts';
import { runUv, WORKSHOP } from './workshop.ts';

const PLACE = join(WORKSHOP, 'older');

/** Projects of an older release, each with other edits of its owner, are correct Python after an update. */
export async function checkOlder(report: Report, ruff: string): Promise<void> {
  const subject = `${Object.keys(KEPT_EDITS).length} older projects`;
  await report.check(subject, 'keep their edits', updateAll);
  await report.check(subject, `are formatted (${ruff})`, () => checkWith(ruff, ['format', '--check']));
  await report.check(subject, `have no lint errors (${ruff})`, () => checkWith(ruff, ['check']));
  await report.check(subject, 'compile', async () => {
    await runWell(['python3', '-W', 'error', '-m', 'compileall', '-q', PLACE], { cwd: PLACE });
    return 'python3';
  });
}

async function updateAll(): Promise<string> {
  await rm(PLACE, { recursive: true, force: true });
  const now = await generateProject(resolveFlags(OLDER));
  for (const [at, [about, edits]] of Object.entries(KEPT_EDITS).entries()) {
    const merged = mergeOlder(edits, now);
    for (const { conflicts } of merged) expect(conflicts.length === 0, about, JSON.stringify(conflicts));
    const files = { ...now, ...Object.fromEntries(merged.map(({ path, text }) => [path, text])) };
    for (const [path, text] of Object.entries(files).filter(([name]) => name.startsWith('server/'))) {
      const place = join(PLACE, `${at}`, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    }
  }
  return Object.keys(KEPT_EDITS).join(', ');
}

async function checkWith(ruff: string, args: readonly string[]): Promise<string> {
  await runUv(['tool', 'run', '--quiet', ruff, ...args, '--no-cache', '--no-respect-gitignore', PLACE]);
  return 'the settings of each project';
}
