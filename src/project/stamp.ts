import lt from 'semver/functions/lt.js';
import valid from 'semver/functions/valid.js';

/** What makes current guides out of older ones. */
const REFRESH_COMMAND = 'botcli init . --overwrite-guide';

/** The last line of a file that we write and that may grow old: who wrote it, and how to refresh it. */
export const guideFooter = (version: string): string =>
  `<!-- Written by botcli ${version}. Refresh with: ${REFRESH_COMMAND} -->`;

/** The last line of a README of ours. */
export const readmeFooter = (version: string): string => `<!-- Written by botcli ${version}. -->`;

/** The version that wrote a file, from its last line alone; nothing when that isn't our footer. */
export function writtenBy(text: string): string | undefined {
  return versionIn(text.trimEnd().split('\n').at(-1));
}

/**
 * True for a guide that an older release of ours wrote, by the last footer of ours that has a line to itself: people
 * write below it. One without our footer, or from a newer release, is not older.
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
