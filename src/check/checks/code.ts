import type { Refusal } from '../../existing/faults.ts';
import { PYPROJECT } from '../../existing/pyproject.ts';
import { BOT, LIMITS } from '../../existing/python/files.ts';
import { isStandard } from '../../existing/python/known-modules.ts';
import { findMarkers } from '../../formats/markers.ts';
import { onOneLine } from '../../printable.ts';
import type { Facts } from './facts.ts';
import type { Check, Detail } from './finding.ts';

/** Whether Python accepts the code, as far as it could be read. */
export const codeChecks: readonly Check<Facts>[] = [
  {
    code: 'file-unreadable',
    find: ({ unread, place }, level) =>
      [...unread]
        .filter(([path, why]) => (level === 'error') === (path === BOT || !LIMITS.includes(why)))
        .map(([path, why]) => ({
          message: `${place(path)} ${why}`,
          hint: "botcli doesn't know what this code needs.",
        })),
  },
  {
    code: 'syntax',
    level: 'error',
    find: ({ pyproject: { brokenAt }, place }) =>
      brokenAt !== undefined && { message: `${place(PYPROJECT)}, line ${brokenAt}: this isn't valid TOML`, hint: FIX },
  },
  {
    code: 'syntax',
    find: ({ faults, requirements: { started }, texts, place }, level) =>
      [...faults.problems]
        // The markers of a conflict are a finding of their own.
        .filter(([path]) => (level === 'error') === started.has(path) && !hasMarkers(texts.get(path)))
        .map(([path, refusal]) => ({
          message: `${place(path)}, line ${refusal.line + 1}: ${describeRefusal(refusal, texts.get(path)?.split('\n') ?? [])}`,
          hint: FIX,
        })),
  },
  {
    code: 'name-missing',
    level: 'error',
    find({ faults, texts, place }) {
      // In a file that Python refuses, a word may be no name.
      const isRead = (path: string) => !faults.problems.has(path) && !hasMarkers(texts.get(path));
      const open = faults.missingNames.filter(({ path }) => isRead(path));
      const found = open.map(({ path, line, name, from, similar }): Detail => {
        const isHidden = mayBeSecret(name, texts.get(path)?.split('\n')[line], similar);
        const shown = isHidden ? 'a name on this line' : onOneLine(name);
        const what = from ? `${place(from)} has no ${shown}` : `nothing defines ${shown}`;
        const hint =
          similar && !isHidden
            ? `Did you mean ${similar}?`
            : from
              ? 'Import another name.'
              : isStandard(name)
                ? `Add a line: import ${name}`
                : DEFINE;
        return { message: `${place(path)}, line ${line + 1}: ${what}`, hint };
      });
      return [...new Map(found.map(one => [one.message, one])).values()];
    },
  },
];

const DEFINE = 'Define or import it.';
const FIX = 'Fix it, or restore it from git.';

/** Whether a word of the code may be part of a key without quotes. One that is nearly a name of the code isn't, nor is a module of Python. */
function mayBeSecret(name: string, line = '', similar?: string): boolean {
  if (isStandard(name)) return false;
  if (name.length > 40 || /\d[^\d]*\d|.{8}\d/.test(name) || /\w-\w+-\w/.test(line)) return true;
  return !(similar && name.length > 5) && /key|token|secret|passw|credential/i.test(line);
}

const hasMarkers = (text = ''): boolean => findMarkers(text.split('\n')).length > 0;

/** What is wrong; if it is about a word that may be shown, with the word at its end. */
const PROBLEMS: Readonly<Record<Refusal['kind'], string | readonly [alone: string, about: string]>> = {
  encoding: "this isn't UTF-8 text, or has a NUL byte",
  await: 'await is outside of an async def',
  bracket: "brackets don't match",
  quote: "a quote isn't closed",
  indentation: "the indentation doesn't match",
  colon: 'a colon is missing at the end',
  comma: ['a comma is missing between two values', 'a comma is missing before'],
  operator: 'two values follow each other with nothing between them',
  equals: '= sets a value; == compares two',
  try: 'this try has no except and no finally',
  clause: ['this clause belongs to nothing above it', 'nothing above it belongs to this'],
  decorator: 'no function or class follows this decorator',
  repeated: ['a call gets an argument twice', 'a call gets an argument twice:'],
  positional: 'an argument without a name follows one with a name',
  parameter: ['a function has two parameters of the same name', 'a function has two parameters'],
  'else-if': '"else if" is elif in Python',
  outside: ['this is outside of a function', 'outside of a function, there is no'],
  loop: ['this is outside of a loop', 'outside of a loop, there is no'],
  nonlocal: ['no function around it has a nonlocal name', 'no function around it has the nonlocal name'],
};

/** Says what is wrong, without a word that may be part of a key. */
function describeRefusal(refusal: Refusal, lines: readonly string[]): string {
  const text = PROBLEMS[refusal.kind];
  if (typeof text === 'string') return text;
  const word = 'word' in refusal ? refusal.word : undefined;
  const isShown = word !== undefined && !mayBeSecret(word.name, lines[word.line]);
  return isShown ? `${text[1]} ${onOneLine(word.name)}` : text[0];
}
