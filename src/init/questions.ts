import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isOlder } from '../project/stamp.ts';
import type { Invocation } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { explainSystemError } from '../system-errors.ts';
import { VERSION } from '../version.ts';
import { type Answers, runWizard, type Surroundings } from '../wizard/index.ts';
import { decide, type Intent } from './intent.ts';

const GUIDES = ['AGENTS.md', 'GETTING_STARTED.md'];

/**
 * Asks what the line leaves open, and decides what to do. Writes nothing.
 *
 * @throws {UserError} As `decide` and the wizard do.
 */
export async function askIntent(invocation: Invocation, terminal: Terminal): Promise<Intent> {
  const typed = invocation.positionals.directory as string | undefined;
  const known = typed === undefined ? undefined : await decide(invocation, terminal);
  const surroundings = surroundingsOf(terminal, invocation.options['overwrite-guide'] === true);
  const { directory, refresh, config } = await runWizard(givenBy(known), surroundings, terminal);
  const refreshed = refresh ? surroundings.olderGuides(directory) : [];
  if (config) return { kind: 'project', namespace: 'botcli:app', directory, config, ignored: [], refreshed };
  const intent = known ?? (await decide({ ...invocation, positionals: { directory } }, terminal));
  return { ...intent, refreshed };
}

function givenBy(known: Intent | undefined): Answers {
  if (!known) return {};
  return { directory: known.directory, ...(known.kind === 'project' ? { build: 'decided' } : {}) };
}

/** What the questions have to know of the disk. Guides that are replaced anyway are nothing to ask about. */
function surroundingsOf({ cwd }: Terminal, overwriteGuide: boolean): Surroundings {
  const find = (directory: string, ...path: string[]) => resolve(cwd, directory, ...path);
  return {
    problemOf: directory => whyNoDirectory(directory, find(directory)),
    nameOf: directory => basename(find(directory)),
    hasBot: directory => existsSync(find(directory, 'server', 'bot.py')),
    olderGuides: directory => (overwriteGuide ? [] : olderGuides(find(directory))),
  };
}

/** The guides in a directory that an older botcli wrote. */
export function olderGuides(directory: string): string[] {
  return GUIDES.filter(name => isOlderGuide(join(directory, name)));
}

function isOlderGuide(path: string): boolean {
  try {
    return statSync(path).isFile() && isOlder(readFileSync(path, 'utf8'), VERSION);
  } catch {
    // What can't be read is told when it's about to be written.
    return false;
  }
}

function whyNoDirectory(typed: string, path: string): string | undefined {
  if (typed.trim() === '') return 'For this directory, write .';
  if (typed.startsWith('~')) return 'Only a shell knows ~: write the path in full';
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false ? 'It is a file' : undefined;
  } catch (error) {
    return `It can't be used: ${explainSystemError(error)}`;
  }
}
