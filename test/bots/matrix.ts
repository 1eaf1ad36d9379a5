import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transports } from '../../src/catalog/index.ts';
import { scenarioText } from '../../src/dev/talk/keep.ts';
import { OBSERVABILITY_REQUIREMENTS, PIPECAT_RELEASE, PIPECATCLOUD_REQUIREMENT } from '../../src/project/release.ts';
import { KEPT_EDITS, mergeOlder, OLDER } from '../merge/older-code.ts';
import { generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { growTree } from '../support/trees.ts';
import { fingerprint } from './fingerprint.ts';
import { checkGuides } from './guides.ts';
import { run, runWell } from './processes.ts';
import { makeProject, matrixProjects, type Project, QUICKSTART } from './projects.ts';
import { checkAll, expectNone, type Report } from './report.ts';
import { checkWeek } from './week.ts';
import { cleanEnvironment, ROOT, runUv, WORKSHOP } from './workshop.ts';

const MATRIX = join(WORKSHOP, 'matrix');
const CHECK_PROJECT = join(import.meta.dirname, 'check_project.py');
const CHECK_MS = 900_000;

/** The packages of bots without provider packages. */
const EXTRAS = ['runner', 'webrtc', 'silero', 'openai', 'daily', 'websocket', 'evals', 'mcp', 'tracing'];

/** Level 2: checks every project of the matrix with the tools that its developers would use. */
export async function checkMatrix(report: Report, only?: string): Promise<void> {
  const due = matrixProjects().filter(({ name }) => !only || only === name);
  if (only === 'guides' || !only)
    await checkGuides(report, join(await installFramework(), 'bin'), await packagedRuff());
  if (only === 'week' || !only) await checkWeek(report);
  if (due.length === 0) return;
  await rm(MATRIX, { recursive: true, force: true });
  await report.check(`${due.length} projects`, 'can be generated', () =>
    checkAll(due, project => writeProject(project)),
  );
  if (!only) await report.check('older projects', 'can be updated', async () => updateOlder());
  const projects = due.filter(({ name }) => existsSync(join(MATRIX, name)));
  const subject = `${projects.length} projects`;
  const bin = join(await installFramework(), 'bin');
  // The hermetic tests check the format with the packaged release.
  await report.check(subject, 'are formatted (ruff)', () => checkWithRuff('ruff', ['format', '--check']));
  for (const ruff of [await packagedRuff(), 'ruff']) {
    await report.check(subject, `have no lint errors (${ruff})`, () =>
      checkWithRuff(ruff, ['check', '--output-format', 'concise']),
    );
  }
  await report.check(subject, 'have no type errors (pyright)', () => checkTypes(bin, projects));
  await checkEach(report, bin, projects);
}

/** Words that mean something in YAML, or nothing in any version of it. */
const WORDS = [
  ...'yes on = << ~ 12:30 1:30.5 2026-11-27 1e3 0x1F 1_000 .5 " \' --- {a} [a &a *a'.split(' '),
  ...['!include x', '- a', 'a: b', 'a #b', '%YAML 1.2', 'persona: x', 'ü 🤖'],
];

/** A conversation that was kept: each message is also the argument of a tool, so that one proves the other. */
const KEPT = {
  'server/evals/kept.yaml': scenarioText(
    {
      name: 'kept',
      greeting: 'Hello!',
      turns: [...WORDS, 3, 1.5, true, null].map(said => ({
        said: String(said),
        answer: `You said: ${said}`,
        written: `You said: ${said}`,
        last: `You said: ${said}`,
        calls: [{ name: 'note', arguments: { said }, result: null, seconds: 0 }],
      })),
    },
    { criteria: [], hasJudge: true },
  ),
};

/** Writes what `botcli init` would write, and a conversation that was kept. The quickstart shows that it does, and so do the bots that run. */
async function writeProject(project: Project): Promise<void> {
  if (project === QUICKSTART) {
    await makeProject(project, MATRIX);
    return;
  }
  const files = generateProject(resolveFlags(project.config, undefined, project.name));
  growTree(join(MATRIX, project.name), 'server/evals/judge.py' in files ? { ...files, ...KEPT } : files);
}

/** Writes projects of an older release, each with other edits of its owner, after an update, for ruff. */
function updateOlder(): string {
  const now = generateProject(resolveFlags(OLDER));
  for (const [about, edits] of Object.entries(KEPT_EDITS)) {
    const merged = mergeOlder(edits, now).map(({ path, text }) => [path, text]);
    growTree(join(MATRIX, `older-${about.replaceAll(/\W+/g, '-')}`), { ...now, ...Object.fromEntries(merged) });
  }
  return Object.keys(KEPT_EDITS).join(', ');
}

/** Creates a virtual environment with the framework and the tools. It is reused until its packages change. */
async function installFramework(): Promise<string> {
  const framework = `pipecat-ai[${EXTRAS.join(',')}]==${PIPECAT_RELEASE}`;
  const own = transports.flatMap(({ packages = [] }) => packages);
  const requirements = [
    ...[framework, PIPECATCLOUD_REQUIREMENT, ...OBSERVABILITY_REQUIREMENTS, ...new Set(own)],
    ...['packaging', 'pyyaml', 'pyright'],
  ];
  const directory = join(WORKSHOP, 'framework', PIPECAT_RELEASE);
  const done = join(directory, 'installed');
  const contents = requirements.join('\n');
  if (existsSync(done) && (await readFile(done, 'utf8')) === contents) return directory;
  await runUv(['venv', '--quiet', '--clear', directory]);
  await runUv(['pip', 'install', '--quiet', '--python', join(directory, 'bin/python'), ...requirements]);
  await writeFile(done, contents);
  return directory;
}

/** The same version of ruff as in the hermetic tests, so that both agree on the format. */
async function packagedRuff(): Promise<string> {
  const manifest = await readFile(join(ROOT, 'node_modules/@wasm-fmt/ruff_fmt/package.json'), 'utf8');
  return `ruff@${JSON.parse(manifest).version}`;
}

/** Runs ruff once over all projects. It reads each project's own settings. */
async function checkWithRuff(ruff: string, args: readonly string[]): Promise<string> {
  await runUv(['tool', 'run', '--quiet', ruff, ...args, '--no-cache', '--no-respect-gitignore', MATRIX]);
  return 'the settings of each project';
}

/**
 * Runs pyright once over all projects, because it takes seconds to start. They use its default settings. A file is checked
 * once for all projects in which it and the modules that it imports are the same.
 */
async function checkTypes(bin: string, projects: readonly Project[]): Promise<string> {
  const servers = projects.map(({ name }) => join(MATRIX, name, 'server'));
  const all = (await Promise.all(servers.map(listSources))).flat();
  const sources = [...new Map(all.map(path => [fingerprint(path), path])).values()];
  const command = [join(bin, 'pyright'), '--pythonpath', join(bin, 'python'), ...sources];
  const { code, stdout, stderr } = await run(command, { cwd: MATRIX, env: cleanEnvironment(), deadline: CHECK_MS });
  if (code !== 0) throw new Error(stdout + stderr);
  return `${sources.length} different files of ${all.length}: ${stdout.trim()}`;
}

async function listSources(server: string): Promise<string[]> {
  const names = await readdir(server, { recursive: true }).catch(() => []);
  return names.filter(name => name.endsWith('.py')).map(name => join(server, name));
}

/** The output of `check_project.py` for each of its checks. */
type Results = Record<string, { passed: number; inapplicable: number; problems: string[] }>;

async function checkEach(report: Report, bin: string, projects: readonly Project[]): Promise<void> {
  const order = projects.map(({ name }) => join(MATRIX, name));
  const { stdout } = await runWell([join(bin, 'python'), CHECK_PROJECT], {
    cwd: MATRIX,
    env: cleanEnvironment(),
    input: JSON.stringify({ projects: order, extras: EXTRAS }),
    deadline: CHECK_MS,
  });
  const results: Results = JSON.parse(stdout);
  for (const [name, { passed, inapplicable, problems }] of Object.entries(results)) {
    await report.check(`${projects.length} projects`, name, async () =>
      expectNone(
        problems,
        inapplicable > 0 ? `${passed} passed, ${inapplicable} have nothing to check` : `${passed} passed`,
      ),
    );
  }
}
