/**
 * `npm run compare` merges the same edits with the same changes of choices in four ways, and prints what arrives: by
 * botcli, by `git merge-file`, by whole files, and by `copier update` on a template of our rendered projects. It needs
 * git, Python 3.11 or newer, and PyPI.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cleanEnvironment, ensureUv } from '../test/bots/workshop.ts';
import { CHANGES, EDITS, edit } from '../test/merge/edits.ts';
import { mergeTexts } from '../test/merge/merging.ts';
import { CASCADE, generateProject, type Project } from '../test/support/projects.ts';
import { resolveFlags } from '../test/support/resolving.ts';

const COPIER = 'copier==9.17.0';

/** A project that its owner edited, and a change of its choices. */
interface Pair {
  change: string;
  mine: Project;
  base: Project;
  theirs: Project;
}

/** A merged project, and whether the tool reported conflicts. */
interface Result {
  files: Project;
  hasConflict: boolean;
}

type Tool = (pair: Pair, place: string) => Result;

/** Merges file by file, with a function for files that both changed. */
function byFile(
  merge: (path: string, mine: string, base: string, theirs: string, place: string) => [string, boolean],
): Tool {
  return ({ mine, base, theirs }, place) => {
    const paths = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
    const merged = paths.map((path): [string, string | undefined, boolean] => {
      const [yours, old, ours] = [mine[path], base[path], theirs[path]];
      if (yours === old) return [path, ours, false];
      if (ours === old || yours === undefined || ours === undefined) return [path, yours, false];
      const [text, hasConflict] = merge(path, yours, old ?? '', ours, place);
      return [path, text, hasConflict];
    });
    const files = merged.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
    return { files: Object.fromEntries(files), hasConflict: merged.some(([, , hasConflict]) => hasConflict) };
  };
}

const botcli = byFile((path, mine, base, theirs) => {
  const { text, conflicts } = mergeTexts(path, mine, base, theirs);
  return [text, conflicts.length > 0];
});

const wholeFiles = byFile((_, mine) => [mine, true]);

const gitMergeFile = byFile((_, mine, base, theirs, place) => {
  const paths = Object.entries({ mine, base, theirs }).map(([name, text]) => {
    writeFileSync(join(place, name), text);
    return join(place, name);
  });
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8' });
  return [stdout, status !== 0];
});

/** `copier update` from the tag `base` to the tag of the change. */
const copier: Tool = ({ change, mine, base }, place) => {
  const project = join(place, 'project');
  run(uv, [
    'tool',
    'run',
    '--quiet',
    '--from',
    COPIER,
    'copier',
    'copy',
    '--quiet',
    '--vcs-ref',
    'v1',
    template,
    project,
  ]);
  git(project, 'init', '--quiet');
  commit(project);
  write(project, mine);
  for (const path of Object.keys(base)) if (!(path in mine)) rmSync(join(project, path));
  commit(project);
  const words = ['copier', 'update', '--quiet', '--defaults', '--vcs-ref', tagOf(change), project];
  const { status, stderr } = spawnSync(uv, ['tool', 'run', '--quiet', '--from', COPIER, ...words], {
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(stderr);
  const listed = git(project, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter(Boolean);
  const paths = [...new Set(listed)].filter(path => path !== ANSWERS);
  const texts = paths.flatMap(path => {
    const text = readIfThere(join(project, path));
    return text === undefined ? [] : [[path, text] as const];
  });
  return { files: Object.fromEntries(texts), hasConflict: texts.some(([, text]) => /^<{7} /m.test(text)) };
};

const TOOLS: Record<string, Tool> = {
  botcli,
  'git merge-file': gitMergeFile,
  'whole files': wholeFiles,
  'copier update': copier,
};

const ANSWERS = '.copier-answers.yml';
const env = cleanEnvironment([], {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
});
const place = mkdtempSync(join(tmpdir(), 'botcli-compare-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));
const uv = await ensureUv();
const base = generateProject(resolveFlags(CASCADE));
const template = join(place, 'template');
const pairs = await makePairs();
console.log(`${pairs.length} pairs of a change of choices and edits of the same files`);
console.log(
  `${'tool'.padEnd(16)}${['everything arrives', 'conflict', 'edits lost', 'broken Python'].map(title => title.padStart(20)).join('')}`,
);
for (const [name, tool] of Object.entries(TOOLS)) {
  const results = pairs.map(pair => {
    const room = mkdtempSync(join(place, 'pair-'));
    const result = tool(pair, room);
    return { ...result, ...judge(pair, result), room };
  });
  const broken = results.filter(({ hasConflict, files, room }) => !hasConflict && !isSound(files, room));
  const cells = [
    results.filter(({ hasConflict, lacks }) => !hasConflict && lacks.length === 0).length - broken.length,
    results.filter(({ hasConflict }) => hasConflict).length,
    results.filter(({ hasConflict, lost }) => !hasConflict && lost.length > 0).length,
    broken.length,
  ];
  console.log(name.padEnd(16) + cells.map(cell => String(cell).padStart(20)).join(''));
}

/** The pairs that meet in at least one file, and the template repository with a tag for each change. */
async function makePairs(): Promise<Pair[]> {
  const found: Pair[] = [];
  write(template, base);
  write(template, {
    'copier.yml': '_min_copier_version: "9"\n',
    '{{ _copier_conf.answers_file }}.jinja': '{{ _copier_answers|to_nice_yaml }}\n',
  });
  git(template, 'init', '--quiet');
  commit(template);
  git(template, 'tag', 'v1');
  for (const [change, flags] of Object.entries(CHANGES)) {
    const theirs = generateProject(resolveFlags(flags));
    git(template, 'checkout', '--quiet', 'v1');
    for (const path of Object.keys(base)) rmSync(join(template, path));
    write(template, theirs);
    commit(template);
    git(template, 'tag', tagOf(change));
    for (const edits of Object.values(EDITS)) {
      const mine = edit(base, edits);
      const meet = Object.keys(base).some(path => mine[path] !== base[path] && theirs[path] !== base[path]);
      if (meet) found.push({ change, mine, base, theirs });
    }
  }
  return found;
}

/** The words of both sides that are not in the result, and those of the owner's among them. */
function judge({ mine, base: old, theirs }: Pair, { files }: Result): { lacks: string[]; lost: string[] } {
  const missing = (side: Project) =>
    Object.keys(side)
      .filter(path => path !== '.botcli.json')
      .flatMap(path => {
        const [before, now] = [new Set(wordsOf(old[path])), new Set(wordsOf(files[path]))];
        return wordsOf(side[path]).filter(word => !before.has(word) && !now.has(word));
      });
  const lost = missing(mine);
  return { lacks: [...lost, ...missing(theirs)], lost };
}

function wordsOf(text = ''): string[] {
  return text.split(/[\s,[\]"'(){}=]+/);
}

/** Whether ruff finds no syntax error, and no name that is undefined, unused or defined twice. */
function isSound(files: Project, room: string): boolean {
  const result = join(room, 'result');
  write(result, files);
  const words = [
    'tool',
    'run',
    '--quiet',
    'ruff@0.15.20',
    'check',
    '--no-cache',
    '--select',
    'E9,F',
    join(result, 'server'),
  ];
  return spawnSync(uv, words, { env, encoding: 'utf8' }).status === 0;
}

function tagOf(change: string): string {
  return `v2.${Object.keys(CHANGES).indexOf(change)}`;
}

function write(directory: string, files: Project): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', env });
}

function git(directory: string, ...args: string[]): string {
  return run('git', ['-C', directory, ...args]);
}

function commit(directory: string): void {
  git(directory, 'add', '--all', '--force');
  git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'x');
}
