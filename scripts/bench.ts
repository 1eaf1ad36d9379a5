import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run bench` prints the wall time of commands, as whole processes of the build, in multiples of `node -e 0` in the
 * same run. Nothing is asserted: times vary between machines, and from minute to minute on the same one.
 *
 *   --runs N       how often each command runs; default: 11
 *   --beside DIR   also run the build of this checkout, turn about; can be repeated
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '11' }, beside: { type: 'string', multiple: true, default: [] } },
});
const project = fileURLToPath(new URL('..', import.meta.url));
const binOf = (checkout: string): string => join(resolve(checkout), 'dist/src/bin/botcli.js');
const builds = [project, ...values.beside];
const bot = ['-t', 'rtc_local', '-m', 'cascade', '--stt', 'openai_stt', '--llm', 'openai_llm', '--tts', 'openai_tts'];
const everything = [...bot, '--eval', '--client-framework', 'component'];

/** A command in the table. */
interface Row {
  name: string;
  args: string[];
  /** The multiple that it should hold. */
  atMost?: number;
  /** The command that first makes a project, whose time isn't measured. */
  project?: string[];
  /** The directory to run in. Default: a new one. */
  cwd?: string;
  /** The exit code may be 1, too: what `check` finds depends on the machine. */
  mayFail?: boolean;
}

const example = mkdtempSync(join(tmpdir(), 'bench-check-'));
spawnSync(process.execPath, [binOf(project), 'init', example, ...everything]);

const deployed = mkdtempSync(join(tmpdir(), 'bench-deploy-'));
const cloud = await startCloud();
run([binOf(project), 'init', deployed, ...bot, '--deploy-to-cloud'], project);
writeFileSync(join(deployed, 'server/.env'), 'OPENAI_API_KEY=x\n');
// This takes as long as the local cloud's builds and rollouts.
run([binOf(project), 'cloud', 'deploy', '--secrets', 'server/.env', '--skip'], deployed);

const rows: Row[] = [
  { name: '--version', args: ['--version'], atMost: 1.15 },
  { name: '--help', args: ['--help'], atMost: 1.2 },
  { name: 'init --help', args: ['init', '--help'], atMost: 1.25 },
  { name: 'init --list-options', args: ['init', '--list-options'], atMost: 1.25 },
  { name: 'init --dry-run, with flags', args: ['init', 'bench', ...bot, '--dry-run'], atMost: 1.5 },
  { name: 'init quickstart, full write', args: ['init', 'quickstart'], atMost: 2.1 },
  { name: 'init, with everything', args: ['init', 'bench', ...everything], atMost: 2.6 },
  {
    name: 'update, after an edit',
    args: ['update', 'bench', '--recording'],
    atMost: 2.6,
    project: ['init', 'bench', ...bot],
  },
  { name: 'check, with everything', args: ['check'], atMost: 2, cwd: example, mayFail: true },
  { name: 'cloud secrets list', args: ['cloud', 'secrets', 'list'], atMost: 2 },
  { name: 'cloud deploy, unchanged', args: ['cloud', 'deploy', '--skip'], atMost: 3, cwd: deployed },
];

const empty: number[] = [];
const times = rows.map(() => builds.map((): number[] => []));
// Round by round, so that a slow minute affects every row.
for (let round = 0; round < Number(values.runs); round += 1) {
  empty.push(timeOnce(() => run(['-e', '0'], project)));
  for (const [at, row] of rows.entries()) {
    for (const [which, build] of builds.entries()) times[at]?.[which]?.push(timeRow(row, binOf(build)));
  }
}
cloud.kill();
for (const directory of [example, deployed]) rmSync(directory, { recursive: true });
const base = median(empty);
console.log(`node -e 0: ${base.toFixed(0)} ms`);
console.log(['botcli'.padEnd(30), 'at most', ...builds.map(build => basename(resolve(build)))].join('  '));
for (const [at, { name, atMost }] of rows.entries()) {
  const multiples = builds.map((build, which) =>
    `${(median(times[at]?.[which] ?? []) / base).toFixed(2)}x`.padStart(basename(resolve(build)).length),
  );
  console.log([name.padEnd(30), `${atMost}x`.padStart(7), ...multiples].join('  '));
}
const installed = measureInstallation();
const { megabytes, packages, tarball } = installed;
console.log(
  `installed: ${megabytes.toFixed(1)} MB in ${packages} packages, from a tarball of ${tarball.toFixed(1)} MB; at most 5 MB in 1`,
);

/** The milliseconds of a command. A build that lacks the command has none. */
function timeRow({ args, project: made, cwd: fixed, mayFail }: Row, bin: string): number {
  const cwd = fixed ?? mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    if (made) {
      run([bin, ...made], cwd);
      const path = join(cwd, 'bench/server/bot.py');
      writeFileSync(path, readFileSync(path, 'utf8').replace('friendly', 'patient'));
    }
    return timeOnce(() => run([bin, ...args], cwd, mayFail));
  } catch (error) {
    if (bin === binOf(project)) throw error;
    return Number.NaN;
  } finally {
    if (!fixed) rmSync(cwd, { recursive: true });
  }
}

function timeOnce(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function run(args: string[], cwd: string, mayFail = false): void {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: cloud.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0 && !(mayFail && status === 1)) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
}

/** The local cloud in a separate process, because this one blocks while a command runs. */
async function startCloud() {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', join(project, 'scripts/cloud-local.ts'), '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill());
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.on('exit', code => reject(new Error(`The local cloud ended with ${code}: ${output}`)));
    child.stdout.on('data', chunk => {
      output += chunk;
      if (/BOTCLI_TOKEN=\S+\s/.test(output)) resolve();
    });
  });
  const variables = [...output.matchAll(/(BOTCLI_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
  return { kill: () => child.kill(), env: { ...process.env, BOTCLI_ORG: 'acme', ...Object.fromEntries(variables) } };
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** What `npm install generator-botcli` installs. */
function measureInstallation() {
  const directory = mkdtempSync(join(tmpdir(), 'bench-install-'));
  const npm = (args: readonly string[], cwd: string): string => {
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  };
  const [{ filename, size }] = JSON.parse(npm(['pack', '--json', '--pack-destination', directory], project));
  npm(['install', '--silent', '--no-audit', '--prefix', directory, join(directory, filename)], directory);
  const modules = join(directory, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const megabytes = sizeOf(modules) / 1e6;
  rmSync(directory, { recursive: true });
  return { packages: Object.keys(lock.packages).length, megabytes, tarball: size / 1e6 };
}

function sizeOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return entries.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
