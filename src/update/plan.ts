import { isDeepStrictEqual } from 'node:util';
import type { ScaffoldConfig } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { DEPLOY_FILE, parseDeployFile } from '../existing/deploy-file.ts';
import type { Project } from '../existing/open-project.ts';
import { withLineEndsOf } from '../formats/line-ends.ts';
import { markersIn } from '../merge/index.ts';
import { hasJustChanged } from '../paths/disk-error.ts';
import { readBytes } from '../paths/read.ts';
import { onOneLine } from '../printable.ts';
import { GETTING_STARTED } from '../project/files/guides.ts';
import { placeFiles } from '../project/files/placement.ts';
import { type FileRecord, type ProjectState, parseState, STATE_FILE, stateText } from '../project/files/state.ts';
import { renderProject } from '../rendering/project.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';
import { type FileChange, type FileState, readFiles } from '../writing/changes.ts';
import { renderBase, renderHere, type Tree } from './base.ts';
import { type FileUpdate, listDeletable, mergeProject, needsBase, type Situation } from './files.ts';
import { type FrameworkMove, withDisk } from './framework.ts';
import { keepUsed } from './keep-used.ts';

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

/**
 * Compares what botcli wrote, what is on disk, and what the new choices give. Writes nothing.
 *
 * @param edits The texts of some files as if the user had edited them.
 * @throws {UserError} A file still has conflict markers, or the project isn't the one that was recorded.
 */
export async function planUpdate(
  project: Project,
  config: ScaffoldConfig,
  terminal: Terminal,
  edits: ReadonlyMap<string, string> = new Map(),
): Promise<Update> {
  const { root, state } = project;
  const record = ownFiles(state.files);
  const rendering = renderProject(config);
  const trees = { record, botcli: placeIn(root, rendering, record) };
  const disk = readFiles(root, new Set([...record.keys(), ...trees.botcli.keys(), ...edits.keys()]));
  const user = new Map([...disk].map(([path, file]) => [path, editedFile(file, edits.get(path))]));
  checkState(project);
  refuseMarkers(user);

  const rendered = listDeletable({ ...trees, user }).length > 0 ? renderHere(project) : new Map();
  const here = typeof rendered === 'string' ? rendered : placeIn(root, rendered, record);
  const isNeeded = needsBase({ ...trees, user, here });
  const base = isNeeded ? await renderBase(project, terminal) : new Map();
  const situation = {
    ...trees,
    user,
    base: typeof base === 'string' ? base : placeIn(root, base, record),
    here,
    labels: { yours: 'yours', base: `botcli ${state.version}`, ours: `botcli ${VERSION}` },
  };
  const files = withDisk(keepUsed(root, mergeProject(situation), situation), edits, disk);
  return {
    files,
    conflicts: files.flatMap(({ conflicts }) => conflicts),
    notes: [
      ...files.flatMap(leftInCloud),
      ...[...rendering.keys()]
        .filter(path => path.startsWith('.github/') && !trees.botcli.has(path))
        .map(path => `${path}: the file is yours, and stays as it is`),
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

/** Rendered files in their places in a project, as botcli would write them there. */
function placeIn(root: string, rendered: Parameters<typeof placeFiles>[0], record: FileRecord): Tree {
  const placed = placeFiles(rendered, { read: path => readBytes(root, path), record });
  return new Map(placed.flatMap(({ path, ours }) => (ours ? [[path, ours] as const] : [])));
}

/** The recorded files that belong to the project's choices. The guide for people was there before it. */
const ownFiles = (record: FileRecord): FileRecord => new Map([...record].filter(([path]) => path !== GETTING_STARTED));

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
  return saysTheSame(before, after) ? [] : [{ name: STATE_FILE, before, after }];
}

/** A formatter may have changed how the file looks. */
const saysTheSame = (before: Buffer, after: Buffer): boolean =>
  isDeepStrictEqual(parseState(before.toString('utf8')), parseState(after.toString('utf8')));

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
