import { type Chunk, type Lines, mergeLines, type Versions } from '../lines.ts';
import { type Draft, type Fault, readDraft, wordsIn } from './draft.ts';
import { settleImports } from './imports.ts';
import { followIndents } from './indents.ts';
import { checkItems, findJoints } from './items.ts';
import { settleLists } from './lists.ts';
import { checkNames } from './names.ts';
import { checkPlaces } from './places.ts';
import { readLines } from './read.ts';

/**
 * Merges Python: imports by name, lists of texts by item, everything else by lines, as deep as the user has them. Changes of
 * botcli's that fit the lines around them, but not the rest of the user's file, are conflicts.
 */
export function mergePython(versions: Versions<Lines>): Chunk[] | undefined {
  let kept = new Set<string>();
  for (;;) {
    const settled = settleLists(settleImports(versions, kept));
    const chunks = mergeLines(followIndents(settled));
    const checked = chunks && check(chunks.map(keepDocstring(settled)), settled);
    const needed = namesInConflicts(checked ?? []);
    // The user's lines stay at a conflict that was just found, and so do the imports that they use.
    if (!checked || [...needed].every(name => kept.has(name))) return checked;
    kept = new Set([...kept, ...needed]);
  }
}

/** Makes changes of botcli's conflicts until the rest is sound. */
function check(chunks: Chunk[], { user, botcli }: Versions<Lines>): Chunk[] {
  const modules = { user: readLines(user), botcli: readLines(botcli) };
  let now = chunks;
  while (now.some(({ source }) => source === 'botcli')) {
    const draft = addCommas(readDraft(now, modules), modules);
    const faults = [...checkPlaces(draft), ...checkNames(draft), ...checkItems(draft)];
    const reasons = new Map(faults.map(fault => [blame(draft, fault), fault.reason]));
    now = draft.chunks.map(chunk => {
      const reason = reasons.get(chunk);
      return reason === undefined ? chunk : { ...chunk, source: 'conflict' as const, reason };
    });
    if (faults.length === 0) break;
  }
  return now;
}

/** The last item in brackets may have no comma, until another one follows. */
function addCommas(draft: Draft, modules: Parameters<typeof readDraft>[1]): Draft {
  const places = new Set(findJoints(draft).map(({ comma }) => comma));
  if (!draft.lines.some((_, at) => places.has(at))) return draft;
  let at = 0;
  const chunks = draft.chunks.map(chunk => {
    const side = chunk.source === 'botcli' ? 'botcli' : 'user';
    const start = at;
    at += chunk[side].length;
    const add = (line: string, index: number) => (places.has(start + index) ? `${line.trimEnd()},` : line);
    return chunk[side].some((_, index) => places.has(start + index))
      ? { ...chunk, [side]: chunk[side].map(add) }
      : chunk;
  });
  return readDraft(chunks, modules);
}

/** The change of botcli's that leads to a fault: the one that mentions its name, or the nearest. */
function blame({ chunks, origins }: Draft, { line, name }: Fault): Chunk | undefined {
  const changes = chunks.filter(({ source }) => source === 'botcli');
  const isNamed = (lines: Lines) => name !== undefined && wordsIn(lines).includes(name);
  const own = origins[line]?.chunk;
  if (own?.source === 'botcli') return own;
  const places = new Map(chunks.map(chunk => [chunk, origins.findIndex(one => one.chunk === chunk)]));
  const distance = (chunk: Chunk) => Math.abs((places.get(chunk) ?? 0) - line);
  const byDistance = [...changes].sort((one, other) => distance(one) - distance(other));
  return byDistance.find(({ base, botcli }) => isNamed(base) || isNamed(botcli)) ?? byDistance[0];
}

/** Nobody has to fight over the words of a docstring. */
function keepDocstring({ user, botcli }: Versions<Lines>): (chunk: Chunk) => Chunk {
  const ends = [user, botcli].map(lines => {
    const [first] = readLines(lines).statements;
    return first?.tokens.length === 1 && first.tokens[0]?.kind === 'text' ? first.end : 0;
  });
  const [mine = 0, ours = 0] = ends;
  const at = { user: 0, botcli: 0 };
  return chunk => {
    at.user += chunk.user.length;
    at.botcli += chunk.botcli.length;
    const isWithin = at.user <= mine && at.botcli <= ours;
    return chunk.source === 'conflict' && isWithin ? { ...chunk, source: 'user' } : chunk;
  };
}

function namesInConflicts(chunks: readonly Chunk[]): Set<string> {
  const lines = chunks.filter(({ source }) => source === 'conflict').flatMap(({ user }) => user);
  return new Set(wordsIn(lines));
}
