/** Wraps words in lines of at most `width`. The first line starts with `first`, the others with `others`. */
export function breakLines(words: readonly string[], width: number, first = '', others = first): string[] {
  const lines: string[] = [];
  let start = first;
  let line: string | undefined;
  for (const word of words) {
    if (line !== undefined && line.length + 1 + word.length > width) {
      lines.push(line);
      start = others;
      line = undefined;
    }
    line = line === undefined ? start + word : `${line} ${word}`;
  }
  return [...lines, line ?? first];
}
