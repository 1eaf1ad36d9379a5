import valid from 'semver/functions/valid.js';
import type { ScaffoldConfig } from '../../config/config.ts';
import { withLineFeeds } from '../../formats/bytes.ts';
import { explainJsonFault, explainRepeats, isDeeper, MOST_LEVELS } from '../../formats/json.ts';
import { findMarkers } from '../../formats/markers.ts';
import { isObject, parsedJson } from '../../std.ts';
import { excerpt, textOf } from '../../text.ts';
import { isInside, isProtected } from '../protected.ts';

/** The file that remembers how a project was made. `--config` takes it, too. */
export const STATE_FILE = '.botcli.json';

/** What botcli wrote: the SHA-256 of each file, in hex, by its path in the project. */
export type FileRecord = ReadonlyMap<string, string>;

/** Whether a text is exactly a version, such as 1.2.3. Anything else could name another package, or where to get one. */
const isVersion = (version: string): boolean => valid(version) === version;

/** How a project was made. */
export interface ProjectState {
  /** The release that wrote it. */
  version: string;
  /** The recorded choices, as they are in the file: another release may know other ones. */
  choices: Readonly<Record<string, unknown>>;
  files: FileRecord;
}

/** The SHA-256 of some contents, in hex. Node's module takes time to load, and who only reads a project needs no hash. */
export const hashOf = (contents: string | Uint8Array): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(contents).digest('hex');

/** The hash to record of a text of ours. It is the same for a file that git checked out with other line ends. */
export const textHashOf = (contents: Buffer): string => hashOf(withLineFeeds(contents));

/** The text of the state file. It has no secret, and names no path outside the project. */
export function stateText(config: ScaffoldConfig, version: string, files: FileRecord): string {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  const state = {
    ...config,
    botcli: { version, files: Object.fromEntries(sorted) },
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/**
 * Reads a state file.
 *
 * @returns What it says, or why it can't be used, worded to follow its name.
 */
export function parseState(contents: string): ProjectState | string {
  // Some editors add a byte order mark.
  const text = contents.replace(/^\uFEFF/, '');
  if (findMarkers(text.split('\n')).length > 0) return 'contains conflict markers: resolve them first';
  const value = parsedJson(text);
  if (value === undefined) return `can't be read: ${explainJsonFault(text)}`;
  if (!isObject(value)) return 'does not contain a JSON object';
  if (isDeeper(value, MOST_LEVELS)) return `has more than ${MOST_LEVELS} levels`;
  const repeats = explainRepeats(text);
  if (repeats) return `${repeats}: keep one of each`;
  const { $schema: _, botcli, ...choices } = value;
  if (!isObject(botcli) || !isObject(botcli.files)) return 'has no "botcli" object with "version" and "files"';
  const { version } = botcli;
  if (typeof version !== 'string' || !isVersion(version)) return 'has no valid "version" in "botcli"';
  const entries = Object.entries(botcli.files);
  const outside = entries.find(([path]) => !isInside(path));
  if (outside) return `names a path outside the project: ${excerpt(outside[0])}`;
  const foreign = entries.find(([path]) => isProtected(path) || /\p{Cc}/u.test(path));
  if (foreign) return `names a file that botcli never writes: ${excerpt(foreign[0])}`;
  const files = entries.filter((entry): entry is [string, string] => /^[0-9a-f]{64}$/.test(textOf(entry[1])));
  if (files.length < entries.length) return 'has an entry in "files" that is not a SHA-256';
  return { version, choices, files: new Map(files) };
}
