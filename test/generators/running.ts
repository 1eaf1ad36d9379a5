import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Generator from 'yeoman-generator';
import { createHelpers } from 'yeoman-test';
import type { Project } from '../support/projects.ts';

const helpers = createHelpers({});

/** The environment of a generator's run. */
export interface Situation {
  /** Existing files. */
  before?: Project;
  /** The arguments after the generator's name. */
  words?: string[];
}

/** Runs a generator as Yeoman itself does, in a new directory. Returns the files that it wrote. */
export async function runGenerator(
  type: unknown,
  options: object = {},
  { before = {}, words = [] }: Situation = {},
): Promise<Project> {
  const { resolved } = type as { resolved?: string };
  const run = helpers.create(type as typeof Generator, { resolved, namespace: 'test:app' }, {});
  const prepare = (directory: string) => {
    for (const [name, text] of Object.entries(before)) writeFileSync(join(directory, name), text);
  };
  const result = await run.doInDir(prepare).withArguments(words).withOptions(options).run();
  const written = Object.keys(result.getSnapshot()).sort();
  const files = Object.fromEntries(written.map(path => [path, readFileSync(join(result.cwd, path), 'utf8')]));
  result.cleanup();
  return files;
}

/** A flag for each scaffold option, as a Yeoman host passes them. */
export const FLAGS = {
  name: 'Composed',
  transport: ['rtc_hosted', 'rtc_local'],
  mode: 'cascade',
  stt: 'openai_stt',
  llm: 'openai_llm',
  tts: 'openai_tts',
  eval: true,
};
