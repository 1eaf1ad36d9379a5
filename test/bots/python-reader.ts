import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Module, readPython } from '../../src/formats/python/module.ts';
import { runWell } from './processes.ts';
import type { Report } from './report.ts';
import { WORKSHOP } from './workshop.ts';

/** Of the standard library's modules, one in this many is compared, unless only this check runs. */
const SAMPLE = 25;
const NAME = 'python-reader';

/** Checks that our reader of Python finds the tokens, statements, scopes and names that Python itself finds. */
export async function checkPythonReader(report: Report, only?: string): Promise<void> {
  if (only !== undefined && only !== NAME) return;
  await report.check(NAME, "agrees with Python's own parser on its standard library", async () => {
    const find = 'import sysconfig; print(sysconfig.get_path("stdlib"))';
    const { stdout } = await runWell(['python3', '-c', find], { cwd: '.' });
    const modules = modulesIn(stdout.trim()).filter((_, at) => only === NAME || at % SAMPLE === 0);
    await mkdir(WORKSHOP, { recursive: true });
    const file = join(WORKSHOP, 'python-modules.jsonl');
    const output = openSync(file, 'w');
    for (const path of modules) writeSync(output, `${JSON.stringify({ path, ...describe(path) })}\n`);
    closeSync(output);
    const script = join(import.meta.dirname, 'check_python_reader.py');
    const result = await runWell(['python3', script, file], { cwd: '.', deadline: 1_800_000 });
    if (result.stdout !== '') throw new Error(result.stdout);
    if (!/in [1-9]\d* modules/.test(result.stderr)) throw new Error(`nothing was compared: ${result.stderr}`);
    return result.stderr.trim();
  });
}

/** The modules in UTF-8, in the order of their paths. Tests of Python's parser have modules that aren't Python. */
function modulesIn(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter(entry => entry.isFile() && entry.name.endsWith('.py'));
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort();
  return paths.filter(path => !path.includes('site-packages') && isUtf8(readFileSync(path)));
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes);
}

function describe(path: string) {
  const { statements, scopes, problems }: Module = readPython(readFileSync(path, 'utf8'));
  const indexes = new Map(scopes.map((scope, at) => [scope, at]));
  const indexOf = (scope: Module['scopes'][number] | undefined) => (scope && indexes.get(scope)) ?? null;
  return {
    tokens: statements.flatMap(({ tokens }) =>
      tokens.map(({ kind, code, line, column }) => [kind, code, line, column]),
    ),
    statements: statements.map(({ start, column, depth, scope }) => [start, column, depth, scope.path]),
    scopes: scopes.map(scope => ({
      kind: scope.kind,
      name: scope.name,
      line: scope.line,
      parent: indexOf(scope.parent),
      defines: [...scope.defines.keys()],
      uses: Object.fromEntries([...scope.uses.keys()].map(name => [name, indexOf(scope.resolve(name))])),
    })),
    problems,
  };
}
