import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Environment from 'yeoman-environment';
import { createEnv } from 'yeoman-environment';
import type Generator from 'yeoman-generator';
import { GENERATORS, generatorModule, namespaceOf } from '../package-root.ts';
import { explainingDiskErrors } from '../writing/disk-error.ts';
import type { RenderedFile } from '../writing/plan.ts';
import { findTarget } from '../writing/target.ts';
import { QuietAdapter } from './quiet-adapter.ts';

/** Which generators to run, and how. */
export interface RenderingRequest {
  namespace: string;
  directory: string;
  options: Record<string, unknown>;
  generators: Generators;
}

/** Generators by namespace: the path of a module, or a class. */
export type Generators = Readonly<Record<string, string | (new (...args: never[]) => object)>>;

/** What the generators left in memory. */
export interface Rendering {
  files: RenderedFile[];
  /** Paths that the generators kept, as they reported them. */
  skipped: string[];
}

/** The fields of Yeoman's pending files that matter here. */
interface PendingFile {
  path: string;
  contents: Buffer | null;
  state?: string;
  conflicter?: string;
}

/** Our generators, from the sources or the built modules. */
export const ownGenerators = (): Generators =>
  Object.fromEntries(GENERATORS.map(name => [namespaceOf(name), generatorModule(name)]));

/** Runs a generator, and those that it composes, in memory. It asks, prints, installs and writes nothing. */
export async function render(request: RenderingRequest, signal: AbortSignal): Promise<Rendering> {
  const { namespace, directory, options, generators } = request;
  // A generator's constructor creates the environment's directory, so pass one that exists.
  const { base } = findTarget(directory);
  const adapter = new QuietAdapter();
  const quiet = { skipInstall: true, skipCache: true, skipLocalCache: true, localConfigOnly: true };
  // Generators get values, never words, and Yeoman would look for words with each option that they declare.
  const wordless = { skipParseOptions: true };
  const shared: object = { directory };
  const env = createEnv({ cwd: base, adapter, ...quiet, ...wordless, sharedOptions: shared });
  explainingDiskErrors(`read ${base}`, () => hideSettings(env));
  for (const entry of Object.entries(generators)) register(env, ...entry);

  const stop = () => adapter.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const generator = await env.create<Generator>(namespace, { generatorArgs: [], generatorOptions: options });
    // The first generator sets these two for the whole environment. `true` means "done elsewhere": our commit writes the
    // files after the run, and nothing installs.
    generator.setFeatures({ customCommitTask: true, customInstallTask: true });
    await env.runGenerator(generator);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { files: collectFiles(env), skipped: adapter.skipped };
}

function register(env: Environment, namespace: string, generator: Generators[string]): void {
  if (typeof generator !== 'string') {
    env.register(generator, { namespace, resolved: 'unknown' });
    return;
  }
  // Given only a path, the environment would `require` it, which fails for TypeScript and on some versions of Node 20.
  const lazy = { createGenerator: () => import(pathToFileURL(generator).href) };
  env.register(lazy, { namespace, resolved: generator, packagePath: packageRoot(generator) });
}

function packageRoot(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(join(parent, 'package.json')) ? parent : packageRoot(parent);
}

/**
 * Every generator reads Yeoman's settings in its constructor, and fails if the user's aren't valid JSON. Our generators
 * don't use them, so they get empty ones in memory.
 */
function hideSettings({ cwd, sharedFs }: Environment): void {
  for (const name of ['.yo-rc.json', '.yo-rc-global.json']) {
    Object.assign(sharedFs.get(join(cwd, name)), { contents: Buffer.from('{}') });
  }
}

function collectFiles(env: Environment): RenderedFile[] {
  const files: RenderedFile[] = [];
  env.sharedFs.each((file: PendingFile) => {
    if (file.state === 'deleted') throw new Error(`A generator deleted ${file.path}. Generators only write.`);
    if (file.state !== 'modified' || !file.contents) return;
    files.push({ path: file.path, contents: file.contents, onConflict: policyOf(file) });
  });
  return files;
}

function policyOf({ conflicter }: PendingFile): RenderedFile['onConflict'] {
  if (conflicter === 'skip') return 'keep';
  return conflicter === 'force' ? 'overwrite' : 'refuse';
}
