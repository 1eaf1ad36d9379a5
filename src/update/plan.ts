import { isDeepStrictEqual } from 'node:util';
import type { ScaffoldConfig } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { DEPLOY_FILE, parseDeployFile } from '../existing/deploy-file.ts';
import { readModules } from '../existing/needs.ts';
import type { Project } from '../existing/open-project.ts';
import { PYPROJECT } from '../existing/pyproject.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import type { PythonReads } from '../existing/python/reads.ts';
import { withLineEndsOf } from '../formats/bytes.ts';
import type { Labels } from '../formats/markers.ts';
import {
  isRewritten,
  listPackages,
  listVariables,
  markersIn,
  mergeFile,
  withoutPackages,
  withoutVariables,
} from '../merge/index.ts';
import { hasJustChanged } from '../paths/disk-error.ts';
import { OTHER_NAMES } from '../paths/locate.ts';
import { readBytes } from '../paths/read.ts';
import { GETTING_STARTED, placeFiles, WORKFLOW } from '../project/files/files.ts';
import {
  type FileRecord,
  type ProjectState,
  parseState,
  STATE_FILE,
  stateText,
  textHashOf,
} from '../project/files/state.ts';
import { lackOfWorkflow } from '../project/handover/next-steps.ts';
import { frameworkPin } from '../project/release.ts';
import { renderProject } from '../rendering/project.ts';
import type { Terminal } from '../shell/terminal.ts';
import { unique } from '../std.ts';
import { onOneLine } from '../text.ts';
import { VERSION } from '../version.ts';
import { type FileChange, type FileState, readFiles } from '../writing/changes.ts';
import { renderBase, renderHere, type Tree } from './base.ts';
import { type FrameworkMove, planFramework, touchedAfter } from './framework.ts';

/** An update that is ready to be made. */
interface Update {
  files: readonly FileUpdate[];
  conflicts: FileUpdate['conflicts'];
  /** What the user should look at, because botcli leaves it alone: a sentence without a full stop each. */
  notes: readonly string[];
  /** Whether the recorded release was needed and couldn't run. */
  isBaseMissing: boolean;
  /** What to do to the disk if there is no conflict, or if conflicts are written as markers. */
  changes: readonly FileChange[];
}

/** A run of the command. */
export interface Run {
  project: Project;
  config: ScaffoldConfig;
  /** Whether the user has made choices, and doesn't only bring the project up to date. */
  isChange: boolean;
  /** The recorded choices that the typed ones contradict. */
  dropped: ProjectState['choices'];
  plan: Update;
  /** The move to another release of the framework, if there is one. */
  framework?: FrameworkMove;
  /** The command line without the options of this run. */
  line: string;
  isDry: boolean;
  json: boolean;
  diff: boolean;
  /** Whether another command goes on with the project, so that there are no next steps. */
  goesOn?: boolean;
}

/** A test conversation that was held: its name, and why it failed, if it did. */
interface Held {
  name: string;
  result: string;
  reason?: string;
}

/** Finds the conversations in text of a project, and a way to hold them. Undefined if it has none. */
export type FindTests = (
  root: string,
  terminal: Terminal,
) => Promise<{ count: number; hold(): Promise<readonly Held[]> } | undefined>;

/** What becomes of a file. */
type UpdateAction =
  | 'created'
  | 'updated'
  | 'merged'
  | 'deleted'
  | 'unchanged'
  | 'kept'
  | 'orphaned'
  | 'spared'
  | 'absent'
  | 'own'
  | 'conflict';

/** Lines, or a whole file, about which the user has to decide. */
type Conflict = { path: string } & ReturnType<typeof mergeFile>['conflicts'][number];

/** Something of botcli's that stays because a file of the user's uses it. */
interface KeptUse {
  what: string;
  by: string;
  /** What the file does with it. */
  verb: 'imports' | 'reads';
}

/** One file of an update. */
export interface FileUpdate {
  path: string;
  action: UpdateAction;
  /** What to do to the disk, if anything. */
  change?: FileChange;
  conflicts: readonly Conflict[];
  /** What the update would have taken away, and why it stays. */
  keeps?: readonly KeptUse[];
  /** The change that writes conflict markers instead of deciding. What isn't a text file can't have them. */
  marked?: FileChange;
  /** The hash to record: of what botcli would write. Absent for a file of the user's own. */
  recorded?: string | undefined;
}

/** A project before and after. */
interface Situation {
  record: FileRecord;
  user: ReadonlyMap<string, FileState>;
  /** What the new choices render. */
  botcli: Tree;
  /** What the recorded choices render, if any file needs it; or why they can't: a sentence without a full stop. */
  base: Tree | string;
  /** What this release renders from the recorded choices, if any file may be deleted. */
  here: Tree | string;
  labels: Labels;
}

/** Plans the update; if it brings another release of the framework, with the new names in the user's code. */
export async function planRun(
  request: Omit<Run, 'plan'>,
  options: Parameters<typeof planFramework>[1],
  terminal: Terminal,
): Promise<Run> {
  const { project, config } = request;
  const plan = await planUpdate(project, config, terminal);
  const pyproject = plan.changes.find(({ name }) => name === PYPROJECT)?.after?.toString();
  const move = await planFramework(project, options, pyproject && frameworkPin(pyproject));
  if (!move) return { ...request, plan };
  const moved = move.edits.size > 0 ? await planUpdate(project, config, terminal, move.edits) : plan;
  const framework = { ...move, touched: touchedAfter(project, moved.changes, move) };
  return { ...request, plan: moved, framework };
}

/**
 * Compares what botcli wrote, what is on disk, and what the new choices give. Writes nothing. Throws if a file still
 * has conflict markers, or another run has changed the project. `edits` are texts of files as if the user had edited
 * them.
 */
async function planUpdate(
  project: Project,
  config: ScaffoldConfig,
  terminal: Terminal,
  edits: ReadonlyMap<string, string> = new Map(),
): Promise<Update> {
  const { root, state } = project;
  // The guide for people was there before the bot.
  const record: FileRecord = new Map([...state.files].filter(([path]) => path !== GETTING_STARTED));
  /** Rendered files in their places in the project, as botcli would write them there. */
  const placed = (rendered: Parameters<typeof placeFiles>[0]): Tree => {
    const files = placeFiles(rendered, { read: path => readBytes(root, path), record });
    return new Map(files.flatMap(({ path, ours }) => (ours ? [[path, ours] as const] : [])));
  };
  const rendering = renderProject(config);
  const trees = { record, botcli: placed(rendering) };
  const disk = readFiles(root, new Set([...record.keys(), ...trees.botcli.keys(), ...edits.keys()]));
  const user = new Map([...disk].map(([path, file]) => [path, editedFile(file, edits.get(path))]));
  checkState(project);
  refuseMarkers(user);

  const here = listDeletable({ ...trees, user }).length > 0 ? renderHere(project) : new Map();
  const known = { ...trees, user, here: typeof here === 'string' ? here : placed(here) };
  const base = needsBase(known) ? await renderBase(project, terminal) : new Map();
  const situation = {
    ...known,
    base: typeof base === 'string' ? base : placed(base),
    labels: { yours: 'yours', base: `botcli ${state.version}`, ours: `botcli ${VERSION}` },
  };
  const files = withDisk(keepUsed(root, mergeProject(situation), situation), edits, disk);
  const lack = lackOfWorkflow(config);
  return {
    files,
    conflicts: files.flatMap(({ conflicts }) => conflicts),
    notes: [
      ...files.flatMap(leftInCloud),
      ...[...rendering.keys()]
        .filter(path => path.startsWith('.github/') && !trees.botcli.has(path))
        .map(path => `${path}: the file is yours, and stays as it is`),
      ...(lack && files.some(({ path, action }) => path === WORKFLOW && action === 'created')
        ? [`${WORKFLOW} ${lack}`]
        : []),
    ],
    isBaseMissing: typeof base === 'string',
    changes: [...files.flatMap(({ change, marked }) => change ?? marked ?? []), ...stateChange(project, config, files)],
  };
}

/** A file as the user would have edited it. What isn't the project's own stays. */
const editedFile = (file: FileState, text: string | undefined): FileState =>
  text === undefined || 'why' in file || file.isLinked || file.hasOtherNames
    ? file
    : { ...file, contents: Buffer.from(text) };

/** Fails if a run at the same time has updated the project since its state was read. */
function checkState({ root, stateFile }: Project): void {
  const file = readFiles(root, [STATE_FILE]).get(STATE_FILE);
  const present = file && 'contents' in file ? file.contents : undefined;
  if (present && !stateFile.equals(present)) throw hasJustChanged(STATE_FILE);
}

/** The state file, if it changes. */
function stateChange(
  { stateFile: before }: Project,
  config: ScaffoldConfig,
  files: readonly FileUpdate[],
): FileChange[] {
  const record = files.flatMap(({ path, recorded }) => (recorded ? [[path, recorded] as const] : []));
  const after = withLineEndsOf(before, Buffer.from(stateText(config, VERSION, new Map(record))));
  // A formatter may have changed how the file looks.
  const [old, fresh] = [before, after].map(text => parseState(text.toString('utf8')));
  return isDeepStrictEqual(old, fresh) ? [] : [{ name: STATE_FILE, before, after }];
}

/** An agent that the project no longer names. It may be deployed, and an update asks no platform. */
function leftInCloud({ path, change }: FileUpdate): string[] {
  if (path !== DEPLOY_FILE) return [];
  const [before, after] = [change?.before, change?.after].map(text => text && parseDeployFile(text.toString()));
  const [old, next, secrets] = [before?.agentName, after?.agentName, after?.secretSet].map(
    name => name && onOneLine(name),
  );
  if (old === undefined || old === next) return [];
  const withSecrets = secrets ? `, with the secret set ${secrets}` : '';
  const what = next ? `the next deploy makes the agent ${next}${withSecrets}` : 'no longer names an agent';
  return [`${path}: ${what}. If ${old} is deployed, it stays until you delete it`];
}

function refuseMarkers(user: Situation['user']): void {
  const problems = [...user].flatMap(([path, file]) => {
    const lines = 'contents' in file ? markersIn(file.contents) : [];
    return lines.length > 0 ? [`${path} has conflict markers in line ${lines.join(', ')}`] : [];
  });
  if (problems.length === 0) return;
  throw new UserError('An earlier update left conflicts; nothing was changed:', {
    reason: 'conflict',
    problems: problems.sort(),
    hint: 'Choose what each of these places should say, remove the markers, and run the command again.',
  });
}

/** Puts the user's files, as they are on disk, back as what an update changes; and adds those that it doesn't. */
function withDisk(
  files: readonly FileUpdate[],
  edits: ReadonlyMap<string, string>,
  disk: ReadonlyMap<string, FileState>,
): FileUpdate[] {
  const known = new Set(files.map(({ path }) => path));
  const own = [...edits.keys()].filter(path => !known.has(path) && disk.has(path));
  const all = [...files, ...own.map((path): FileUpdate => ({ path, action: 'merged', conflicts: [] }))];
  return all.map(file => {
    const [found, text] = [disk.get(file.path), edits.get(file.path)];
    if (text === undefined || !found || 'why' in found || found.isLinked || found.hasOtherNames) return file;
    const before = found.contents;
    const { change, marked, ...rest } = file;
    if (marked) return { ...rest, marked: { ...marked, before } };
    if (rest.action === 'conflict') return rest;
    if (change) return { ...rest, change: { ...change, before } };
    return { ...rest, action: 'merged', change: { name: file.path, before, after: Buffer.from(text) } };
  });
}

/**
 * Whether a file can't be judged without the base: it was edited or added, and the new choices may change it. Or it
 * would be deleted, and this release wouldn't write it.
 */
const needsBase = (known: Omit<Situation, 'base' | 'labels'>): boolean =>
  [...known.botcli].some(([path, contents]) => {
    const file = known.user.get(path);
    return file !== undefined && ![known.record.get(path), textHashOf(contents)].includes(hashOfFile(file));
  }) || listDeletable(known).some(path => !isRendered(path, known.record, known.here));

/** The files that are as recorded, and that the new choices don't have. */
const listDeletable = ({ record, user, botcli }: Pick<Situation, 'record' | 'user' | 'botcli'>): string[] =>
  [...record].flatMap(([path, hash]) => {
    const file = user.get(path);
    return !botcli.has(path) && file && hashOfFile(file) === hash ? [path] : [];
  });

/** Whether a recorded file is really one of these, and not just said to be by a state file, which anyone can write. */
function isRendered(path: string, record: FileRecord, tree: Tree | string): boolean {
  const contents = typeof tree === 'string' ? undefined : tree.get(path);
  return contents !== undefined && textHashOf(contents) === record.get(path);
}

/** What isn't a file equals nothing. */
const hashOfFile = (file: FileState): string => ('why' in file ? 'not a file' : textHashOf(file.contents));

/** Decides what becomes of each file, in the order of their paths. */
export const mergeProject = (situation: Situation): FileUpdate[] =>
  unique([...situation.record.keys(), ...situation.botcli.keys()])
    .sort()
    .flatMap(path => decide(path, situation) ?? []);

/** Decides what becomes of a file. Nothing if neither the disk nor the new choices have it. */
function decide(path: string, situation: Situation): FileUpdate | undefined {
  const { record, base, here, labels } = situation;
  const [file, ours, recorded] = [situation.user.get(path), situation.botcli.get(path), record.get(path)];
  const [now, next] = [file && hashOfFile(file), ours && textHashOf(ours)];
  const inBase = typeof base !== 'string' && base.has(path);
  // A file that the user deleted, or that the new choices don't have any more, keeps its record.
  const to = (action: UpdateAction, change?: FileChange): FileUpdate => ({
    path,
    action,
    conflicts: [],
    ...(change && { change }),
    ...(action !== 'deleted' && { recorded: next ?? recorded }),
  });
  const refuse = (reason: string): FileUpdate => ({
    ...to('conflict'),
    conflicts: [{ path, lines: [1, 0], yours: '', base: '', ours: '', reason }],
  });
  if (!file) {
    if (!ours) return undefined;
    if (recorded === undefined && !inBase) return to('created', { name: path, after: ours });
    return next !== recorded && NEEDED.test(path) ? refuse(MISSED) : to('absent');
  }
  if (now === next) return to('unchanged');
  // The user's own from the beginning, such as an existing AGENTS.md.
  if (recorded === undefined && (inBase || !ours)) return { path, action: 'kept', conflicts: [] };
  if (now !== recorded && !ours) return to('orphaned');
  if (now !== recorded && next === recorded) return to('kept');
  if ('why' in file) return refuse(`It ${file.why}.`);
  const { contents: before } = file;
  if (!ours) {
    // A link may lead to a file that others use.
    if (file.isLinked) return to('orphaned');
    return [base, here].some(tree => isRendered(path, record, tree))
      ? to('deleted', { name: path, before })
      : to('spared');
  }
  if (now === recorded) return to('updated', { name: path, before, after: withLineEndsOf(before, ours) });
  if (file.hasOtherNames) return refuse(`It ${OTHER_NAMES}.`);
  const { text, why } = recorded === undefined ? { text: Buffer.alloc(0) } : baseOf(path, situation);
  const update = { ...mergeWith(path, { before, after: ours, text }, labels, why), recorded: next };
  if (update.action !== 'conflict') return update;
  if (recorded === undefined) return refuse(NOT_OURS);
  return text && path.endsWith('.md') && isRewritten(before, text) ? to('own') : update;
}

/** The bot doesn't run without its code. */
const NEEDED = /^server\/(\w+\.py|pyproject\.toml)$/;

const MISSED = 'You deleted or moved it, and these choices change it. Put it back, or leave these choices.';
const NOT_OURS = 'botcli would create this file, but you have one of that name. Rename yours.';

function mergeWith(
  path: string,
  { before, after, text }: { before: Buffer; after: Buffer; text: Buffer | undefined },
  labels: Labels,
  why?: string,
): FileUpdate {
  const { contents, conflicts, marked } = mergeFile(path, { user: before, base: text, botcli: after }, labels);
  if (conflicts.length > 0) {
    const explained = conflicts.map(conflict => ({ path, ...conflict, ...(why && { reason: why }) }));
    const hasMarks = !marked.equals(before);
    return {
      path,
      action: 'conflict',
      conflicts: explained,
      ...(hasMarks && { marked: { name: path, before, after: marked } }),
    };
  }
  if (contents.equals(before)) return { path, action: 'kept', conflicts: [] };
  return { path, action: 'merged', conflicts: [], change: { name: path, before, after: contents } };
}

/** Merges a file again, as if botcli had written another text. */
function mergeAgain(update: FileUpdate, situation: Situation, rewrite: (base: string) => string): FileUpdate {
  const { path, action, change, recorded } = update;
  const { before } = change ?? {};
  const after = situation.botcli.get(path);
  if (!before || !after) return update;
  // What nobody edited is just what botcli wrote.
  const written = action === 'updated' ? before : (baseOf(path, situation).text ?? before);
  const text = Buffer.from(rewrite(written.toString().replaceAll('\r\n', '\n')));
  return { ...mergeWith(path, { before, after, text }, situation.labels), recorded };
}

/** The text that botcli wrote, if it is certain. */
function baseOf(path: string, { record, base }: Situation): { text?: Buffer; why?: string } {
  if (typeof base === 'string') return { why: `What botcli wrote isn't available: ${base}.` };
  const text = base.get(path);
  if (text && textHashOf(text) === record.get(path)) return { text };
  const why = record.has(path) ? 'this botcli writes another text for the recorded choices' : 'it has no record';
  return { why: `What botcli wrote isn't available: ${why}.` };
}

/** How a file names what it offers, which code names that, and how the file is without it. */
interface Offer {
  files: RegExp;
  verb: KeptUse['verb'];
  list(text: string): string[];
  isNamed(name: string, reads: PythonReads): boolean;
  without(text: string, names: readonly string[]): string;
}

const OFFERS: readonly Offer[] = [
  {
    files: /^server\/\.env\.example$/,
    verb: 'reads',
    list: listVariables,
    isNamed: (name, { mentioned }) => mentioned.has(name),
    without: withoutVariables,
  },
  {
    files: /^server\/pyproject\.toml$/,
    verb: 'imports',
    list: listPackages,
    isNamed: (name, { imports }) =>
      [...imports].some(module => {
        const [top = '', , service = ''] = module.split('.');
        return plain(top) === plain(name) || (top === 'pipecat' && plain(service) === plain(name));
      }),
    without: withoutPackages,
  },
];

/** A name as others may write it: a package `a-b` is imported as `a_b`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/** Keeps the modules, packages and variables that Python of the user's names, by its import or in quotes. */
function keepUsed(root: string, updates: readonly FileUpdate[], situation: Situation): FileUpdate[] {
  const losses = updates.map(update => ({ update, lost: lostIn(update) }));
  if (losses.every(({ lost }) => lost.length === 0)) return [...updates];
  const texts = ownCode(root, updates);
  let code = readModules(texts);
  const kept = losses.map(({ update, lost }) => {
    const { path, action, change } = update;
    const by = action === 'deleted' && nameOfUser(code, reads => imports(lost[0], reads));
    if (!by || !change?.before) return { update, lost };
    // A module that stays needs others, packages and variables, too: server.py imports server_utils.py, after it.
    texts.set(path, change.before.toString());
    code = readModules(texts);
    const keeps: KeptUse[] = [{ what: path, by, verb: 'imports' }];
    const recorded = textHashOf(change.before);
    return { update: { path, action: 'kept', conflicts: [], keeps, recorded } satisfies FileUpdate, lost: [] };
  });
  return kept.map(({ update, lost }) => {
    const offer = OFFERS.find(({ files }) => files.test(update.path));
    const keeps = lost.flatMap((what): KeptUse[] => {
      const by = offer && nameOfUser(code, reads => offer.isNamed(what, reads));
      return by ? [{ what, by, verb: offer.verb }] : [];
    });
    if (!offer || keeps.length === 0) return update;
    const names = keeps.map(({ what }) => what);
    return { ...mergeAgain(update, situation, text => offer.without(text, names)), keeps };
  });
}

/** What an update takes away: a module, or some of the variables or packages in a file. */
function lostIn({ path, action, change }: FileUpdate): string[] {
  if (!change?.before || action === 'conflict') return [];
  const list = OFFERS.find(({ files }) => files.test(path))?.list;
  if (!list) return action === 'deleted' ? (/^server\/(.+?)(?:\/__init__)?\.py$/.exec(path)?.slice(1) ?? []) : [];
  const now = list(change.after?.toString() ?? '');
  return list(change.before.toString()).filter(name => !now.includes(name));
}

/** The Python that the user wrote or edited, as it is after the update. */
function ownCode(root: string, updates: readonly FileUpdate[]): Map<string, string> {
  const files = new Map(readPythonFiles(root, true).texts);
  for (const { path, action, change } of updates) {
    if (action === 'merged' && change?.after) files.set(path, change.after.toString());
    else if (action !== 'kept' && action !== 'orphaned') files.delete(path);
  }
  return files;
}

const nameOfUser = (code: ReturnType<typeof readModules>, isUser: (reads: PythonReads) => boolean) =>
  [...code].find(([, reads]) => isUser(reads))?.[0];

/** Whether code imports a module: others may write `server.guard`, `.guard`, or `import_module("guard")`. */
const imports = (path: string | undefined, { imports: modules, mentioned }: PythonReads): boolean => {
  const name = path?.replaceAll('/', '.') ?? '';
  return mentioned.has(name) || [...modules].some(one => one.replace(/^(?:[\w.]*\.)?server\.|^\.+/, '') === name);
};
