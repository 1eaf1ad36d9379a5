import { type Chunk, type Lines, mergeLines, outcomeOf, type Versions } from '../lines.ts';
import { type Draft, type Fault, namesIn, readDraft, readLines, wordsIn } from './draft.ts';
import { settleImports } from './imports.ts';
import { followForm, followIndents, keepDocstrings } from './looks.ts';
import { checkNames } from './names.ts';
import { checkPlaces, refuseTwins } from './places.ts';
import { followRenames } from './renames.ts';
import { settleValues } from './texts.ts';

/**
 * Merges Python: imports by name, lists of texts by item, additions to a text after it, everything else by lines, as deep
 * as the user has them. Changes of botcli's that fit the lines around them, but not the rest of the user's file, are
 * conflicts.
 */
export function mergePython(versions: Versions<Lines>): readonly Chunk[] | undefined {
  const viewed = settleValues(followForm(followRenames(versions)));
  let kept = new Set<string>();
  for (;;) {
    const imports = settleImports(viewed, kept);
    const settled = imports.versions;
    const merged = mergeLines(followIndents(settled));
    if (!merged) return undefined;
    const sound = refuseMoved(keepDocstrings(merged, settled)).map(refuse(imports.taken));
    const checked = check(refuseTwins(settled)(sound), settled, viewed);
    // The user's lines stay at a conflict that was just found, and so do the imports that they use.
    const needed = [...namesIn(checked).used].filter(name => imports.dropped.has(name) && !kept.has(name));
    if (needed.length === 0) return checked;
    kept = new Set([...kept, ...needed]);
  }
}

/** Makes changes of botcli's that use a name which means something of the user's conflicts. */
function refuse(taken: ReadonlySet<string>): (chunk: Chunk) => Chunk {
  return chunk => {
    const name = chunk.source === 'botcli' ? wordsIn(chunk.botcli).find(word => taken.has(word)) : undefined;
    const reason = `botcli's change imports "${name}", and your file gives that name a meaning of its own.`;
    return name === undefined ? chunk : { ...chunk, source: 'conflict', reason };
  };
}

/** Makes changes of botcli's conflicts until the rest is sound. */
function check(
  chunks: readonly Chunk[],
  { user, botcli }: Versions<Lines>,
  original: Versions<Lines>,
): readonly Chunk[] {
  const modules = { user: readLines(user), botcli: readLines(botcli) };
  const before = {
    user: readLines(original.user),
    base: readLines(original.base),
    botcli: readLines(original.botcli),
  };
  let now = chunks;
  for (let isFirst = true; now.some(({ source }) => source === 'botcli'); isFirst = false) {
    const draft = readDraft(now, modules);
    const faults = [...checkPlaces(draft), ...checkNames(draft, before)];
    if (faults.length === 0) return draft.chunks;
    const blamed = new Map(faults.map(fault => [blame(draft, fault), fault]));
    const refused = new Set(
      draft.chunks.flatMap(one => (one.source === 'conflict' ? wordsIn([...one.base, ...one.botcli]) : [])),
    );
    now = draft.chunks.map(chunk => {
      const { name, reason } = blamed.get(chunk) ?? {};
      if (reason === undefined) return chunk;
      // What one change gives a meaning, or takes it away, others need.
      const follows = name === undefined ? !isFirst : refused.has(name);
      if (follows) return { ...chunk, source: 'conflict' as const, reason: goesWithOther(name), follows };
      return { ...chunk, source: 'conflict' as const, reason };
    });
  }
  return now;
}

/** What else is wrong with it is only so because the other conflict leaves the user's lines as they are. */
const goesWithOther = (name: string | undefined): string =>
  `This goes with another conflict${name === undefined ? '' : `: both are about "${name}"`}.`;

/** The change of botcli's that leads to a fault: the one that mentions its name, or the nearest. */
function blame({ chunks, origins }: Draft, { line, name }: Fault): Chunk | undefined {
  const own = origins[line]?.chunk;
  if (own?.source === 'botcli') return own;
  let at = 0;
  const changes = chunks.flatMap(chunk => {
    const distance = Math.abs(at - line);
    at += outcomeOf(chunk).length;
    return chunk.source === 'botcli' ? [{ chunk, distance }] : [];
  });
  const byDistance = changes.sort((one, other) => one.distance - other.distance).map(({ chunk }) => chunk);
  const isNamed = (lines: Lines) => name !== undefined && wordsIn(lines).includes(name);
  return byDistance.find(({ base, botcli }) => isNamed(base) || isNamed(botcli)) ?? byDistance[0];
}

const MOVED = "You moved these lines, and botcli's change removes them.";

/** Makes lines of the user's conflicts that were elsewhere, where both sides have removed them. */
function refuseMoved(chunks: readonly Chunk[]): Chunk[] {
  const kept = new Set(chunks.flatMap(chunk => chunk.botcli.map(codeOf)));
  const both = chunks.filter(({ source }) => source === 'both' || source === 'user');
  const removed = both.flatMap(({ base, user }) => base.filter(line => !user.includes(line)).map(codeOf));
  const gone = new Set(removed.filter(code => /\w\W+\w/.test(code) && !kept.has(code)));
  const isMoved = ({ source, user }: Chunk) => source === 'user' && user.some(line => gone.has(codeOf(line)));
  return chunks.map(chunk => (isMoved(chunk) ? { ...chunk, source: 'conflict', reason: MOVED } : chunk));
}

const codeOf = (line: string): string => line.trim();
