import type { ErrorCode } from '../../error-codes.ts';
import type { FINDING_CODES } from '../../finding-codes.ts';

/** How bad it is: an error stops the bot, a warning will surprise its owner. */
type Level = (typeof LEVELS)[number];

const LEVELS = ['error', 'warning'] as const;

/** What findings are about, in the order of the report. */
type Group = 'project' | 'machine' | 'keys' | 'providers' | 'cloud';

/** Something that a check found. No part of it is a value of the environment. */
export interface Finding {
  code: FindingCode;
  level: Level;
  group: Group;
  message: string;
  /** What to do, as a sentence. */
  hint?: string;
  /** The command that fixes it, or the page where to go. */
  fix?: { command: string } | { url: string };
}

/** What a check says about each thing that it found. Its row has the rest. */
export type Detail = Pick<Finding, 'message' | 'hint' | 'fix'>;

export interface Check<Facts> {
  code: FindingCode;
  /** Absent if there are both: it's asked for errors, and then for warnings. */
  level?: Level;
  /** Returns what it found: nothing, one thing or several. */
  find(facts: Facts, level: Level): false | undefined | Detail | readonly Detail[];
}

/** Identifies the kind of finding for programs. If the platform can't be asked, it is the code of the error. */
type FindingCode = keyof typeof FINDING_CODES | ErrorCode;

export const runChecks = <Facts>(group: Group, checks: readonly Check<Facts>[], facts: Facts): Finding[] =>
  checks.flatMap(({ code, level: only, find }) =>
    (only ? [only] : LEVELS).flatMap(level =>
      [find(facts, level) || []].flat().map(detail => ({ code, level, group, ...detail })),
    ),
  );
