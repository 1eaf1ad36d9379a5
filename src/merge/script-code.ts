import type { Lines } from './lines.ts';

/** A name that code gives a meaning, at a line counted from 0. */
interface Declared {
  name: string;
  line: number;
}

/** Of each, what isn't closed goes on to the end, so that no part of it is read twice. */
const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*("?)|\/\*[\s\S]*?(?:\*\/|$)|(?<![:\w])\/\/[^\n]*/g;
/** The words between tags. What has one of these signs may be code. */
const WORDS = /(?<=[>}])[^<>{}();=&|"]*(?=[<{])/g;

/** Code between brackets that looks like such words: the end of an import, and what begins a line. */
const NO_WORDS =
  /^\s*from\s*['`]|^\s*(?:export\s+)?(?:abstract\s+)?(?:class|const|enum|export|function|import|interface|let|type|var)\b/m;

/** Code without the words in it that are no code. Each line keeps its number. */
export function mask(lines: Lines): string {
  const blank = (text: string) => text.replace(/[^\n]+/g, ' ');
  const hide = (text: string, quote?: string) => (quote === '"' ? '""' : quote === '' ? text : blank(text));
  return lines
    .join('\n')
    .replace(STRING_OR_COMMENT, hide)
    .replace(WORDS, text => (NO_WORDS.test(text) ? text : blank(text)));
}

/** What a pattern finds, with the first and last line of each, counted from 0. */
export function findAll(code: string, pattern: RegExp): { found: RegExpExecArray; line: number; lastLine: number }[] {
  const linesIn = (text: string) => text.split('\n').length - 1;
  let [line, at] = [0, 0];
  return [...code.matchAll(pattern)].map(found => {
    line += linesIn(code.slice(at, found.index));
    at = found.index;
    return { found, line, lastLine: line + linesIn(found[0]) };
  });
}

/** Each has a name, or a pattern or list of names. None reads on to where the next one may begin. */
const DECLARATIONS = [
  /\bimport\s((?:(?!\bimport\b)[^;"()])*?)\sfrom\b/g,
  /\b(?:const|let|var)\s+(\{(?:[^{}]|\{[^{}]*\})*\}|\[(?:[^[\]]|\[[^[\]]*\])*\]|[\w$]+)/g,
  /\b(?:function\*?|class|interface|enum)\s+([\w$]+)/g,
  /\btype\s+([\w$]+)\s*[=<]/g,
];
const PARAMETERS = [
  /\(\s*\{([^{}]*)\}\s*:/g,
  /\(([^(){}]*)\)[^(){}=;]*=>/g,
  /(?<![\w$])([\w$]+)\s*=>/g,
  /\bfunction\b(?:(?!\bfunction\b)[^({])*\(([^(){}]*)\)/g,
];

export const declaredIn = (code: string): Declared[] => findNames(code, DECLARATIONS);
export const parametersIn = (code: string): Declared[] => findNames(code, PARAMETERS);

function findNames(code: string, forms: readonly RegExp[]): Declared[] {
  return forms.flatMap(form =>
    findAll(code, form).flatMap(({ found: { 1: names = '' }, line }) =>
      names.split(',').flatMap(part => {
        const name = nameOf(part, forms === PARAMETERS);
        return name === undefined ? [] : [{ name, line }];
      }),
    ),
  );
}

/** The name in a part of a list: `a`, `a = 1`, `key: a`, `a as b`, `...a`; of a parameter, `a: Type`. */
function nameOf(part: string, isParameter: boolean): string | undefined {
  const [whole = ''] = part.split('=');
  const words = (isParameter ? whole.split(':')[0] : whole)?.match(/[\w$]+/g);
  return words?.at(-1);
}

/** For each line, the one that begins its block: the last one before it that is less indented, or -1. */
export function blocksOf(lines: Lines): number[] {
  const open: { line: number; indent: number }[] = [];
  return lines.map((text, line) => {
    const indent = text.search(/\S/);
    if (indent === -1) return -1;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const block = open.at(-1)?.line ?? -1;
    open.push({ line, indent });
    return block;
  });
}
