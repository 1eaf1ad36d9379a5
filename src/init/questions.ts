import { readdirSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { ScaffoldConfig } from '../config/config.ts';
import { explainSystemError } from '../errors.ts';
import { knownConfigOf, readProject } from '../existing/open-project.ts';
import { BOT } from '../existing/python/files.ts';
import { exists, readText } from '../paths/read.ts';
import { guideFiles, olderGuides } from '../project/files/files.ts';
import { askConsent } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { orElse } from '../std.ts';
import { printable } from '../text.ts';
import { type Answers, runWizard, type Surroundings } from '../wizard/index.ts';
import type { Difference } from '../writing/generate.ts';
import { removeRemains } from '../writing/scratch.ts';
import { decide, type InitInvocation, type Intent, whyNotOnWindows } from './intent.ts';

/** The bot in the directory changes. Only the wizard offers that. */
interface ChangeIntent extends Pick<Intent, 'repeat'> {
  kind: 'change';
  directory: string;
  config: ScaffoldConfig;
}

/**
 * Asks about everything that the command line doesn't say, and decides what to do. Writes nothing, but first removes
 * what an interrupted run has left in the directory.
 */
export async function askIntent(invocation: InitInvocation, terminal: Terminal): Promise<Intent | ChangeIntent> {
  const { directory: typed } = invocation.positionals;
  const known = typed === undefined ? undefined : await decide(invocation, terminal);
  removeRemains(resolve(terminal.cwd, typed ?? '.'), terminal.note);
  const overwriteGuide = invocation.options['overwrite-guide'] === true;
  const surroundings = surroundingsOf(terminal, overwriteGuide);
  // Next to a bot that botcli didn't make, the option has said everything.
  const isDecided = overwriteGuide && typed !== undefined && surroundings.hasBot(typed) && !surroundings.madeAs(typed);
  const given: Answers = {
    ...(known && { directory: known.directory }),
    ...((isDecided || known?.kind === 'project') && { build: 'decided' }),
  };
  const { directory, refresh, config, isChange, repeat } = await runWizard(given, surroundings, terminal);
  const refreshed = refresh ? surroundings.olderGuides(directory) : [];
  const consent = (files: readonly Difference[]) => askToOverwrite(files, terminal);
  if (config && isChange) return { kind: 'change', directory, config, repeat };
  if (config) return { kind: 'project', generator: 'app', directory, config, ignored: [], refreshed, consent, repeat };
  const intent = known ?? (await decide({ ...invocation, positionals: { directory } }, terminal));
  return { ...intent, refreshed, consent };
}

/** What the questions need to know about the disk. Guides that are replaced anyway need no question. */
function surroundingsOf({ cwd, env }: Terminal, overwriteGuide: boolean): Surroundings {
  const find = (directory: string) => resolve(cwd, directory);
  const hasBot = (directory: string) => exists(find(directory), BOT);
  return {
    problemOf: directory => whyNoDirectory(directory, find(directory), env),
    nameOf: directory => basename(find(directory)),
    hasBot,
    // A new repository counts as empty.
    hasFiles: directory => orElse(() => readdirSync(find(directory)).some(name => name !== '.git'), false),
    missingGuides: directory =>
      guideFiles
        .filter(({ isOnRequest }) => !(isOnRequest && hasBot(directory)))
        .flatMap(({ destination }) => (exists(find(directory), destination) ? [] : [destination])),
    // As `botcli update` can use it.
    madeAs: directory => {
      const project = readProject(find(directory));
      return typeof project === 'string' ? undefined : knownConfigOf(project);
    },
    olderGuides: directory => (overwriteGuide ? [] : olderGuides(name => readText(find(directory), name))),
  };
}

function whyNoDirectory(typed: string, path: string, env: Terminal['env']): string | undefined {
  if (typed.trim() === '') return 'Use . for the current directory';
  if (typed.startsWith('~')) return "~ isn't expanded here: write the full path";
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return whyNotOnWindows(typed, env);
    return stat.isDirectory() ? undefined : 'This is a file, not a directory';
  } catch (error) {
    return `Can't use this directory: ${explainSystemError(error)}`;
  }
}

/** Asks whether to overwrite existing files that differ. Throws, with exit code 1, if the user declines. */
function askToOverwrite(differences: readonly Difference[], terminal: Terminal): Promise<void> {
  const one = differences.length === 1;
  const consent = {
    about: `${one ? 'A file already exists' : 'Files already exist'} with different content`,
    places: differences.map(({ name }) => name),
    question: one ? 'What should happen to it?' : 'What should happen to them?',
    proceed: { value: 'overwrite', label: one ? 'Overwrite this file' : `Overwrite these ${differences.length} files` },
    show: {
      label: 'Show the differences',
      lines: () => differences.map(difference => renderDifference(difference, terminal)),
    },
    instead: 'Pass --force to overwrite the files that differ.',
  };
  return askConsent(consent, terminal);
}

/** The changes to a file, as a line diff. */
function renderDifference({ name, old, contents }: Difference, { noteStyle }: Terminal): string {
  const [before, after] = [old, contents].map(bytes => bytes.toString('utf8')) as [string, string];
  const patch = createTwoFilesPatch(name, name, before, after, 'existing', 'new', { context: 2 });
  const paint = (line: string) => {
    if (line.startsWith('+')) return noteStyle.green(line);
    return line.startsWith('-') ? noteStyle.red(line) : line;
  };
  const lines = patch.slice(patch.indexOf('---')).split('\n');
  return lines.map(line => paint(printable(line.replaceAll('\t', '    ')))).join('\n');
}
