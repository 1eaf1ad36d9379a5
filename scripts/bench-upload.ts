/**
 * `npm run bench:upload` prints how long `cloud deploy` takes to find and hash 10,000 files of 500 MB, as a multiple of
 * reading and hashing the same bytes in the same run, and its memory. Nothing is asserted.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashArchive } from '../src/deploy/context/archive.ts';
import { readContext } from '../src/deploy/context/context.ts';
import { SECRET_NAMES } from '../src/project/protected.ts';

const [FOLDERS, FILES, BYTES] = [100, 100, 50_000];
const ROUNDS = 5;

const jobs: Record<string, (directory: string) => void | Promise<void>> = {
  read(directory) {
    const hash = createHash('md5');
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) hash.update(readFileSync(join(entry.parentPath, entry.name)));
    hash.digest('hex');
  },
  async hash(project) {
    const place = { deployFile: 'cloud-deploy.toml', directory: '.', buildFile: 'container-file', patterns: [] };
    const { files, problems } = readContext({ project, imports: [], ...place });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await hashArchive(files);
  },
};

const [name, directory] = process.argv.slice(2);
if (name && directory) {
  const start = performance.now();
  await jobs[name]?.(directory);
  const { user, system } = process.cpuUsage();
  const result = {
    ms: performance.now() - start,
    cpu: (user + system) / 1000,
    megabytes: process.resourceUsage().maxRSS / 1000,
  };
  process.stdout.write(JSON.stringify(result));
} else await compare();

async function compare(): Promise<void> {
  const { rolldown } = await import('rolldown');
  const workshop = realpathSync(mkdtempSync(join(tmpdir(), 'bench-upload-')));
  const [project, program] = [join(workshop, 'server'), join(workshop, 'bench.mjs')];
  try {
    const built = await rolldown({ input: fileURLToPath(import.meta.url), platform: 'node', external: 'rolldown' });
    await built.write({ file: program, format: 'esm' });
    grow(project);
    const results = Array.from({ length: ROUNDS }, () => [
      run(program, 'read', project),
      run(program, 'hash', project),
    ]);
    for (const [read, hash] of results) {
      if (!read || !hash) continue;
      const [time, cpu] = [hash.ms / read.ms, hash.cpu / read.cpu].map(ratio => `${ratio.toFixed(2)}x`);
      const memory = `${hash.megabytes.toFixed(0)} MB of memory (at most 100)`;
      console.log(`${hash.ms.toFixed(0)} ms: ${time} reading and MD5, ${cpu} in CPU time (at most 1.5x); ${memory}`);
    }
  } finally {
    rmSync(workshop, { recursive: true });
  }
}

function run(program: string, job: string, project: string): { ms: number; cpu: number; megabytes: number } {
  return JSON.parse(execFileSync(process.execPath, [program, job, project], { encoding: 'utf8' }));
}

/** A project with about the `.dockerignore` that botcli writes. */
function grow(server: string): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(server, `data/part-${folder}`), { recursive: true });
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(join(server, `data/part-${folder}/file-${file}.bin`), randomBytes(BYTES));
  }
  writeFileSync(
    join(server, '.dockerignore'),
    ['.env', '.venv', ...SECRET_NAMES].flatMap(name => [name, `**/${name}`]).join('\n'),
  );
  writeFileSync(join(server, 'container-file'), 'FROM base\n');
}
