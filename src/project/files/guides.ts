import lt from 'semver/functions/lt.js';
import valid from 'semver/functions/valid.js';
import { VERSION } from '../../version.ts';
import type { PlannedFile } from '../planned-file.ts';

/** The command that updates older guides. */
const REFRESH_COMMAND = 'botcli init . --overwrite-guide';

/** The last line of a file that may become outdated: what wrote it, and how to refresh it. */
export const guideFooter = (version: string): string =>
  `<!-- Written by botcli ${version}. Refresh with: ${REFRESH_COMMAND} -->`;

/** The last line of our README. */
export const readmeFooter = (version: string): string => `<!-- Written by botcli ${version}. -->`;

/** The version that wrote a file, according to its last line; nothing if that isn't our footer. */
export function writtenBy(text: string): string | undefined {
  return versionIn(text.trimEnd().split('\n').at(-1));
}

/**
 * True for a guide that an older release wrote, according to our last footer on its own line: people may have written
 * below it. A guide without our footer, or from a newer release, isn't older.
 */
export function isOlder(text: string, version: string): boolean {
  const stamps = text.split('\n').flatMap(line => versionIn(line.trimEnd()) ?? []);
  const stamp = stamps.at(-1);
  return stamp !== undefined && lt(stamp, version);
}

function versionIn(line = ''): string | undefined {
  const version = /^<!-- Written by botcli (\S+)\. .*-->$/.exec(line)?.[1];
  return version && valid(version) ? version : undefined;
}

/** A guide for coding agents and the people who work with them. Its template has its name. */
interface GuideFile extends Omit<PlannedFile, 'when'> {
  /** Whether it ends with the version that wrote it. */
  isStamped?: true;
  /** Whether it's written on request only. Once it exists, it's refreshed with the others. */
  isOnRequest?: true;
}

/** The guide for people. */
export const GETTING_STARTED = 'GETTING_STARTED.md';

export const guideFiles: readonly GuideFile[] = [
  { template: 'AGENTS.md.ejs', destination: 'AGENTS.md', note: 'the guide for coding agents', isStamped: true },
  { template: 'ASSISTANT.md', destination: 'ASSISTANT.md', note: 'imports AGENTS.md' },
  {
    template: 'GETTING_STARTED.md.ejs',
    destination: GETTING_STARTED,
    note: 'how to build a bot with a coding agent',
    isStamped: true,
    isOnRequest: true,
  },
];

/**
 * The guides that an older release wrote.
 *
 * @param read The text of a guide, if there is one.
 */
export function olderGuides(read: (name: string) => string | undefined): string[] {
  const names = guideFiles.filter(({ isStamped }) => isStamped).map(({ destination }) => destination);
  return names.filter(name => isOlder(read(name) ?? '', VERSION));
}
