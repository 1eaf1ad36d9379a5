import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from './expect.ts';
import { runWell } from './processes.ts';
import { makeProject, QUICKSTART } from './projects.ts';
import type { Report } from './report.ts';
import { cleanEnvironment, runUv, WORKSHOP } from './workshop.ts';

const IMAGE = join(WORKSHOP, 'image');

/** A package that every bot uses, with an older release for the lock file. */
const LOCKED = ['markdown', '3.7'] as const;

/** Checks what the cloud's image copies and installs. It needs no container engine. */
export async function checkImage(report: Report, only?: string): Promise<void> {
  if (only && only !== QUICKSTART.name) return;
  await report.check(QUICKSTART.name, 'its image contains the modules that the bot imports', async () => {
    const server = join(await makeProject(QUICKSTART, IMAGE), 'server');
    const { image, copied } = await buildImage(server);
    const env = cleanEnvironment([], { OPENAI_API_KEY: 'x' });
    await runWell([join(image, '.venv/bin/python'), '-c', 'import bot, pipecatcloud'], { cwd: image, env });
    return `${copied.join(', ')}; the newest releases`;
  });
  await report.check(QUICKSTART.name, 'its image contains the locked packages', async () => {
    const [name, release] = LOCKED;
    const server = join(await makeProject(QUICKSTART, IMAGE), 'server');
    await runUv(['lock', '--quiet', '--upgrade-package', `${name}==${release}`], server);
    const { image, copied } = await buildImage(server);
    const ask = `from importlib.metadata import version; print(version("${name}"))`;
    const { stdout } = await runWell([join(image, '.venv/bin/python'), '-c', ask], { cwd: image });
    const version = stdout.trim();
    expect(version === release, `${name} ${version}`, copied.join(', '));
    return `${copied.join(', ')}; ${name} ${version}`;
  });
}

/** Follows the container file in a plain directory: copies files, and installs packages. */
async function buildImage(server: string): Promise<{ image: string; copied: string[] }> {
  const file = await readFile(join(server, 'container-file'), 'utf8');
  const image = join(IMAGE, 'root');
  await rm(image, { recursive: true, force: true });
  await mkdir(image, { recursive: true });
  const copied: string[] = [];
  for (const [, sources = '', destination = ''] of file.matchAll(/^COPY (.+) (\S+)$/gm)) {
    for (const source of await expand(sources.split(' '), server)) {
      const name = destination.endsWith('/') ? source : destination;
      await cp(join(server, source), join(image, name));
      copied.push(source);
    }
  }
  const sync = /uv (sync [^\n]*)/.exec(file)?.[1];
  expect(sync !== undefined, 'the container file installs nothing', file);
  await runUv(sync.split(' '), image);
  return { image, copied };
}

/** The files that source patterns match. As in a container file, a pattern may match none. */
async function expand(sources: readonly string[], server: string): Promise<string[]> {
  const there = await readdir(server);
  return sources
    .map(source => source.replace(/^\.\//, ''))
    .flatMap(source => (source.endsWith('*') ? there.filter(name => name.startsWith(source.slice(0, -1))) : [source]));
}
