import { isDeepStrictEqual } from 'node:util';
import type { ScaffoldConfig } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { DEPLOY_FILE, parseDeployFile } from '../existing/deploy-file.ts';
import { readModules } from '../existing/needs.ts';
import type { Project } from '../existing/open-project.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import type { PythonReads } from '../existing/python/reads.ts';
import { withLineEndsOf } from '../formats/bytes.ts';
import { listPackages, listVariables, markersIn, withoutPackages, withoutVariables } from '../merge/index.ts';
import { hasJustChanged } from '../paths/disk-error.ts';
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
import { renderProject } from '../rendering/project.ts';
import type { Terminal } from '../shell/terminal.ts';
import { onOneLine } from '../text.ts';
import { VERSION } from '../version.ts';
import { type FileChange, type FileState, readFiles } from '../writing/changes.ts';
import { renderBase, renderHere, type Tree } from './base.ts';
import { type FileUpdate, listDeletable, mergeAgain, mergeProject, needsBase, type Situation } from './files.ts';
import { type FrameworkMove, withDisk } from './framework.ts';

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

/**
 * Compares what botcli wrote, what is on disk, and what the new choices give. Writes nothing. Throws if a file still
 * has conflict markers, or another run has changed the project. `edits` are texts of files as if the user had edited
 * them.
 */
export async function planUpdate(
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

type KeptUse = NonNullable<FileUpdate['keeps']>[number];

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

/** Where a project may have Python: first where Python starts it, then anywhere, such as in `tests/`. */
const FOLDERS = ['server', '.'];

/** The Python that the user wrote or edited, as it is after the update. */
function ownCode(root: string, updates: readonly FileUpdate[]): Map<string, string> {
  const files = new Map(readPythonFiles(root, FOLDERS).texts);
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
