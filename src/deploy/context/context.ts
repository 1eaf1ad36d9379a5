import { isUtf8 } from 'node:buffer';
import { accessSync, constants, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { explainSystemError, isSystemError, orIfRefused } from '../../errors.ts';
import { locate, locateListed, nameIn } from '../../paths/locate.ts';
import { exists, readContents, readText } from '../../paths/read.ts';
import { isProtected } from '../../project/protected.ts';
import { orElse, parsedJson, unique } from '../../std.ts';
import { onOneLine } from '../../text.ts';
import { type RevealedSecret, revealedIn } from './contents.ts';
import { type Rule, readRules } from './rules.ts';

/** Where the files to upload are, as the deploy file says. */
interface ContextPlace {
  project: string;
  /** The deploy file: a path in the project, in POSIX form. */
  deployFile: string;
  contextDir: string;
  dockerfile: string;
  /** `patterns` of `[build.exclude]`. They only apply without a `.dockerignore`. */
  exclude: readonly string[];
  /** The modules that the bot imports, each as the paths in the project of which it needs one. */
  imports: readonly { paths: readonly string[]; by: string; isCertain: boolean }[];
}

interface ContextFile {
  /** Its path in the context, in POSIX form. */
  name: string;
  path: string;
  bytes: number;
  isExecutable: boolean;
}

/** What a rule leaves out. Nothing in such a directory is listed. */
type LeftOut = { name: string; by: Rule };
/** What can't be packed, and is left out although no rule says so. The reason follows the name. */
type Skipped = { name: string; why: string };

/** What a walk found, in no order. */
interface Found {
  files: ContextFile[];
  leftOut: LeftOut[];
  skipped: Skipped[];
  revealing: (RevealedSecret & { name: string })[];
  /** Sentences about what can't be packed, and that the user has to fix. */
  problems: string[];
}

/** What a deploy uploads. The lists are sorted by code points. */
export interface Context {
  files: readonly ContextFile[];
  bytes: number;
  /** Each with the words for the rule that leaves it out, such as `line 3 of .dockerignore (*.py)`. */
  leftOut: readonly { name: string; by: string }[];
  /** Sentences. */
  warnings: readonly string[];
  /** Sentences about what keeps these files from being uploaded; none if nothing does. */
  problems: readonly string[];
}

const MIB = 2 ** 20;
/** The limit of the platform's client. */
const MOST_BYTES = 500 * MIB;
const MANY_BYTES = 50 * MIB;

/** Finds out what a deploy would upload, and everything that is wrong with it. */
export function readContext(place: ContextPlace): Context {
  const root = findRoot(place);
  if (typeof root !== 'string') return root;
  const rules = rulesIn(root, place.exclude);
  if ('problems' in rules) return rules;
  const found = findFiles(root, rules, place.project, neededFiles(place));
  const files = sorted(found.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = `The files are ${inMebibytes(bytes)} in all`;
  const wanted = missingFiles(root, place, found);
  const sentences = (isCertain: boolean) =>
    [...wanted.values()].flatMap(one => (one.isCertain === isCertain ? [one.text] : []));
  const [skipped, leftOut] = [sorted(found.skipped), sorted(found.leftOut)];
  return {
    files,
    bytes,
    leftOut: leftOut.map(({ name, by }) => ({ name, by: describeRule(by) })),
    warnings: [
      ...rules.refused
        .filter(({ line }) => line !== undefined)
        .map(
          rule =>
            `${describeRule(rule).replace('l', 'L')} isn't a valid pattern: Docker builds no image with this file.`,
        ),
      ...skipped.flatMap(one => (wanted.has(one) ? [] : `${onOneLine(one.name)} isn't uploaded: it ${one.why}.`)),
      ...leftOut.flatMap(one => (one.by.isGuess && !wanted.has(one) ? sentenceOn(onOneLine(one.name), one, root) : [])),
      ...sentences(false),
      ...sorted(found.revealing).map(
        ({ name, where, what }) =>
          `The image gets ${onOneLine(name)}, but ${where} ${what}. Move it to the secret set, and read the variable.`,
      ),
      ...(bytes >= MANY_BYTES && bytes <= MOST_BYTES ? [`${size}. The largest: ${largestOf(files)}.`] : []),
    ],
    problems: [
      ...found.problems,
      ...sentences(true),
      ...(bytes > MOST_BYTES ? [`${size}. The limit is 500 MiB. The largest: ${largestOf(files)}.`] : []),
    ],
  };
}

const describeRule = ({ text, line }: Rule): string =>
  `${line === undefined ? 'the built-in rule' : `line ${line} of .dockerignore`} (${onOneLine(text)})`;

function sentenceOn(label: string, one: LeftOut | Skipped, root: string): string {
  if ('why' in one) return `${label} can't be uploaded: it ${one.why}.`;
  if (!one.by.isGuess) return `${label} is excluded by ${describeRule(one.by)}.`;
  const shown = onOneLine(one.name);
  // A new .dockerignore would replace the platform's defaults.
  const way = exists(root, '.dockerignore')
    ? `a line !${shown} at the end of .dockerignore`
    : `"!${shown}" in patterns of [build.exclude]`;
  const { because = "it's named like a secret" } = one.by;
  return `${label} isn't uploaded: ${because}. If the image needs it, ${way} includes it.`;
}

const refusal = (problem: string): Context => ({ files: [], bytes: 0, leftOut: [], warnings: [], problems: [problem] });

const folderOf = ({ deployFile, contextDir }: ContextPlace): string =>
  posix.join(posix.dirname(deployFile), contextDir, '.');

function findRoot(place: ContextPlace): string | Context {
  const folder = folderOf(place);
  const about = (why: string) => refusal(`The context directory ${onOneLine(place.contextDir)} ${why}.`);
  if (posix.isAbsolute(place.contextDir)) return about("isn't relative to the deploy file");
  if (folder === '.') return place.project;
  if (/^\.\.(\/|$)/.test(folder)) return about('is outside the project');
  const found = locate(place.project, folder, 'directory');
  if ('why' in found) return about(found.why);
  return found.isFree ? about("doesn't exist") : found.path;
}

function rulesIn(root: string, patterns: readonly string[]) {
  const contents = readContents(root, '.dockerignore');
  if (contents === 'absent') return readRules(undefined, patterns);
  if (typeof contents === 'string') return refusal(`.dockerignore ${contents}.`);
  return isUtf8(contents) ? readRules(contents.toString()) : refusal(".dockerignore isn't UTF-8 text.");
}

/** botcli never uploads these, whatever `.dockerignore` says. */
const NEVER: Rule = { text: '.env*, .git' };
const isNever = (part: string): boolean => isProtected(part) || /^\.env/i.test(part);

/** What is in a repository, whatever its name. */
const REPOSITORY = ['HEAD', 'objects', 'refs'];

/**
 * Finds the files to upload. A link to a file becomes that file. `needed` ones are uploaded even with a secret in them.
 * No file may be a copy of an env file in the context or right in the project.
 */
function findFiles(root: string, rules: ReturnType<typeof readRules>, project: string, needed: readonly string[]) {
  const found: Found = { files: [], leftOut: [], skipped: [], revealing: [], problems: [] };
  const keptOut = readdirSync(project).map(name => join(project, name));

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

/** The files without which no image works, by their names in the context. */
function neededFiles(place: ContextPlace): string[] {
  const way = posix.relative(`/${folderOf(place)}`, `/${posix.dirname(place.deployFile)}`);
  const server = way.startsWith('..') ? '' : way;
  return unique([
    posix.normalize(place.dockerfile),
    ...['bot.py', 'pyproject.toml'].map(name => posix.join(server, name)),
  ]);
}

/** What isn't uploaded, though the image needs, the bot imports or the build file copies it, with a sentence why. */
function missingFiles(root: string, place: ContextPlace, { files, leftOut, skipped }: Found) {
  const nameOf = (path: string) => posix.relative(`/${folderOf(place)}`, `/${path}`);
  const buildFile = posix.normalize(place.dockerfile);
  const text = files.some(({ name }) => name === buildFile) ? (readText(root, buildFile) ?? '') : '';
  // A stage that no other needs isn't built.
  const isOnlyStage = [...text.matchAll(/^[ \t]*FROM\s/gim)].length === 1;
  const isOutside = /^(?:\.\.)?\//.test(buildFile);
  const wanted: Wanted[] = [
    ...neededFiles(place).map(name =>
      name === buildFile
        ? { names: [name], label: 'The build file FILE', isCertain: true, otherwise: "isn't a file of the context" }
        : { names: [name], label: 'FILE', isCertain: true },
    ),
    ...place.imports.map(({ paths, by, isCertain }) => {
      const label = `FILE, which ${onOneLine(nameOf(by))} ${isCertain ? 'imports' : 'may import'},`;
      return { names: paths.map(nameOf), label, isCertain };
    }),
    ...copiedBy(text).map(name => {
      const label = `FILE, which ${onOneLine(buildFile)} copies,`;
      return { names: [name], label, isCertain: isOnlyStage, otherwise: 'has no files that are uploaded' };
    }),
  ];
  const uploaded = new Set(files.flatMap(({ name }) => withParents(name)));
  const absent = new Map([...leftOut, ...skipped].map(one => [one.name, one]));
  const missing = new Map<LeftOut | Skipped | string, { text: string; isCertain: boolean }>();
  for (const { names, label, isCertain, otherwise } of wanted) {
    for (const name of names.some(one => uploaded.has(one)) ? [] : names) {
      const isThere = exists(root, name) || (name === buildFile && isOutside);
      const one = isThere ? withParents(name).flatMap(part => absent.get(part) ?? [])[0] : undefined;
      if (missing.has(one ?? name) || !(one || otherwise)) continue;
      const about = label.replace('FILE', () => onOneLine(one && 'why' in one ? one.name : name));
      const text = one ? sentenceOn(about, one, root) : `${about} ${isThere ? otherwise : "doesn't exist"}.`;
      missing.set(one ?? name, { text, isCertain });
    }
  }
  return missing;
}

/** Files of which the image needs one. Without `otherwise`, they may be missing; else that is what is wrong then. */
interface Wanted {
  names: string[];
  /** The beginning of a sentence about `FILE`. */
  label: string;
  isCertain: boolean;
  otherwise?: string;
}

/** What a build file copies from the context by its name: no patterns, variables, addresses, or other stages. */
function copiedBy(buildFile: string): string[] {
  const text = buildFile
    .replace(/^[ \t]*#.*\r?\n/gm, '')
    .replace(/\\[ \t]*\r?\n/g, ' ')
    // What a command reads from `<<EOF` to `EOF`.
    .replace(/<<-?["']?(\w+).*\n(?:.*\n)*?[ \t]*\1[ \t]*\r?$/gm, '<');
  const lines = [...text.matchAll(/^[ \t]*(?:COPY|ADD)[ \t]+((?:--\S+[ \t]+)*)(.*)/gim)];
  const wordsIn = (line: string) => {
    const list = parsedJson(line);
    return Array.isArray(list) ? list.map(String) : line.trim().split(/\s+/);
  };
  const isPlain = (word: string) => !/[*?[\]$<\\"']|^\w+:\/\/|^git@/.test(word);
  return lines
    .filter(([, options = '']) => !/--from\b/.test(options))
    .flatMap(([, , words = '']) => wordsIn(words).slice(0, -1).filter(isPlain))
    .map(word => posix.join('/', word).replace(/^\/|\/$/g, ''))
    .filter(name => name !== '');
}

/** The path of a file, and those of the directories that it is in. */
const withParents = (name: string): string[] => name.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));

const largestOf = (files: Context['files']): string =>
  [...files]
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, 5)
    .filter(({ bytes }) => bytes >= MIB)
    .map(({ name, bytes }) => `${onOneLine(name)} (${inMebibytes(bytes)})`)
    .join(', ');

const inMebibytes = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;

/** By code points, as the client sorts. JavaScript's own order differs beyond U+D7FF. */
function sorted<Named extends { name: string }>(items: readonly Named[]): Named[] {
  const keyed = items.map(item => ({ item, key: Buffer.from(item.name) }));
  return keyed.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ item }) => item);
}
