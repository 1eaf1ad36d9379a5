import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Wall time of the built command's whole process, as a multiple of `node -e 0` in the same run. It is printed, never
// asserted: it varies between machines, and from minute to minute on the same machine.
const RUNS = 11;
const project = fileURLToPath(new URL('..', import.meta.url));
const bin = join(project, 'dist/src/bin/botcli.js');
const bot = ['-t', 'rtc_local', '-m', 'cascade', '--stt', 'openai_stt', '--llm', 'openai_llm', '--tts', 'openai_tts'];

/** A command in the table, and its limit. */
interface Row {
  name: string;
  args: string[];
  atMost?: number;
  /** The command that first makes a project, whose time isn't measured. */
  project?: string[];
  /** The directory to run in. Default: a new one. */
  cwd?: string;
  /** The exit code may be 1, too: what `check` finds depends on the machine. */
  mayFail?: boolean;
}

const example = mkdtempSync(join(tmpdir(), 'bench-check-'));
spawnSync(process.execPath, [bin, 'init', example, ...bot, '--eval', '--client-framework', 'component']);

const rows: Row[] = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'botcli --version', args: [bin, '--version'], atMost: 1.2 },
  { name: 'botcli --help', args: [bin, '--help'], atMost: 1.2 },
  { name: 'botcli init --help', args: [bin, 'init', '--help'], atMost: 1.2 },
  { name: 'botcli init --list-options', args: [bin, 'init', '--list-options'], atMost: 1.2 },
  { name: 'botcli init --dry-run, with flags', args: [bin, 'init', 'bench', ...bot, '--dry-run'], atMost: 1.6 },
  { name: 'botcli init quickstart, full write', args: [bin, 'init', 'quickstart'], atMost: 2.2 },
  {
    name: 'botcli init, with everything',
    args: [bin, 'init', 'bench', ...bot, '--eval', '--client-framework', 'component'],
    atMost: 2.9,
  },
  {
    name: 'botcli update, after an edit',
    args: [bin, 'update', 'bench', '--recording'],
    // Twice as long as `init`.
    atMost: 4.4,
    project: [bin, 'init', 'bench', ...bot],
  },
  { name: 'botcli check, with everything', args: [bin, 'check'], atMost: 2.5, cwd: example, mayFail: true },
  { name: 'botcli cloud secrets list', args: [bin, 'cloud', 'secrets', 'list'], atMost: 2.3 },
];

const cloud = await startCloud();
const times = new Map(rows.map(row => [row.name, [] as number[]]));
// Round by round, so that a slow minute affects every row.
for (let round = 0; round < RUNS; round += 1) {
  for (const row of rows) times.get(row.name)?.push(timeOnce(row));
}
cloud.kill();
rmSync(example, { recursive: true });
const base = median(times.get('node -e 0') ?? []);
console.log(`${'command'.padEnd(36)}${'median'.padStart(9)}${'multiple'.padStart(10)}${'at most'.padStart(9)}`);
for (const { name, atMost } of rows) {
  const time = median(times.get(name) ?? []);
  const cells = [`${time.toFixed(0)} ms`.padStart(9), `${(time / base).toFixed(2)}x`.padStart(10)];
  console.log(`${name.padEnd(36)}${cells.join('')}${(atMost ? `${atMost}x` : '').padStart(9)}`);
}
const installed = measureInstallation();
const { megabytes, packages, tarball } = installed;
console.log(
  `installed: ${megabytes.toFixed(1)} MB in ${packages} packages, from a tarball of ${tarball.toFixed(1)} MB; at most 5 MB in 1`,
);

function timeOnce({ args, project: made, cwd: fixed, mayFail }: Row): number {
  const cwd = fixed ?? mkdtempSync(join(tmpdir(), 'bench-'));
  if (made) {
    run(made, cwd);
    const path = join(cwd, 'bench/server/bot.py');
    writeFileSync(path, readFileSync(path, 'utf8').replace('friendly', 'patient'));
  }
  const start = performance.now();
  run(args, cwd, mayFail);
  const time = performance.now() - start;
  if (!fixed) rmSync(cwd, { recursive: true });
  return time;
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
