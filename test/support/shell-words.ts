const WORD_PART = /\s+|#.*|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|([^\s'"\\]+)/y;

/**
 * The words of a command line as a POSIX shell reads them: quotes, backslashes, continued lines, a comment at the end.
 * That covers the lines people paste. Expansions and substitutions stay as they are.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  WORD_PART.lastIndex = 0;
  while (WORD_PART.lastIndex < line.length) {
    const from = WORD_PART.lastIndex;
    const part = WORD_PART.exec(line);
    if (!part) throw new Error(`No shell reads this: ${line.slice(from)}`);
    const [text, single, double, escaped, plain] = part;
    if (/^\s/.test(text) || (text.startsWith('#') && word === undefined)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (escaped !== '\n') {
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? text);
    }
  }
  return word === undefined ? words : [...words, word];
}
