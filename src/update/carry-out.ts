import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import gt from 'semver/functions/gt.js';
import { programIn } from '../about.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { type ExitCode, explaining, hintOf, UserError } from '../errors.ts';
import { DEPLOY_FILE } from '../existing/deploy-file.ts';
import { sentenceOf, type Touched } from '../existing/framework.ts';
import { knownConfigOf, type Project, placeOf } from '../existing/open-project.ts';
import { installIn, packageManagerOf } from '../existing/package-manager.ts';
import { markersIn } from '../merge/index.ts';
import { exists } from '../paths/read.ts';
import { featuresOf } from '../project/features.ts';
import { planBot } from '../project/files/files.ts';
import { STATE_FILE } from '../project/files/state.ts';
import { BOT_STEP, clientSteps, devSteps, listSteps, nextLines } from '../project/handover/next-steps.ts';
import { listVariables, requiredBy } from '../project/variables.ts';
import type { Terminal } from '../shell/terminal.ts';
import { unique } from '../std.ts';
import { foldFolders, isCopyable, onOneLine, printable, shortened, textOf, titled } from '../text.ts';
import { VERSION } from '../version.ts';
import { applyChanges, type FileChange } from '../writing/changes.ts';
import type { FrameworkMove } from './framework.ts';
import type { FileUpdate, FindTests, Run } from './plan.ts';

type Conflict = FileUpdate['conflicts'][number];
type NextTerminal = ReturnType<typeof devSteps>[number];

/** Shows a planned update, asks where it has to, makes it, and reports it. */
export async function carryOut(
  run: Run,
  mode: string,
  terminal: Terminal,
  findTests?: FindTests,
): Promise<ExitCode | undefined> {
  const { project, plan, isDry, json, diff } = run;
  await announceFramework(run, terminal);
  const hasConflicts = plan.conflicts.length > 0;
  if (hasConflicts && (mode === 'refuse' || !canBeMarked(plan))) {
    if (isDry || json || !terminal.interactive || !canBeMarked(plan)) throw refuseConflicts(run);
    await askAboutConflicts(run, terminal);
  }
  if (diff && !json) printDiff(plan.changes, terminal);
  const asks = terminal.interactive && !isDry && !json && !hasConflicts && plan.changes.length > 0;
  const compare = asks && findTests && (await offerTests(run, findTests, terminal));
  // Until here, a signal simply ends the process. From here on, it has to wait until a file is in its place.
  if (!isDry) await applyChanges(project.root, plan.changes);
  if (hasConflicts) throw reportMarkers(run);
  reportUpdate(run, terminal);
  return compare ? compare() : undefined;
}

/** Shows what another release of the framework changes. Throws, with exit code 1, if the user declines. */
async function announceFramework({ framework, isDry, json, plan }: Run, terminal: Terminal): Promise<void> {
  if (!framework || json) return;
  terminal.print(frameworkLines(framework).join('\n'));
  if (isDry || !terminal.interactive || plan.changes.length === 0) return;
  const question = `Update the bot for Pipecat ${framework.to}?`;
  if (!(await terminal.confirm(question, { instead: 'Look at it first: --dry-run --diff', isFresh: true }))) {
    throw new UserError('Declined. Nothing was changed.', { reason: 'declined' });
  }
}

/** Asks whether to write conflict markers. Throws, with exit code 1, if the user leaves everything as it is. */
async function askAboutConflicts({ plan: { conflicts } }: Run, terminal: Terminal): Promise<void> {
  const count = conflicts.length === 1 ? 'one place' : `${conflicts.length} places`;
  const consent = {
    about: `You and botcli changed ${count} in different ways`,
    places: conflicts.map(linesOf),
    question: 'What should happen?',
    proceed: { value: 'markers', label: 'Write both versions, with conflict markers' },
    show: {
      label: 'Show the conflicts',
      lines: () => conflicts.flatMap(explainConflict).map(line => `  ${printable(line)}`),
    },
    instead: 'Pass --conflicts markers.',
  };
  // It is bundled with what cloud commands share.
  const { askConsent } = await import('../shell/confirmation.ts');
  return askConsent(consent, terminal);
}

/**
 * Offers to hold the bot's test conversations before it moves to another release of the framework, and after it.
 * Returns what to do after it: it says what differs, and returns exit code 1 if a conversation fails that passed.
 */
async function offerTests(
  { project: { root }, framework }: Run,
  findTests: FindTests,
  terminal: Terminal,
): Promise<(() => Promise<ExitCode | undefined>) | undefined> {
  if (!framework || framework.from === framework.to) return undefined;
  const { from, to } = framework;
  const tests = await findTests(root, terminal);
  if (!tests) return undefined;
  const many = tests.count === 1 ? 'test conversation' : `${tests.count} test conversations`;
  const question = `Hold its ${many} with Pipecat ${from} and with ${to}?\nThat takes a few minutes, and calls your AI services.`;
  if (!(await terminal.confirm(question, { instead: 'Run botcli test before and after it.', isFresh: true })))
    return undefined;
  const before = await tests.hold().catch(
    explaining(error => {
      const hint = hintOf(error.hint, 'Nothing was changed. To update all the same, answer no here.');
      return error.reason === 'interrupted' ? error : error.withMessage(error.message, { hint });
    }),
  );
  const passedBefore = before.filter(({ result }) => result === 'passed').map(({ name }) => name);
  return async () => {
    const withContext = explaining(error =>
      error.reason === 'interrupted'
        ? error
        : error.withMessage(`The bot is updated, but with Pipecat ${to}: ${error.message}`),
    );
    const after = await tests.hold().catch(withContext);
    const passed = after.filter(({ result }) => result === 'passed');
    const lost = after.filter(({ name, result }) => result === 'failed' && passedBefore.includes(name));
    const { red, yellow, green } = terminal.style;
    const sign = lost.length > 0 ? red('✗') : passed.length < after.length ? yellow('!') : green('✓');
    terminal.print(
      [
        `${sign} Pipecat ${to}: ${passed.length} of ${after.length} conversations passed (${from}: ${passedBefore.length} of ${before.length})`,
        ...lost.map(({ name, reason }) => `  ${name} fails now: ${printable(reason ?? 'it gives no reason')}`),
      ].join('\n'),
    );
    return lost.length > 0 ? 1 : undefined;
  };
}

/** How many changes the framework lists after one release, until another one. */
const countBetween = ({ from, to, table }: FrameworkMove): number =>
  Object.entries(table.releases)
    .filter(([release]) => gt(release, from) && !gt(release, to))
    .reduce((sum, [, count]) => sum + count, 0);

/** More lines than that nobody reads. */
const MOST = 12;

const TITLES: Readonly<Record<Touched['change']['effect'], string>> = {
  gone: 'breaks',
  changed: 'changes',
  deprecated: 'will go',
};

/** What another release of the framework means for a bot, as lines. */
function frameworkLines(move: FrameworkMove): string[] {
  const { from, to, touched, renamed, unread } = move;
  const names = unique(renamed.map(row => `${row.from} is ${row.to}`));
  const skipped = [...unread].map(([path, why]) => `${onOneLine(path)} ${why}, so botcli left it alone`);
  const news = unique([
    ...touched.filter(({ change }) => gt(change.since, from)).map(({ change }) => change),
    ...renamed.filter(({ since }) => gt(since, from)).map(row => row.from),
  ]).length;
  const way = from === to ? `Pipecat ${to}` : `Pipecat ${from} → ${to}`;
  if (touched.length + names.length + skipped.length === 0) return [`${way}: nothing to do for this bot.`];
  const shown = touched.slice(0, MOST);
  const more = touched.length - shown.length;
  const links = unique(shown.filter(({ change }) => change.effect !== 'deprecated').map(({ change }) => change.since));
  return [
    from === to ? `${way}:` : `${way}: ${news} of ${countBetween(move)} changes touch this bot`,
    ...(Object.keys(TITLES) as (keyof typeof TITLES)[]).flatMap(effect =>
      titled(
        TITLES[effect],
        shown.filter(({ change }) => change.effect === effect),
        ({ change, places }) => `${placesOf(places)}  ${sentenceOf(change)}`,
      ),
    ),
    ...(more > 0 ? titled('', [`and ${more} more: add --json`], String) : []),
    ...titled('renamed', names, String),
    ...titled('skipped', skipped, String),
    ...titled('read', links.length > 0 ? [linkTo(links.length === 1 ? links[0] : undefined)] : [], String),
    ...(touched.length > 0 ? titled('next', ['have your coding agent read: botcli guide upgrade'], String) : []),
  ];
}

function placesOf(places: Touched['places']): string {
  const [first] = places;
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : '';
  return first ? `${onOneLine(first.path)}:${first.line}${more}` : '';
}

/** The page of a release, or of all. */
const linkTo = (release?: string): string =>
  `https://github.com/pipecat-ai/pipecat/releases${release ? `/tag/v${release}` : ''}`;

/** The same for programs. */
const frameworkFacts = (move: FrameworkMove) => ({
  from: move.from,
  to: move.to,
  changes_listed: countBetween(move),
  changes: move.touched.map(({ change: { rename: _, ...change }, places }) => ({
    ...change,
    text: sentenceOf(change),
    places,
    release_notes: linkTo(change.since),
  })),
  renamed: move.renamed,
  unread: [...move.unread].map(([path, why]) => ({ path, reason: why })),
});

/** What people read about each action that they should know of. */
const WORDS: readonly [FileUpdate['action'], word: string, note?: string][] = [
  ['created', 'created'],
  ['updated', 'updated'],
  ['merged', 'merged', 'with your edits'],
  ['deleted', 'deleted'],
  ['conflict', 'conflict'],
  ['orphaned', 'kept', 'you edited it, and the bot no longer needs it'],
  ['spared', 'kept', 'botcli may not have written it'],
  ['absent', 'skipped', 'you deleted it'],
  ['own', 'kept', 'the text is your own'],
];

/** Files that stay as the user edited them, because botcli's change nothing. */
const EDITED: (typeof WORDS)[number] = ['kept', 'kept', 'as you edited it'];

/** Reports what an update did, or would do. */
function reportUpdate(run: Run, terminal: Terminal): void {
  const { project, config, plan, dropped, isDry, json } = run;
  const { cwd, env, style, columns } = terminal;
  const seen = placeOf(cwd, project.root);
  const needsStart = plan.changes.some(({ name }) => /^(server|client)\//.test(name));
  // In the project, dev finds it.
  const next = needsStart ? devSteps(config, seen.startsWith('..') ? '.' : seen, programIn(env)) : [];
  if (json) {
    const list = (terminals: NextTerminal[]) => listSteps(terminals, 'README.md', env);
    const [dev] = list(next);
    terminal.printJson({ ...facts(run), next: list(nextOf(run, terminal)), ...(dev && { dev }) });
    return;
  }
  const place = onOneLine(seen);
  const inside = place === '.' ? 'This project' : place;
  const name = place.startsWith('..') ? `The project in ${place}` : inside;
  const state = plan.changes.filter(change => change.name === STATE_FILE);
  const files = [...plan.files, ...state.map(change => ({ path: change.name, action: 'updated' as const }))];
  const keeps = plan.files.flatMap(file => file.keeps ?? []);
  const listed = [
    ...titled('dropped', Object.entries(dropped), ([key, value]) => `${onOneLine(key)} ${onOneLine(textOf(value))}`),
    ...WORDS.flatMap(row => listOf(row, files)),
    ...titled('kept', keeps, ({ what, by, verb }) => `${onOneLine(what)}, which ${onOneLine(by)} ${verb}`),
    ...titled('note', plan.notes, String),
  ];
  if (plan.changes.length === 0) {
    // What was typed may be recorded already, and undone by an edit.
    const edited = run.isChange ? listOf(EDITED, plan.files) : [];
    terminal.print([`${name} is up to date.`, ...listed, ...edited].join('\n'));
    return;
  }
  const { version } = project.state;
  const from = version === VERSION ? '' : ` from botcli ${version} to ${VERSION}`;
  const what = isDry ? `${name} would be updated${from}:` : `${style.green('✓')} ${name} is updated${from}`;
  const missing = isDry ? newVariables(project, config) : [];
  const needs = missing.length > 0 ? ['', `It would need ${missing.join(', ')} in server/.env.`] : [];
  terminal.print([what, ...listed, ...needs].join('\n'));
  if (next.length > 0 && !isDry && !run.goesOn)
    terminal.print(['', ...nextLines(next, { columns, dim: style.dim, env })].join('\n'));
}

function listOf(
  [action, word, note]: (typeof WORDS)[number],
  files: readonly Pick<FileUpdate, 'path' | 'action'>[],
): string[] {
  const paths = files.filter(file => file.action === action).map(({ path }) => path);
  const names = note ? paths : foldFolders(paths, MOST_OF_A_FOLDER);
  return titled(word, names, path => `${onOneLine(path)}${note ? ` (${note})` : ''}`);
}

/** A folder with more files of one action is one line. Files with a note are always named. */
const MOST_OF_A_FOLDER = 5;

/** The result for programs. */
function facts({ project, config, dropped, plan, framework, isDry, diff }: Run) {
  const missing = newVariables(project, config);
  return {
    directory: project.root,
    from_version: project.state.version,
    version: VERSION,
    dry_run: isDry,
    files: plan.files.map(({ path, action }) => ({ path, action })),
    conflicts: plan.conflicts.map(conflict => {
      const { path, reason } = conflict;
      return isWhole(conflict) ? { path, reason } : conflict;
    }),
    kept: plan.files.flatMap(({ keeps = [] }) => keeps.map(({ what, by }) => ({ name: what, used_by: by }))),
    notes: plan.notes,
    dropped_choices: dropped,
    new_env: listVariables(config).filter(({ name }) => missing.includes(name)),
    ...(framework && { framework: frameworkFacts(framework) }),
    ...(diff && { diff: unifiedDiff(plan.changes) }),
  };
}

/** What to run after the update, by what it changed. */
function nextOf({ project, config, plan }: Run, { cwd, env }: Terminal): NextTerminal[] {
  const changed = plan.changes.flatMap(({ name, after }) => (after ? [name] : []));
  const has = (pattern: RegExp) => changed.some(name => pattern.test(name));
  const inside = (folder: string) => placeOf(cwd, join(project.root, folder));
  const { manager } = packageManagerOf(join(project.root, 'client'));
  // The fastest of the starter scenarios.
  const [scenario] = planBot(featuresOf(config)).flatMap(
    file => /evals\/(\w+)\.yaml$/.exec(file.destination)?.[1] ?? [],
  );
  const missing = newVariables(project, config);
  const note = missing.length > 0 ? { note: `first set ${missing.join(', ')} in .env` } : {};
  const steps: NextTerminal['steps'][number][] = [
    ...(has(/^server\/pyproject\.toml$/) ? [{ command: 'uv sync' }] : []),
    ...(has(/^server\/.*\.py$/) ? [{ command: 'uv run ruff check --fix .' }, { command: 'uv run pyright' }] : []),
    ...(has(/^server\//) ? [{ command: `${programIn(env)} check` }] : []),
    ...(has(/^server\//) && scenario ? [{ command: `uv run pipecat eval run evals/${scenario}.yaml -v` }] : []),
  ];
  const server = { directory: inside('server'), steps, ...note };
  if (config.generate_client && !knownConfigOf(project)?.generate_client) {
    steps.push(BOT_STEP);
    return [server, { directory: inside('client'), steps: clientSteps(config, manager.name) }];
  }
  if (has(/^server\//) && exists(project.root, DEPLOY_FILE))
    steps.push({ command: `${programIn(env)} cloud deploy`, before: 'to bring it to the cloud' });
  if (has(/^client\/package\.json$/)) {
    if (steps.length > 0) steps.push({ command: installIn(manager, '../client') });
    else return [{ directory: inside('client'), steps: [{ command: `${manager.name} install` }] }];
  }
  return steps.length > 0 || missing.length > 0 ? [server] : [];
}

/** The variables that the bot needs now and didn't need before. */
function newVariables(project: Project, config: ScaffoldConfig): string[] {
  const before = knownConfigOf(project);
  // Another release's choices may be unknown to this one. Then all variables are named.
  const known = new Set(before ? requiredBy(before).project : []);
  return requiredBy(config).project.filter(name => !known.has(name));
}

/** Whether conflict markers can show every conflict. They can't where there is no text. */
const canBeMarked = ({ files }: Run['plan']): boolean =>
  files.every(({ action, marked }) => action !== 'conflict' || marked !== undefined);

/** The refusal of an update with conflicts. */
function refuseConflicts(run: Run): UserError {
  const { plan, line, project } = run;
  const { version } = project.state;
  const advice =
    plan.isBaseMissing && version !== VERSION
      ? `Run the command again when botcli ${version} can run here.`
      : 'Edit these places, and run the command again.';
  const how = isCopyable(line) ? `:\n  ${line} --conflicts markers` : ': add --conflicts markers';
  return new UserError(`${countOf(plan.conflicts)} between your edits and this update. Nothing was written.`, {
    reason: 'conflict',
    problems: plan.conflicts.flatMap(explainConflict),
    hint: canBeMarked(plan)
      ? `${advice} Or write both versions with conflict markers${how}`
      : 'Not all of these can be written with conflict markers. Fix them, and run the command again.',
    facts: facts(run),
  });
}

/** The error of an update that wrote conflict markers, or would write them. */
function reportMarkers(run: Run): UserError {
  const { plan, isDry } = run;
  const problems = plan.files.flatMap(({ path, action, marked, conflicts }) => {
    if (action !== 'conflict') return [];
    const lines = marked?.after ? `markers in lines ${markersIn(marked.after).join(', ')}` : undefined;
    return [`${path}: ${lines ?? conflicts.map(({ reason }) => reason).join(' ')}`];
  });
  const rest = isDry ? 'Everything else would be updated.' : 'Everything else is updated.';
  return new UserError(`${countOf(plan.conflicts)} to resolve. ${rest}`, {
    reason: 'conflict',
    problems,
    hint: isDry
      ? 'Nothing was written.'
      : 'Choose what each of these places should say, and remove the markers. The next update checks that.',
    facts: facts(run),
  });
}

function countOf(conflicts: readonly Conflict[]): string {
  const { length } = conflicts.filter(({ follows }) => !follows);
  return length === 1 ? 'One conflict' : `${length} conflicts`;
}

/** At most this many lines of each version of a conflict are shown, and characters of a line. */
const MOST_LINES = 12;
const LONGEST_LINE = 200;

/** A conflict in lines of text: where it is and why, and what each side has there. */
function explainConflict(conflict: Conflict): string[] {
  const { yours, ours, reason } = conflict;
  const hasNoLines = conflict.follows || isWhole(conflict);
  return [
    `${linesOf(conflict)}  ${reason}`,
    ...(hasNoLines ? [] : [...quote('yours', yours), ...quote('botcli', ours)]),
  ];
}

/** Whether a conflict is about a file, and not about lines of it. */
const isWhole = ({ lines: [, last], yours, base, ours }: Conflict): boolean => last === 0 && yours + base + ours === '';

/** Where a conflict is: `server/bot.py:30-34`, or the file alone. */
function linesOf(conflict: Conflict): string {
  const { path, lines } = conflict;
  const [first, last] = lines;
  if (isWhole(conflict)) return path;
  return last <= first ? `${path}:${first}` : `${path}:${first}-${last}`;
}

function quote(side: string, text: string): string[] {
  const lines = text.replaceAll('\t', '    ').split('\n');
  const more = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line, at) => {
    const label = at === 0 ? side : '';
    return `  ${label.padEnd(6)} | ${shortened(line, LONGEST_LINE)}`;
  });
  return more > 0 ? [...shown, `          … ${more} more lines`] : shown;
}

/**
 * Prints the changes as a unified diff. Control characters of the project are replaced, also in a pipe, which may lead
 * to a terminal. A note says so: such a diff can't be applied.
 */
function printDiff(changes: readonly FileChange[], terminal: Terminal): void {
  const diff = unifiedDiff(changes).replace(/\n$/, '');
  if (diff === '') return;
  if (terminal.columns === undefined) {
    const safe = diff.replace(/[^\t\r\n]+|\r(?!\n|$)/g, printable);
    if (safe !== diff)
      terminal.note('The diff shows control characters as \uFFFD. With --json, it has them as they are.');
    terminal.printExact(safe);
  } else terminal.print(diff.replaceAll('\t', '    ').replaceAll(/\r$/gm, ''));
}

/** The changes as a unified diff. */
const unifiedDiff = (changes: readonly FileChange[]): string =>
  changes
    .map(({ name, before, after }) => {
      const [from, to] = [before ? `a/${name}` : '/dev/null', after ? `b/${name}` : '/dev/null'];
      const [old = '', fresh = ''] = [before, after].map(bytes => bytes?.toString('utf8'));
      const patch = createTwoFilesPatch(from, to, old, fresh, undefined, undefined, { context: 3 });
      return patch.slice(patch.indexOf('---'));
    })
    .join('');
