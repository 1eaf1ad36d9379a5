import assert from 'node:assert/strict';
import type { Finding } from '../../src/check/checks/finding.ts';
import { checkCommand } from '../../src/check/command.ts';
import type { Machine } from '../../src/check/this-machine.ts';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { assertSecretive, SECRET } from './cloud-session.ts';
import { generateProject } from './projects.ts';
import { openRecorded, type Surroundings } from './session.ts';
import type { Tree } from './trees.ts';

/** A machine with everything that a project needs. */
const GOOD_MACHINE: Machine = {
  node: '24.1.0',
  uvVersion: async () => '0.9.1',
  refusedByPython: async () => new Map(),
  hasAtHome: () => true,
  isFree: async () => true,
  ollamaModels: async () => ['llama3.2:latest'],
};

/**
 * A new project whose keys are filled in: as if its owner had copied `.env.example` and edited each line. The packages of
 * its web client are installed.
 */
export async function filledProject(config: ScaffoldConfig): Promise<Tree> {
  const project = generateProject(config);
  return { ...project, ...packagesOf(project), 'server/.env': fillIn(project['server/.env.example'] ?? '') };
}

function packagesOf({ 'client/package.json': text = '{}' }: Tree): Tree {
  const { dependencies, devDependencies } = JSON.parse(text);
  const packages = Object.entries<string>({ ...dependencies, ...devDependencies });
  const manifest = (range: string) => JSON.stringify({ version: range.replace(/^[~^]/, '') });
  return Object.fromEntries(
    packages.map(([name, range]) => [`client/node_modules/${name}/package.json`, manifest(range)]),
  );
}

export const fillIn = (example: string): string =>
  example
    .replaceAll(/^(\w+_(?:URL|ENDPOINT))=$/gm, `$1=https://${SECRET}/$1`)
    .replaceAll(/^(\w+)=$/gm, `$1=${SECRET}-$1`);

export interface Checked {
  code: number;
  findings: Finding[];
  stdout: string;
  stderr: string;
}

/** How to check: the options of the command, the machine, and more. */
export interface CheckSettings extends Surroundings, Partial<Omit<Parameters<typeof checkCommand>[0], 'machine'>> {
  options?: { keys?: boolean; cloud?: boolean; organization?: string };
  directory?: string;
  machine?: Partial<Machine>;
}

/**
 * Runs `botcli check` in a directory, once for people and once for programs. Fails if any output contains a secret, or if
 * the two differ.
 */
export async function check(root: string, settings: CheckSettings = {}): Promise<Checked> {
  const { options = {}, directory, machine, askPlatform = noPlatform, providers, ...surroundings } = settings;
  const command = checkCommand({
    askPlatform,
    machine: () => ({ ...GOOD_MACHINE, ...machine }),
    ...(providers && { providers }),
  });
  const positionals = { directory };
  const people = openRecorded(root, surroundings);
  const code = (await command.run({ positionals, options }, people.terminal)) ?? 0;
  const program = openRecorded(root, surroundings);
  assert.equal((await command.run({ positionals, options: { ...options, json: true } }, program.terminal)) ?? 0, code);
  const { ok, findings } = JSON.parse(program.written.stdout) as { ok: boolean; findings: Finding[] };
  assert.equal(ok, code === 0);
  for (const { message } of findings) assert(people.written.stdout.includes(message), message);
  assertSecretive(JSON.stringify([people.written, program.written]));
  return { code, findings, ...people.written };
}

const noPlatform = () => assert.fail('The platform was asked');

/** A finding on one line: its level, code, message, and what fixes it. */
export function summarize({ level, code, message, hint, fix }: Finding): string {
  const target = fix === undefined ? (hint ?? 'nothing to do') : 'command' in fix ? fix.command : fix.url;
  return `${level} ${code}: ${message} -> ${target}`;
}
