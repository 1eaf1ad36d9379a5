import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../support/trees.ts';
import { check, installed, makeDirectory, place, project, run } from './workshop.ts';
import { made } from './yo.ts';

const WAYS = [
  'guides by-namespace',
  'guides by-class',
  'guides by-class-alone',
  'guides by-path',
  'guides by-require',
  'by-subclass',
];

/** Checks third-party generators that compose botcli's generators, or extend them. */
export async function checkImporters(version: string): Promise<void> {
  install('foreign');
  /** What a generator writes, which may have a word after its name. */
  const treeOf = (line: string, directory = '') => {
    const path = makeDirectory(`${version}/importers/${line}/${directory}`);
    run('yo', `foreign:${line}`.split(' '), path);
    return readTree(path);
  };

  await check(`${version}: a third-party generator composes the guides in ${WAYS.length} ways`, () => {
    const { 'AGENTS.md': agents = '', 'ASSISTANT.md': assistant = '' } = readTree(join(place, 'by-botcli', made));
    for (const way of WAYS) {
      assert.deepEqual(treeOf(way), { 'bot/AGENTS.md': agents, 'bot/ASSISTANT.md': assistant }, way);
    }
  });
  await check(`${version}: a third-party generator creates a bot and a client next to its own files`, () => {
    const {
      'AGENTS.md': _,
      'ASSISTANT.md': __,
      '.botcli.json': ___,
      ...expected
    } = readTree(join(place, 'by-botcli', made));
    for (const way of ['parts by-namespace', 'parts by-class']) {
      assert.deepEqual(treeOf(way, made), { ...expected, 'theirs.txt': 'theirs\n' }, way);
    }
  });
  await check(`${version}: a generator that extends one of botcli's runs programs and git`, () => {
    const { 'tools.json': tools = '', ...guides } = treeOf('with-tools');
    assert.deepEqual(JSON.parse(tools), { node: process.version, sync: process.version, git: 'object', clean: 'f' });
    assert.deepEqual(Object.keys(guides), ['AGENTS.md', 'ASSISTANT.md']);
  });
}

/** Checks a TypeScript program that imports botcli's generators and their types. */
export async function checkTypes(): Promise<void> {
  await check('third-party TypeScript compiles against the types, except for its deliberate errors', () => {
    const directory = install('typed');
    const compiler = join(project, 'node_modules/typescript/bin/tsc');
    run(process.execPath, [compiler, '--typeRoots', join(project, 'node_modules/@types')], directory);
  });
}

/** Installs a third-party generator next to botcli's, and returns its directory. */
function install(name: string): string {
  const directory = join(installed, `generator-${name}`);
  cpSync(join(import.meta.dirname, name), directory, { recursive: true });
  return directory;
}
