import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../support/trees.ts';
import { attempt, check, installed, makeDirectory, run } from './workshop.ts';
import { BOT, made } from './yo.ts';

const BIN = join(installed, 'generator-botcli/dist/src/bin/botcli.js');
const COMPILED = join(installed, 'generator-botcli/dist/.compiled');

/** Checks that the package runs on a newer Node than the one of these tests, which keeps its compiled code. */
export async function checkNewerNode(expected: Readonly<Record<string, string>>): Promise<void> {
  const home = makeDirectory('newer-node');
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(home, 'node_modules', name, 'bin/node');
  const initialize = (place: string) => {
    const directory = makeDirectory(place);
    run(node, [BIN, 'init', made, ...BOT], directory);
    assert.deepEqual(readTree(join(directory, made)), expected);
    return join(directory, made);
  };
  await check(`npm install ${name}@24`, () => {
    run('npm', ['install', '--silent', '--prefix', home, `${name}@24`], home);
    assert.match(run(node, ['--version'], home), /^v24/);
  });
  await check('Node 24 keeps compiled code in the package', () => {
    initialize('compiles');
    assert.ok(readdirSync(COMPILED).some(name => name.startsWith('v24.')));
    const project = initialize('has-compiled');
    assert.match(run(node, [BIN, 'update', '--transcription'], project), /updated/);
  });
  await check('Node 24 runs where it can keep nothing', () => {
    rmSync(COMPILED, { recursive: true });
    writeFileSync(COMPILED, '');
    initialize('keeps-nothing');
    const { code, stdout, stderr } = attempt(node, [BIN, '--version'], home);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^\d/);
    rmSync(COMPILED);
  });
}
