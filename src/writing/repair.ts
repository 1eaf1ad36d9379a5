import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { couldNotUndo, explainingDiskErrors } from '../paths/disk-error.ts';
import { locate } from '../paths/locate.ts';
import { excerpt, isCopyable } from '../printable.ts';
import { unique } from '../unique.ts';
import { type FileSystem, patient } from './disk.ts';
import { type Journal, LARGEST_JOURNAL, parseJournal } from './journal.ts';
import { hashAt } from './moves.ts';
import {
  isBusy,
  isEmpty,
  isLive,
  isProven,
  journalIn,
  listScratch,
  oldIn,
  removeScratch,
  type Scratch,
  strangersIn,
  takeOver,
} from './scratch.ts';
import { finish, undo } from './undo.ts';

/** What a run that was cut off has left in a project. */
interface Remains {
  name: string;
  /**
   * `live`: the run goes on. `half`: some files are changed and others aren't. `done`: there are only temporary files.
   * `strange`: somebody has changed it since. `foreign`: no run has made it here. `copied`: as that, and some files of the
   * project are changed as it says, and others aren't.
   */
  kind: RepairPlan['kind'];
  /** Why it is strange: a clause after "because". */
  why?: string;
}

/** Looks for what an interrupted run has left in a project. Writes nothing. */
export function findRemains(directory: string): Remains[] {
  const plans = plansIn(directory);
  return plans.map(plan => ({ name: plan.scratch.name, kind: plan.kind, ...('why' in plan && { why: plan.why }) }));
}

/**
 * Undoes what an interrupted run has changed in a project, or removes its temporary files if it was done or hadn't begun.
 * Files that somebody has changed since stay as they are, and so does a directory that no run has made here.
 *
 * @param note Gets a sentence for the user, if there was something to do.
 * @throws {UserError} Another run is at work, or the disk refuses, or what is there isn't ours.
 */
export function repair(directory: string, note: (sentence: string) => void, files: FileSystem = patient()): void {
  const plans = plansIn(directory);
  refuse(plans);
  explainingDiskErrors(`repair ${directory}`, () => {
    for (const sentence of unique(plans.map(plan => carryOutRepair(plan, files)))) note(sentence);
  });
}

/**
 * Fails if a run is changing the project, or has left it half changed. For runs that write nothing.
 *
 * @param command The command that repairs it.
 */
export function expectWhole(directory: string, command: string): void {
  const plans = plansIn(directory);
  refuse(plans);
  if (plans.some(({ kind }) => kind === 'half')) {
    throw new UserError(`${HALF_CHANGED} Nothing was written.`, {
      reason: 'conflict',
      hint: isCopyable(command)
        ? `To undo these changes: ${command}`
        : 'To undo these changes, run botcli update there.',
    });
  }
}

const HALF_CHANGED = 'botcli was interrupted here, and left the project half changed.';

function refuse(plans: readonly RepairPlan[]): void {
  if (plans.some(({ kind }) => kind === 'live')) throw isBusy();
  for (const plan of plans) {
    if (plan.kind === 'strange') throw isStrange(plan);
    if (plan.kind === 'copied') throw isCopied(plan);
  }
}

type RepairPlan = { root: string; scratch: Scratch } & (
  | { kind: 'live' | 'foreign' | 'copied' }
  | { kind: 'strange'; why: string }
  | { kind: 'half'; journal: Journal }
  | { kind: 'done'; journal?: Journal }
);

/** What to do about each scratch directory in a directory, which may not exist. */
const plansIn = (directory: string): RepairPlan[] =>
  explainingDiskErrors(`read ${directory}`, () =>
    listScratch(directory).map(scratch => planRepair(realpathSync(directory), scratch)),
  );

/** Decides what to do about a scratch directory, which may come from a stranger. */
function planRepair(root: string, scratch: Scratch): RepairPlan {
  if (isEmpty(scratch)) return { root, scratch, kind: 'done' };
  if (!isProven(scratch)) {
    const changed = changesMade(root, readJournal(root, scratch));
    return { root, scratch, kind: changed.includes(true) && changed.at(-1) === false ? 'copied' : 'foreign' };
  }
  if (isLive(scratch)) return { root, scratch, kind: 'live' };
  const strange = (why: string): RepairPlan => ({ root, scratch, kind: 'strange', why });
  const [stranger] = strangersIn(scratch);
  if (stranger !== undefined) return strange(`it contains ${stranger}`);
  const journal = readJournal(root, scratch);
  if (journal === undefined) return { root, scratch, kind: 'done' };
  if (typeof journal === 'string') return strange(`its journal ${journal}`);
  if (changesMade(root, journal).at(-1)) return { root, scratch, kind: 'done', journal };
  const isDamaged = journal.entries.some(
    ({ path: name, old, new: fresh }, at) =>
      old !== null && hashAt(join(root, name)) === fresh && hashAt(oldIn(scratch, at)) !== old,
  );
  return isDamaged ? strange("its backups don't fit its journal") : { root, scratch, kind: 'half', journal };
}

/** The journal in a scratch directory: undefined if there is none, or what is wrong with it, worded to follow "its journal". */
function readJournal(root: string, scratch: Scratch): Journal | string | undefined {
  const path = journalIn(scratch);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) return "isn't a file";
  if (stat.size > LARGEST_JOURNAL) return 'is too large';
  const journal = parseJournal(readFileSync(path, 'utf8'));
  if (typeof journal === 'string') return journal;
  const names = [...journal.entries.map(entry => entry.path), ...journal.directories];
  const outside = names.find(name => !isItself(root, name));
  return outside === undefined ? journal : `names ${excerpt(outside)}, which botcli never touches`;
}

/** Which changes of a journal have been made. When the last one has, the run has succeeded. */
const changesMade = (root: string, journal: Journal | string | undefined): boolean[] =>
  typeof journal === 'object' ? journal.entries.map(one => hashAt(join(root, one.path)) === one.new) : [];

/** Whether a path of a journal may be touched, and isn't behind a link. */
const isItself = (root: string, name: string): boolean =>
  (['file', 'directory'] as const).every(wanted => {
    const place = locate(root, name, wanted);
    return 'why' in place ? place.kind === 'blocked' : place.path === join(root, name);
  });

function carryOutRepair(plan: RepairPlan, files: FileSystem): string {
  const { root } = plan;
  if (plan.kind === 'foreign') {
    return `Ignored ${plan.scratch.name}: botcli didn't make it in this directory. Delete it if you need nothing in it.`;
  }
  const scratch = takeOver(root, plan.scratch, files);
  if (plan.kind === 'half') {
    const { failed, changed } = undo({ root, scratch, journal: plan.journal }, files);
    if (failed.length > 0) {
      throw new UserError(HALF_CHANGED, { reason: 'disk', hint: couldNotUndo(failed) });
    }
    const kept = changed.length > 0 ? ` Changed since, and left alone: ${changed.join(', ')}` : '';
    return `botcli was interrupted here. It has undone the changes of that run.${kept}`;
  }
  if ('journal' in plan && plan.journal) finish({ root, scratch, journal: plan.journal }, files);
  else removeScratch(scratch, files);
  return 'botcli was interrupted here. It has removed the temporary files of that run; nothing else was left to do.';
}

const isCopied = ({ scratch }: { scratch: Scratch }): UserError =>
  new UserError('This project was copied while botcli was changing it, so it is half changed. Nothing was written.', {
    reason: 'conflict',
    hint: `Run botcli update in the original, and copy it again. To go on with the files as they are, delete ${scratch.name}: it has some as they were before.`,
  });

const isStrange = ({ scratch, why }: { scratch: Scratch; why: string }): UserError =>
  new UserError(`${scratch.name} looks like what an interrupted botcli leaves, but ${why}. Nothing was changed.`, {
    reason: 'conflict',
    hint: 'Delete that directory if you need nothing in it, and run the command again.',
  });
