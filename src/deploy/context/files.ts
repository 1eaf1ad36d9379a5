import { isUtf8 } from 'node:buffer';
import { accessSync, constants, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explainSystemError, isSystemError } from '../../errors.ts';
import { locateListed, nameIn } from '../../paths/locate.ts';
import { isProtected } from '../../project/protected.ts';
import { onOneLine } from '../../text.ts';
import { type RevealedSecret, revealedIn } from './contents.ts';
import type { createRules } from './rules.ts';

type Rules = ReturnType<typeof createRules>;
type Verdict = ReturnType<Rules['judge']>;
type Rule = NonNullable<Verdict['by']>;

/** A file to upload. */
interface ContextFile {
  /** Its path in the context, in POSIX form. */
  name: string;
  /** Its real path. */
  path: string;
  /** Its size. */
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
  /** The files to upload in which there is, or may be, a secret. */
  revealing: (RevealedSecret & { name: string })[];
  /** Sentences about what can't be packed, and that the user has to fix. */
  problems: string[];
}

/** botcli never uploads these, whatever `.dockerignore` says. */
const NEVER: Rule = { text: '.env*, .git' };
const isNever = (part: string): boolean => isProtected(part) || /^\.env/i.test(part);

/** What is in a repository, whatever its name. */
const REPOSITORY = ['HEAD', 'objects', 'refs'].map(name => Buffer.from(name));

/** More files and directories than a bot has. A directory that a rule leaves out counts once. */
const MOST_ENTRIES = 100_000;

/**
 * Finds the files to upload. A link to a file becomes that file, and directories without files vanish, as in the archive
 * of the platform's client.
 *
 * @param root The real path of the context.
 * @param needed Files that are uploaded even if there is a secret in them.
 * @param around Directories that may contain env files. No file may be another name (a hard link) or a copy of one of those.
 */
export function findFiles(root: string, rules: Rules, around: readonly string[], needed: readonly string[]): Found {
  const walk = new Walk(root, rules, needed);
  walk.enter('');
  return walk.withoutSecrets(around);
}

class Walk {
  private readonly root: string;
  private readonly rules: Rules;
  private readonly needed: readonly string[];
  private readonly found: Found = { files: [], leftOut: [], skipped: [], revealing: [], problems: [] };
  private readonly secrets = createSecretFinder();
  private entries = 0;

  constructor(root: string, rules: Rules, needed: readonly string[]) {
    this.root = root;
    this.rules = rules;
    this.needed = needed;
  }

  enter(folder: string, verdict?: Verdict): void {
    const names = this.explaining(folder, () => readdirSync(join(this.root, folder), 'buffer')) ?? [];
    const isRepository = folder !== '' && REPOSITORY.every(part => names.some(name => name.equals(part)));
    if (isRepository) this.keepOut(folder);
    for (const bytes of isRepository ? [] : names) {
      this.entries += 1;
      if (this.entries === MOST_ENTRIES) this.found.problems.push('There are over 100,000 files and directories.');
      if (this.entries >= MOST_ENTRIES) return;
      const part = bytes.toString();
      const name = folder === '' ? part : `${folder}/${part}`;
      const judged = this.rules.judge(name, verdict);
      if (isNever(part)) this.keepOut(name);
      else if (isUtf8(bytes)) this.explaining(name, () => this.visit(name, judged));
      else if (judged.by) this.found.leftOut.push({ name, by: judged.by });
      else this.found.problems.push(`The name of ${onOneLine(name)} isn't UTF-8.`);
    }
  }

  private visit(name: string, verdict: Verdict): void {
    const path = join(this.root, name);
    const stat = lstatSync(path);
    const isOpen = !verdict.by || (stat.isDirectory() && this.rules.mayBringBack(name, verdict));
    if (!isOpen) this.found.leftOut.push({ name, by: verdict.by as Rule });
    else if (stat.isDirectory()) this.enter(name, verdict);
    else if (stat.isSymbolicLink()) this.follow(name);
    else if (stat.isFile()) this.add(name, path, stat);
    else this.skip(name, "isn't a regular file");
  }

  private follow(name: string): void {
    const target = this.resolve(name);
    if (target === 'broken') this.found.problems.push(`${onOneLine(name)} is a broken symbolic link.`);
    else if (typeof target === 'string') this.skip(name, target);
    else this.add(name, target.path, target.stat);
  }

  /** The file that a link leads to, or why it can't be packed. */
  private resolve(name: string): { path: string; stat: Stats } | string {
    const stat = statOfTarget(join(this.root, name));
    if (!stat) return 'broken';
    if (stat.isDirectory()) return 'is a symbolic link to a directory';
    if (!stat.isFile()) return "is a symbolic link to something that isn't a regular file";
    const place = locateListed(this.root, name);
    if ('why' in place) return place.why;
    const target = nameIn(this.root, place.path);
    const { secret, by } = this.judge(target);
    return secret && by ? `is a symbolic link to ${onOneLine(target)}, which is excluded` : { path: place.path, stat };
  }

  private judge(name: string): Verdict {
    const parts = name.split('/');
    const above = parts.length > 1 ? this.judge(parts.slice(0, -1).join('/')) : undefined;
    return this.rules.judge(name, above);
  }

  private add(name: string, path: string, stat: Stats): void {
    const secret = this.rules.isAskedFor(name) ? undefined : revealedIn(path, stat.size);
    const isNeeded = secret?.isUploaded || this.needed.includes(name);
    if (secret && !isNeeded) {
      const because = `${secret.where} ${secret.what}`;
      this.found.leftOut.push({ name, by: { text: because, isGuess: true, because } });
      return;
    }
    if (secret) this.found.revealing.push({ name, ...secret });
    this.found.files.push({ name, path, bytes: stat.size, isExecutable: isExecutable(path, stat) });
    this.secrets.suspect(name, stat);
  }

  private skip(name: string, why: string): void {
    this.found.skipped.push({ name, why });
  }

  private keepOut(name: string): void {
    this.found.leftOut.push({ name, by: NEVER });
    this.secrets.note(join(this.root, name));
  }

  withoutSecrets(around: readonly string[]): Found {
    for (const folder of around) {
      for (const name of readdirSync(folder).filter(isNever)) this.secrets.note(join(folder, name));
    }
    const secrets = this.secrets.found(this.found.files);
    for (const [name, why] of secrets) this.skip(name, why);
    return { ...this.found, files: this.found.files.filter(({ name }) => !secrets.has(name)) };
  }

  private explaining<Result>(name: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.found.problems.push(`${onOneLine(name) || 'The context'} can't be read: ${explainSystemError(error)}.`);
      return undefined;
    }
  }
}

/** What a link leads to in the end; nothing if it is broken, or leads to itself. */
function statOfTarget(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (isSystemError(error) && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(error.code)) return undefined;
    throw error;
  }
}

/** As Python's `os.access`: whether this user may execute it. */
function isExecutable(path: string, { mode }: Stats): boolean {
  // Most files are executable for nobody, and an exception takes longer than a look.
  if ((mode & 0o111) === 0) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** More bytes than an env file has. */
const LARGEST = 2 ** 20;

/**
 * Finds files that are other names (hard links) of env files, or of files right in a directory of git; and copies of env
 * files.
 */
function createSecretFinder() {
  const secrets = new Set<string>();
  /** The paths of env files, by their sizes. */
  const originals = new Map<number, string[]>();
  /** Files with several names, and their inodes. */
  const suspects = new Map<string, string>();
  /** Notes an env file, or a directory of git. */
  const note = (path: string, levels = 1): void => {
    quietly(() => {
      const stat = statSync(path);
      if (stat.isFile() && isBlank(path, stat.size)) return;
      if (stat.isFile()) secrets.add(idOf(stat));
      // There may be a copy of what has no secret, such as .env.example.
      if (stat.isFile() && stat.size > 0 && stat.size <= LARGEST && isProtected(basename(path))) {
        originals.set(stat.size, [...(originals.get(stat.size) ?? []), path]);
      }
      if (stat.isDirectory() && levels > 0) for (const name of readdirSync(path)) note(join(path, name), 0);
    });
  };
  const isCopy = ({ path, bytes }: { path: string; bytes: number }): boolean =>
    (originals.get(bytes) ?? []).some(
      original => quietly(() => readFileSync(original).equals(readFileSync(path))) === true,
    );
  return {
    note,
    /** Notes a file to upload. */
    suspect(name: string, stat: Stats): void {
      if (stat.nlink > 1) suspects.set(name, idOf(stat));
    },
    /** The names of the files that are secrets, each with the reason, which follows the name. */
    found(files: readonly { name: string; path: string; bytes: number }[]): Map<string, string> {
      const copies = files.filter(isCopy);
      const others = [...suspects].filter(([, id]) => secrets.has(id));
      return new Map([
        ...copies.map(({ name }) => [name, 'is a copy of an env file'] as const),
        ...others.map(([name]) => [name, 'is another name of an env file'] as const),
      ]);
    },
  };
}

/** Whether an env file sets nothing. The code of a package is often a file like that. */
const isBlank = (path: string, bytes: number): boolean =>
  bytes <= LARGEST && isProtected(basename(path)) && !/^[ \t\f\v]*[^\s#]/m.test(readFileSync(path, 'latin1'));

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** What can't be read is nothing's copy. The upload reads it again, and says why it can't. */
function quietly<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}
