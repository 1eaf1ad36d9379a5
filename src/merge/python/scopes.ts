import { type Chunk, type Lines, mergeLines, type Versions } from '../lines.ts';
import { readLines } from './read.ts';

/** Merges by lines, where lines of one function are never those of another: not even if the user has moved them there. */
export function mergeScopes({ user, base, botcli }: Versions<Lines>): Chunk[] | undefined {
  const versions = { user: tag(user), base: tag(base), botcli: tag(botcli) };
  return mergeLines(versions)?.map(chunk => ({
    ...chunk,
    user: chunk.user.map(untag),
    base: chunk.base.map(untag),
    botcli: chunk.botcli.map(untag),
  }));
}

/** Lines with the functions and classes that they are in. */
function tag(lines: Lines): Lines {
  const tagged = [...lines];
  let from = 0;
  for (const { end, scope } of readLines(lines).statements) {
    // Comments are above what they are about.
    for (let at = from; at < end; at += 1) if (lines[at]?.trim()) tagged[at] = `${lines[at]}\0${scope.path}`;
    from = end;
  }
  return tagged;
}

const untag = (line: string): string => line.split('\0')[0] ?? '';
