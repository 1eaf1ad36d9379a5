import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { locate } from '../../paths/locate.ts';
import { exists, readContents, readText } from '../../paths/read.ts';
import { parsedJson, unique } from '../../std.ts';
import { onOneLine } from '../../text.ts';
import { findFiles } from './files.ts';
import { createRules, DEFAULTS, readDockerignore } from './rules.ts';

/** Where the files to upload are, as the deploy file says. */
interface ContextPlace {
  project: string;
  /** The deploy file: a path in the project, in POSIX form. */
  deployFile: string;
  directory: string;
  /** `dockerfile` of `[build]`. */
  buildFile: string;
  /** `patterns` of `[build.exclude]`. They only apply without a `.dockerignore`. */
  patterns: readonly string[];
  /** The modules that the bot imports, each as the paths in the project of which it needs one. */
  imports: readonly { paths: readonly string[]; by: string; isCertain: boolean }[];
}

type Found = ReturnType<typeof findFiles>;
type LeftOut = Found['leftOut'][number];
type Absent = LeftOut | Found['skipped'][number];

/** What a deploy uploads. The lists are sorted by code points. */
export interface Context {
  files: Readonly<Found['files']>;
  bytes: number;
  leftOut: Readonly<Found['leftOut']>;
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
  const rules = readRules(root, place.patterns);
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
    leftOut,
    warnings: [
      ...rules.refused.flatMap(rule => (rule.line === undefined ? [] : describeRefused(rule))),
      ...skipped.flatMap(one => (wanted.has(one) ? [] : `${onOneLine(one.name)} isn't uploaded: it ${one.why}.`)),
      ...leftOut.flatMap(one => (one.by.isGuess && !wanted.has(one) ? sentenceOn(onOneLine(one.name), one, root) : [])),
      ...sentences(false),
      ...sorted(found.revealing).map(({ name, where, what }) => describeSecret(name, where, what)),
      ...(bytes >= MANY_BYTES && bytes <= MOST_BYTES ? [`${size}. The largest: ${largestOf(files)}.`] : []),
    ],
    problems: [
      ...found.problems,
      ...sentences(true),
      ...(bytes > MOST_BYTES ? [`${size}. The limit is 500 MiB. The largest: ${largestOf(files)}.`] : []),
    ],
  };
}

/** `line 3 of .dockerignore (*.py)`. */
export const describeRule = ({ text, line }: LeftOut['by']): string =>
  `${line === undefined ? 'the built-in rule' : `line ${line} of .dockerignore`} (${onOneLine(text)})`;

function sentenceOn(label: string, one: Absent, root: string): string {
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

const describeRefused = (rule: LeftOut['by']): string =>
  `${describeRule(rule).replace(/^l/, 'L')} isn't a valid pattern: Docker builds no image with this file.`;

const describeSecret = (name: string, where: string, what: string): string =>
  `The image gets ${onOneLine(name)}, but ${where} ${what}. Move it to the secret set, and read the variable.`;

const refusal = (problem: string): Context => ({ files: [], bytes: 0, leftOut: [], warnings: [], problems: [problem] });

const folderOf = ({ deployFile, directory }: ContextPlace): string =>
  posix.join(posix.dirname(deployFile), directory, '.');

function findRoot(place: ContextPlace): string | Context {
  const folder = folderOf(place);
  const about = (why: string) => refusal(`The context directory ${onOneLine(place.directory)} ${why}.`);
  if (posix.isAbsolute(place.directory)) return about("isn't relative to the deploy file");
  if (folder === '.') return place.project;
  if (/^\.\.(\/|$)/.test(folder)) return about('is outside the project');
  const found = locate(place.project, folder, 'directory');
  if ('why' in found) return about(found.why);
  return found.isFree ? about("doesn't exist") : found.path;
}

function readRules(root: string, patterns: readonly string[]) {
  const contents = readContents(root, '.dockerignore');
  if (contents === 'absent') return createRules([...DEFAULTS, ...patterns].map(text => ({ text })));
  if (typeof contents === 'string') return refusal(`.dockerignore ${contents}.`);
  return isUtf8(contents) ? readDockerignore(contents.toString()) : refusal(".dockerignore isn't UTF-8 text.");
}

/** The files without which no image works, by their names in the context. */
function neededFiles(place: ContextPlace): string[] {
  const way = posix.relative(`/${folderOf(place)}`, `/${posix.dirname(place.deployFile)}`);
  const server = way.startsWith('..') ? '' : way;
  return unique([
    posix.normalize(place.buildFile),
    ...['bot.py', 'pyproject.toml'].map(name => posix.join(server, name)),
  ]);
}

/** What isn't uploaded, though the image needs, the bot imports or the build file copies it, with a sentence why. */
function missingFiles(root: string, place: ContextPlace, { files, leftOut, skipped }: Found) {
  const nameOf = (path: string) => posix.relative(`/${folderOf(place)}`, `/${path}`);
  const buildFile = posix.normalize(place.buildFile);
  const text = files.some(({ name }) => name === buildFile) ? (readText(root, buildFile) ?? '') : '';
  // A stage that no other needs isn't built.
  const isOnlyStage = [...text.matchAll(/^[ \t]*FROM\s/gim)].length === 1;
  const isOutside = /^(?:\.\.)?\//.test(buildFile);
  const wanted: Wanted[] = [
    ...neededFiles(place).map(name =>
      name === buildFile
        ? { names: [name], before: 'The build file ', isCertain: true, otherwise: "isn't a file of the context" }
        : { names: [name], isCertain: true },
    ),
    ...place.imports.map(({ paths, by, isCertain }) => {
      const after = `, which ${onOneLine(nameOf(by))} ${isCertain ? 'imports' : 'may import'},`;
      return { names: paths.map(nameOf), after, isCertain };
    }),
    ...copiedBy(text).map(name => {
      const after = `, which ${onOneLine(buildFile)} copies,`;
      return { names: [name], after, isCertain: isOnlyStage, otherwise: 'has no files that are uploaded' };
    }),
  ];
  const uploaded = new Set(files.flatMap(({ name }) => withParents(name)));
  const absent = new Map([...leftOut, ...skipped].map(one => [one.name, one]));
  const missing = new Map<Absent | string, { text: string; isCertain: boolean }>();
  for (const { names, before = '', after = '', isCertain, otherwise } of wanted) {
    for (const name of names.some(one => uploaded.has(one)) ? [] : names) {
      const isThere = exists(root, name) || (name === buildFile && isOutside);
      const one = isThere ? withParents(name).flatMap(part => absent.get(part) ?? [])[0] : undefined;
      if (missing.has(one ?? name) || !(one || otherwise)) continue;
      const label = `${before}${onOneLine(one && 'why' in one ? one.name : name)}${after}`;
      const text = one ? sentenceOn(label, one, root) : `${label} ${isThere ? otherwise : "doesn't exist"}.`;
      missing.set(one ?? name, { text, isCertain });
    }
  }
  return missing;
}

/** Files of which the image needs one. Without `otherwise`, they may be missing; else that is what is wrong then. */
interface Wanted {
  names: string[];
  before?: string;
  after?: string;
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
