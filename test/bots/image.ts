import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PIPECATCLOUD_REQUIREMENT } from '../../src/project/release.ts';
import { growTree } from '../support/trees.ts';
import { expect } from './expect.ts';
import { type Ending, run, runWell } from './processes.ts';
import { makeProject, QUICKSTART } from './projects.ts';
import type { Report } from './report.ts';
import { cleanEnvironment, ensureUv, runUv, WORKSHOP } from './workshop.ts';

const IMAGE = join(WORKSHOP, 'image');
const CONTEXT = join(IMAGE, 'context');
const ROOT = join(IMAGE, 'root');
const PACKING = join(import.meta.dirname, 'packing.py');
const INSTALL_MS = 900_000;

/** A package that every bot uses, with an older release for the lock file. */
const LOCKED = ['markdown', '3.7'] as const;

/** What a bot's owner adds: modules and data that it uses. */
const ADDED = {
  'tools.py': 'from pathlib import Path\nPROMPT = Path("prompt.md").read_text()\n',
  'prompt.md': 'Be kind.',
  ...Object.fromEntries(['tools/weather.py', 'data/prices.json', 'monkey.json'].map(name => [name, '"x"'])),
};

/** What people, and running and testing a bot, create in its directory. */
const PRIVATE = [
  ...['.env', '.env.local', '.venv/pyvenv.cfg', 'bot.log', 'certificates/server.key', 'google-credentials.json'],
  ...['keys/my-service-account.json', 'my-project-123456-0a1b2c3d4e5f.json', 'sa.json'],
  ...['eval-runs/run.json', 'recordings/call.wav', 'calls/one.jsonl', 'tools/__pycache__/weather.cpython-312.pyc'],
];

/** Checks what the cloud's image contains and installs. It needs no container engine. */
export async function checkImage(report: Report, only?: string): Promise<void> {
  if (only && only !== QUICKSTART.name) return;
  const makeServer = async () => join(await makeProject(QUICKSTART, IMAGE), 'server');
  await report.check(QUICKSTART.name, 'its image contains what its owner adds, and nothing private', async () => {
    const server = await makeServer();
    growTree(server, { ...ADDED, ...Object.fromEntries(PRIVATE.map(name => [name, 'x'])) });
    await appendFile(join(server, 'bot.py'), 'import tools\n');
    const run = await buildImage(server);
    const contents = await readdir(CONTEXT, { recursive: true });
    for (const name of PRIVATE) expect(!contents.includes(name), `${name} is in the image`);
    expect(!contents.some(name => name.startsWith('evals')), 'evals are in the image');
    for (const name of Object.keys(ADDED)) expect(contents.includes(name), `${name} is not in the image`);
    const prompt = await run('import bot, pipecatcloud; print(bot.tools.PROMPT)');
    expect(prompt === ADDED['prompt.md'], 'another prompt', prompt);
    return contents.sort().join(', ');
  });
  await report.check(QUICKSTART.name, 'its image contains the locked packages', async () => {
    const [name, release] = LOCKED;
    const server = await makeServer();
    await runUv(['lock', '--quiet', '--upgrade-package', `${name}==${release}`], server);
    const run = await buildImage(server);
    const version = await run(`from importlib.metadata import version; print(version("${name}"))`);
    expect(version === release, `${name} ${version}`);
    return `${name} ${version}`;
  });
  await report.check(QUICKSTART.name, "its image isn't built with an outdated lock file", async () => {
    const server = await makeServer();
    await runUv(['lock', '--quiet'], server);
    const path = join(server, 'pyproject.toml');
    await writeFile(path, (await readFile(path, 'utf8')).replace('dependencies = [\n', '$&    "tabulate",\n'));
    const { code, stderr } = await installImage(server);
    expect(code !== 0 && stderr.includes('--locked'), `exit code ${code}`, stderr);
    return stderr.trim().split('\n').at(-1) ?? '';
  });
}

/** Builds the image, and returns what runs a line of Python in it. */
async function buildImage(server: string): Promise<(line: string) => Promise<string>> {
  const { code, stdout, stderr } = await installImage(server);
  expect(code === 0, `exit code ${code}`, stdout + stderr);
  const place = { cwd: ROOT, env: cleanEnvironment([], { OPENAI_API_KEY: 'x' }) };
  return async line => (await runWell([join(ROOT, '.venv/bin/python'), '-c', line], place)).stdout.trim();
}

/** Packs a project as the platform does, then follows the container file in a plain directory. */
async function installImage(server: string): Promise<Ending> {
  for (const directory of [CONTEXT, ROOT]) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
  }
  await runUv(['run', '--no-project', '--with', PIPECATCLOUD_REQUIREMENT, 'python', PACKING, server, CONTEXT], IMAGE);
  const file = await readFile(join(CONTEXT, 'container-file'), 'utf8');
  const [, sync] = /^ {4}(uv sync .*)$/m.exec(file) ?? [];
  expect(sync !== undefined, 'the container file installs nothing', file);
  const [packages = '', everything = '', ...others] = [...file.matchAll(/^COPY (.+) \S+$/gm)].map(
    ([, list = '']) => list,
  );
  expect(everything === '.' && others.length === 0, 'the container file copies something else', file);
  // As in a container file, a pattern may match no file.
  const there = await readdir(CONTEXT);
  const sources = packages.split(' ').map(source => source.replace(/^\.\//, ''));
  const matching = sources.flatMap(source =>
    source.endsWith('*') ? there.filter(name => name.startsWith(source.slice(0, -1))) : [source],
  );
  for (const name of matching) await cp(join(CONTEXT, name), join(ROOT, name));
  const env = cleanEnvironment();
  env.PATH = `${dirname(await ensureUv())}:${env.PATH}`;
  const ending = await run(['sh', '-c', sync], { cwd: ROOT, env, deadline: INSTALL_MS });
  await cp(CONTEXT, ROOT, { recursive: true });
  return ending;
}
