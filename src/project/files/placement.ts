import { isUtf8 } from 'node:buffer';
import type { ScaffoldConfig } from '../../config/config.ts';
import { UserError } from '../../errors.ts';
import { isSameText } from '../../formats/bytes.ts';
import { guideFiles, writtenBy } from './files.ts';
import { type FileRecord, parseState, STATE_FILE, stateText, textHashOf } from './state.ts';

/** A directory that gets rendered files. */
interface Ground {
  /** The contents of a file; undefined if there is none that can be read. */
  read(path: string): Buffer | undefined;
  /** The files that are botcli's own, whatever is in them now. Default: the files themselves say whose they are. */
  record?: FileRecord;
}

/** What to do with guides. */
export interface GuideWishes {
  overwriteGuide?: boolean | undefined;
  /** The names of guides to replace; the others are kept. */
  refreshed?: readonly string[] | undefined;
  /** Also writes GETTING_STARTED.md, for people who build with a coding agent. */
  gettingStarted?: boolean | undefined;
}

/** A file in its place. */
interface PlacedFile {
  path: string;
  /** What to write; absent to keep the existing file. */
  contents?: Buffer;
  /** Whether an existing file may be replaced. */
  replaces?: boolean;
  /** What botcli writes into an empty directory. Absent for a file that an update leaves alone. */
  ours?: Buffer;
}

/**
 * Decides where rendered files go in a directory, and which existing files stay: guides are kept unless they should be
 * replaced, missing lines are added to .gitignore, .gitattributes and the workflow are kept, and a README.md of the user's is kept: ours then goes in `server/`.
 *
 * @throws {UserError} The existing .gitignore can't be added to.
 */
export function placeFiles(
  rendered: Iterable<readonly [path: string, text: string | Buffer]>,
  ground: Ground,
  wishes: GuideWishes = {},
): PlacedFile[] {
  return [...rendered].flatMap(([path, text]) => {
    const ours = Buffer.from(text);
    if (ground.record?.has(path)) return [{ path, contents: ours, ours }];
    if (path === '.gitignore') return [placeIgnored(ours, ground)];
    if (path === 'README.md') return placeReadme(ours, ground);
    // What the user says about line ends counts, and so does their workflow, which gets their secrets.
    if (/^\.git(?:attributes|hub\/)/.test(path) && !isSameText(ground.read(path) ?? ours, ours)) return [{ path }];
    const guide = guideFiles.find(({ destination }) => destination === path);
    return guide ? placeGuide(guide, ours, ground, wishes) : [{ path, contents: ours, ours }];
  });
}

function placeIgnored(ours: Buffer, { read }: Ground): PlacedFile {
  const existing = read('.gitignore');
  // Existing bytes don't change, whatever they are.
  const encoding = isUtf8(existing ?? ours) ? 'utf8' : 'latin1';
  const merged = Buffer.from(mergeIgnored(existing?.toString(encoding), ours.toString()), encoding);
  return { path: '.gitignore', contents: merged, replaces: existing !== undefined, ours };
}

function placeReadme(ours: Buffer, { read, record }: Ground): PlacedFile[] {
  const [ownPath, otherPath] = ['README.md', 'server/README.md'];
  const existing = read(ownPath);
  const isOurs = existing === undefined || isSameText(existing, ours) || writtenBy(existing.toString()) !== undefined;
  if (isOurs && !record?.has(otherPath)) return [{ path: ownPath, contents: ours, ours }];
  return [{ path: ownPath }, { path: otherPath, contents: ours, ours }];
}

function placeGuide(
  { destination: path, isOnRequest }: (typeof guideFiles)[number],
  contents: Buffer,
  { read }: Ground,
  { overwriteGuide, refreshed, gettingStarted }: GuideWishes,
): PlacedFile[] {
  const existing = read(path);
  if (isOnRequest && !gettingStarted && existing === undefined) return [];
  const replaces = overwriteGuide === true || refreshed?.includes(path) === true;
  const isWritten = replaces || existing === undefined || isSameText(existing, contents);
  return [{ path, ...(isWritten && { contents, replaces }), ...(!isOnRequest && { ours: contents }) }];
}

/** The state file of a project that gets these files. A guide that is kept keeps its record. */
export function placeState(
  config: ScaffoldConfig,
  version: string,
  files: readonly PlacedFile[],
  { read }: Ground,
): PlacedFile {
  const before = parseState(read(STATE_FILE)?.toString() ?? '');
  const known = typeof before === 'string' ? undefined : before.files;
  const record = files.flatMap(({ path, contents, ours }) => {
    const hash = ours && (contents ? textHashOf(ours) : known?.get(path));
    return hash ? [[path, hash] as const] : [];
  });
  return { path: STATE_FILE, contents: Buffer.from(stateText(config, version, new Map(record))), replaces: true };
}

/**
 * A .gitignore that contains all our patterns: existing lines stay unchanged, missing patterns are added at the end.
 *
 * @throws {UserError} Its encoding, such as UTF-16, would garble our lines.
 */
function mergeIgnored(existing: string | undefined, ours: string): string {
  if (existing === undefined || existing.trim() === '') return ours;
  if (existing.includes('\0')) {
    throw new UserError(".gitignore isn't a UTF-8 text file (it contains NUL bytes). Nothing was written.", {
      reason: 'conflict',
      hint: "Save it as UTF-8, or move it away: git can't read it as it is.",
    });
  }
  const lineEnd = existing.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(existing.split(/\r?\n/).map(line => line.trim()));
  const patterns = ours.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const isMissing = (pattern: string) => !known.has(pattern);
  // The last matching pattern wins, so an exception must come after the pattern that it's an exception to.
  const isOverruled = (pattern: string, at: number) => pattern.startsWith('!') && patterns.slice(0, at).some(isMissing);
  const missing = patterns.filter((pattern, at) => isMissing(pattern) || isOverruled(pattern, at));
  if (missing.length === 0) return existing;
  const start = existing.endsWith('\n') ? existing : existing + lineEnd;
  return `${start}${['', '# Added for the voice bot', ...missing].join(lineEnd)}${lineEnd}`;
}
