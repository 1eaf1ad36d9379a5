import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

// Runs the tests. The first word may be `--all`, or `--slow` for the slow ones alone. The other words go to mocha.

const ROOT = join(import.meta.dirname, '..');
/** The compiled tests, and what they import. */
const COMPILED = join(ROOT, '.build/tests');
const SETUP = 'test/support/program';
const MEMORY = '/dev/shm';
/** More bytes than the tests have on the disk at a time. */
const MOST_WRITTEN = 2 ** 30;

const words = process.argv.slice(2);
const choice = /^--(all|slow)$/.test(words[0] ?? '') ? words.shift() : undefined;
const tests = filesIn('test').filter(name => name.endsWith('.test'));
const isWanted = (name: string) => choice === '--all' || name.endsWith('.slow.test') === (choice === '--slow');
const wanted = tests.filter(isWanted);
const rest = choice ? '' : `, without ${tests.length - wanted.length} slow ones, which npm run check runs`;
console.log(`Running ${wanted.length} test files${rest}`);
await compile([...wanted, SETUP, ...filesIn('generators').filter(name => name.endsWith('/index'))]);
process.exitCode = runMocha(wanted, words);

/** The TypeScript files in a directory, without their extension. */
function filesIn(directory: string): string[] {
  const names = readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' });
  const files = names.filter(name => name.endsWith('.ts') && !name.includes('templates'));
  return files.map(name => `${directory}/${name.replaceAll('\\', '/').slice(0, -'.ts'.length)}`).sort();
}

/**
 * Compiles each module once. With a loader, each process of mocha would compile them, and the program would wait for it in
 * each `import()`.
 */
async function compile(entries: readonly string[]): Promise<void> {
  rmSync(COMPILED, { recursive: true, force: true });
  const build = await rolldown({
    input: Object.fromEntries(entries.map(name => [name, join(ROOT, `${name}.ts`)])),
    platform: 'node',
    // All but relative paths, and absolute ones on any system.
    external: /^(?![A-Za-z]:)[^./]/,
    treeshake: false,
    plugins: [{ name: 'original paths', transform: (code, id) => ({ code: withPaths(code, id), map: null }) }],
  });
  const modules = { preserveModules: true, preserveModulesRoot: ROOT, entryFileNames: '[name].js' };
  await build.write({ dir: COMPILED, ...modules, sourcemap: true });
  await build.close();
  for (const data of ['generators', 'src/guide/pages']) {
    cpSync(join(ROOT, data), join(COMPILED, data), { recursive: true });
  }
}

/** Modules find other files at their original paths. Only the generators are where the compiled ones are. */
function withPaths(code: string, id: string): string {
  if (id.endsWith('package-root.ts')) return code;
  const paths = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id };
  return Object.entries(paths).reduce(
    (text, [name, path]) => text.replaceAll(`import.meta.${name}`, () => JSON.stringify(path)),
    code,
  );
}

function runMocha(files: readonly string[], options: readonly string[]): number {
  const compiled = (name: string) => join(COMPILED, `${name}.js`);
  const config = join(COMPILED, 'mocharc.json');
  const settings = JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8'));
  const own = { 'node-option': ['enable-source-maps'], require: [compiled(SETUP)], spec: files.map(compiled) };
  writeFileSync(config, JSON.stringify({ ...settings, ...own }));
  const mocha = [join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--config', config, ...options];
  const memory = directoryInMemory();
  const env = { ...process.env, ...(memory && { TMPDIR: memory }) };
  try {
    return spawnSync(process.execPath, mocha, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
  } finally {
    if (memory) rmSync(memory, { recursive: true, force: true });
  }
}

/**
 * A new directory in memory, where Linux has one with enough room and from which programs may start. The tests write
 * thousands of files, and half of their time would go into a disk.
 */
function directoryInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (process.env.TMPDIR || bavail * bsize < MOST_WRITTEN) return undefined;
    const directory = mkdtempSync(join(realpathSync(MEMORY), 'botcli-'));
    // Some tests run programs as other users.
    chmodSync(directory, 0o711);
    const program = join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0) return directory;
    rmSync(directory, { recursive: true });
    return undefined;
  } catch {
    return undefined;
  }
}
