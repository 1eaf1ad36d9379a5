import { type Module, readPython } from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { remembered } from '../../std.ts';
import { type Chunk, type Lines, outcomeOf } from '../lines.ts';

const MOST = 20;
const known = new Map<string, Module>();

/** Reads Python, or remembers what it read: a merge looks at the same texts many times. */
export function readLines(lines: Lines): Module {
  const text = lines.join('\n');
  const module = known.get(text) ?? addQuoted(readPython(text));
  known.delete(text);
  known.set(text, module);
  const [longestUnused] = known.keys();
  if (known.size > MOST && longestUnused !== undefined) known.delete(longestUnused);
  return module;
}

/** Counts names in texts as used in statements with types, `cast("…")` or `__all__`: there, they may be code. */
function addQuoted(module: Module): Module {
  for (const statement of module.statements) {
    for (const { code, line } of findQuoted(statement)) {
      for (const [name] of code.matchAll(NAME)) statement.scope.use({ code: name, line });
    }
  }
  return module;
}

/** A name that isn't an attribute. */
const NAME = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu;

/** A type: no prose, which has other signs or words in a row. */
const TYPE = /^[\p{L}\p{N}_.,[\]|()\s]+$/u;
const PROSE = /[\p{L}\p{N}_]\s+[\p{L}\p{N}_]/u;

/** What reads texts as types. */
const CASTS = ['cast', 'ForwardRef'];

function findQuoted({ tokens }: Statement): Token[] {
  const [first, second, , fourth] = tokens.map(({ code }) => code);
  const isAnnotation = second === ':' || (second === '.' && fourth === ':');
  const isTyped = isAnnotation || /^(?:__all__|async|def)$/.test(first ?? '') || tokens.some(isCast);
  return isTyped ? tokens.filter(({ kind, code }) => kind === 'text' && TYPE.test(code) && !PROSE.test(code)) : [];
}

const isCast = ({ kind, code }: Token): boolean => kind === 'name' && CASTS.includes(code);

/** Names in the lines that a merge has; at a conflict, in the lines of both sides. */
interface Names {
  used: Set<string>;
  defined: Set<string>;
  /** Whether the quotes and brackets of each version match. If not, some names may be missing. */
  isSure: boolean;
}

/** Reads each line among those of its own version: next to the other side's, it may be part of a text. */
export function namesIn(chunks: readonly Chunk[]): Names {
  const versions = SIDES.map(side => {
    const module = readLines(chunks.flatMap(chunk => chunk[side]));
    // For each line, whether the merge has it.
    const has = chunks.flatMap(({ source, ...chunk }) =>
      chunk[side].map(() => !SIDES.includes(source as Side) || source === side),
    );
    return { ...module, has };
  });
  const find = (what: 'uses' | 'defines') =>
    versions.flatMap(({ scopes, has }) =>
      scopes.flatMap(scope => [...scope[what]].flatMap(([name, at]) => (at.some(({ line }) => has[line]) ? name : []))),
    );
  return {
    used: new Set(find('uses')),
    defined: new Set(find('defines')),
    isSure: versions.every(({ isBalanced }) => isBalanced),
  };
}

export type Side = 'user' | 'botcli';

export const SIDES: readonly Side[] = ['user', 'botcli'];

export type Statement = Module['statements'][number];

/** What is wrong with a merge, at a line of it, and why. The name is one that may lead to the change that is wrong. */
export interface Fault {
  line: number;
  reason: string;
  name?: string;
}

/** One of the versions, next to the merge. Lines are counted from 0. */
interface Version extends Module {
  /** The line of the merge at which each line is, if it's there. */
  inMerge: ReadonlyMap<number, number>;
  /** The statements by their first lines. */
  starts: ReadonlyMap<number, readonly Statement[]>;
}

/** Where a line of the merge comes from: the chunk, and its line in each version that has it. */
type Origin = { chunk: Chunk } & Partial<Record<Side, number>>;

/** A merge of Python in the making, and the versions that it comes from. */
export interface Draft extends Module {
  lines: Lines;
  origins: readonly Origin[];
  sides: Readonly<Record<Side, Version>>;
  chunks: readonly Chunk[];
}

/** @param versions The texts in which the chunks are; only their indentation may differ. */
export function readDraft(chunks: readonly Chunk[], versions: Record<Side, Module>): Draft {
  const origins = chunks.flatMap(originsIn());
  const lines = chunks.flatMap(outcomeOf);
  const versionOf = (side: Side): Version => {
    const module = versions[side];
    const places = origins.flatMap((origin, at) => (origin[side] === undefined ? [] : [[origin[side], at] as const]));
    return { ...module, inMerge: new Map(places), starts: byStart(module.statements) };
  };
  return {
    ...readLines(lines),
    lines,
    origins,
    chunks,
    sides: { user: versionOf('user'), botcli: versionOf('botcli') },
  };
}

/** Gives the lines of one chunk after the other their origins. */
function originsIn(): (chunk: Chunk) => Origin[] {
  const next = { user: 0, botcli: 0 };
  return chunk => {
    const { source } = chunk;
    const from = { ...next };
    for (const side of SIDES) next[side] += chunk[side].length;
    return outcomeOf(chunk).map((_, at) => ({
      chunk,
      ...(source !== 'botcli' && { user: from.user + at }),
      ...(source !== 'user' && source !== 'conflict' && { botcli: from.botcli + at }),
    }));
  };
}

const byStart = remembered((statements: readonly Statement[]): Version['starts'] => {
  const starts = new Map<number, Statement[]>();
  for (const statement of statements) starts.set(statement.start, [...(starts.get(statement.start) ?? []), statement]);
  return starts;
});

/** The side that alone has a line of the merge; nothing if both have it. */
export function ownerOf({ origins }: Draft, line: number): Side | undefined {
  const { user, botcli } = origins[line] ?? {};
  return botcli === undefined ? 'user' : user === undefined ? 'botcli' : undefined;
}

/** The first word of a statement; of `async def`, the second. */
export const wordOf = ({ tokens: [first, second] }: Statement): string =>
  (first?.kind === 'text' ? '' : first?.code === 'async' ? second?.code : first?.code) ?? '';

export const wordsIn = (lines: Lines): string[] => lines.join('\n').match(/[\p{L}\p{N}_]+/gu) ?? [];
