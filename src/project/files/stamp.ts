import lt from 'semver/functions/lt.js';
import valid from 'semver/functions/valid.js';

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
