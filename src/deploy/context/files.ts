import { isUtf8 } from 'node:buffer';
import { accessSync, constants, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explainSystemError, isSystemError, orIfRefused } from '../../errors.ts';
import { locateListed, nameIn } from '../../paths/locate.ts';
import { isProtected } from '../../project/protected.ts';
import { orElse } from '../../std.ts';
import { onOneLine } from '../../text.ts';
import { type RevealedSecret, revealedIn } from './contents.ts';
import type { createRules, Rule } from './rules.ts';

interface ContextFile {
  /** Its path in the context, in POSIX form. */
  name: string;
  path: string;
  bytes: number;
  isExecutable: boolean;
}

/** What a walk found, in no order. */
interface Found {
  files: ContextFile[];
  /** What a rule leaves out. Nothing in such a directory is listed. */
  leftOut: { name: string; by: Rule }[];
  /** What can't be packed, and is left out although no rule says so. The reason follows the name. */
  skipped: { name: string; why: string }[];
  revealing: (RevealedSecret & { name: string })[];
  /** Sentences about what can't be packed, and that the user has to fix. */
  problems: string[];
}

/** botcli never uploads these, whatever `.dockerignore` says. */
const NEVER: Rule = { text: '.env*, .git' };
const isNever = (part: string): boolean => isProtected(part) || /^\.env/i.test(part);

/** What is in a repository, whatever its name. */
const REPOSITORY = ['HEAD', 'objects', 'refs'];

/** More files and directories than a bot has. A directory that a rule leaves out counts once. */
const MOST_ENTRIES = 100_000;

/**
 * Finds the files to upload. A link to a file becomes that file. `needed` ones are uploaded even with a secret in them.
 * No file may be a copy of an env file in the context or right in the project.
 */
export function findFiles(
  root: string,
  rules: ReturnType<typeof createRules>,
  project: string,
  needed: readonly string[],
): Found {
  const found: Found = { files: [], leftOut: [], skipped: [], revealing: [], problems: [] };
  const keptOut = readdirSync(project).map(name => join(project, name));
  let entries = 0;

  const explaining = (name: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      found.problems.push(`${onOneLine(name) || 'The context'} can't be read: ${explainSystemError(error)}.`);
    }
  };

  const keepOut = (name: string): void => {
    found.leftOut.push({ name, by: NEVER });
    keptOut.push(join(root, name));
  };

  const add = (name: string, path: string, stat: Stats): void => {
    const secret = rules.isAskedFor(name) ? undefined : revealedIn(path);
    if (secret && !secret.isUploaded && !needed.includes(name)) {
      const because = `${secret.where} ${secret.what}`;
      found.leftOut.push({ name, by: { text: because, isGuess: true, because } });
      return;
    }
    if (secret) found.revealing.push({ name, ...secret });
    found.files.push({ name, path, bytes: stat.size, isExecutable: isExecutable(path, stat) });
  };

  /** The real path of the file that a link leads to, or why that can't be packed. */
  const targetOf = (name: string, stat: Stats): { path: string } | { why: string } => {
    if (stat.isDirectory()) return { why: 'is a symbolic link to a directory' };
    if (!stat.isFile()) return { why: "is a symbolic link to something that isn't a regular file" };
    const place = locateListed(root, name);
    if ('why' in place) return place;
    const target = nameIn(root, place.path);
    const { secret, by } = rules.judge(target);
    return secret && by ? { why: `is a symbolic link to ${onOneLine(target)}, which is excluded` } : place;
  };

  const follow = (name: string): void => {
    const stat = orIfRefused(['ENOENT', 'ENOTDIR', 'ELOOP'], () => statSync(join(root, name)), undefined);
    const target = stat && targetOf(name, stat);
    if (!target) found.problems.push(`${onOneLine(name)} is a broken symbolic link.`);
    else if ('why' in target) found.skipped.push({ name, why: target.why });
    else add(name, target.path, stat);
  };

  const visit = (name: string): void => {
    const path = join(root, name);
    const stat = lstatSync(path);
    const { by } = rules.judge(name);
    if (by && !(stat.isDirectory() && rules.mayBringBack(name))) found.leftOut.push({ name, by });
    else if (stat.isDirectory()) enter(name);
    else if (stat.isSymbolicLink()) follow(name);
    else if (stat.isFile()) add(name, path, stat);
    else found.skipped.push({ name, why: "isn't a regular file" });
  };

  function enter(folder: string): void {
    const listed = readdirSync(join(root, folder), 'buffer').map(bytes => ({ bytes, part: bytes.toString() }));
    const isRepository = folder !== '' && REPOSITORY.every(one => listed.some(({ part }) => part === one));
    if (isRepository) keepOut(folder);
    for (const { bytes, part } of isRepository ? [] : listed) {
      entries += 1;
      if (entries === MOST_ENTRIES) found.problems.push('There are over 100,000 files and directories.');
      if (entries >= MOST_ENTRIES) return;
      const name = folder === '' ? part : `${folder}/${part}`;
      const { by } = rules.judge(name);
      if (isNever(part)) keepOut(name);
      else if (isUtf8(bytes)) explaining(name, () => visit(name));
      else if (by) found.leftOut.push({ name, by });
      else found.problems.push(`The name of ${onOneLine(name)} isn't UTF-8.`);
    }
  }

  explaining('', () => enter(''));
  const secrets = keptOut.flatMap(secretContents);
  const isCopy = ({ path, bytes }: ContextFile) =>
    secrets.some(one => one.length === bytes && orElse(() => one.equals(readFileSync(path)), false));
  const copies = found.files.filter(isCopy);
  found.skipped.push(...copies.map(({ name }) => ({ name, why: 'is a copy of an env file' })));
  return { ...found, files: found.files.filter(file => !copies.includes(file)) };
}

/** As Python's `os.access`: whether this user may execute it. */
function isExecutable(path: string, { mode }: Stats): boolean {
  // Most files are executable for nobody, and an exception takes longer than a look.
  if ((mode & 0o111) === 0) return false;
  return orElse(() => accessSync(path, constants.X_OK) === undefined, false);
}

/** More bytes than an env file has. */
const LARGEST = 2 ** 20;

/** What is in an env file that sets something. The code of a package is often like one that doesn't. */
function secretContents(path: string): Buffer[] {
  if (!isProtected(basename(path))) return [];
  const stat = orElse(() => statSync(path), undefined);
  const contents = stat?.isFile() && stat.size <= LARGEST ? orElse(() => readFileSync(path), undefined) : undefined;
  return contents && /^[ \t\f\v]*[^\s#]/m.test(contents.toString('latin1')) ? [contents] : [];
}
