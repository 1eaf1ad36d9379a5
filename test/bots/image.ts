import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from './expect.ts';
import { runWell } from './processes.ts';
import { makeProject, QUICKSTART } from './projects.ts';
import type { Report } from './report.ts';
import { cleanEnvironment, runUv, WORKSHOP } from './workshop.ts';

/** The image of the cloud, as far as that goes without a container engine: what it copies, and what it installs. */
export async function checkImage(report: Report, only?: string): Promise<void> {
  if (only && only !== QUICKSTART.name) return;
  await report.check(QUICKSTART.name, 'its image gets what the bot imports', async () => {
    const server = join(await makeProject(QUICKSTART, join(WORKSHOP, 'image')), 'server');
    const file = await readFile(join(server, 'container-file'), 'utf8');
    const image = join(WORKSHOP, 'image', 'root');
    await rm(image, { recursive: true, force: true });
    await mkdir(image, { recursive: true });
    const copies = [...file.matchAll(/^COPY (\S+) (\S+)$/gm)];
    for (const [, source = '', destination = ''] of copies) await cp(join(server, source), join(image, destination));
    const sync = /uv (sync [^\n]*)/.exec(file)?.[1];
    expect(sync !== undefined, 'the container file installs nothing', file);
    await runUv(sync.split(' '), image);
    const env = cleanEnvironment([], { OPENAI_API_KEY: 'x' });
    await runWell([join(image, '.venv/bin/python'), '-c', 'import bot, pipecatcloud'], { cwd: image, env });
    return `${copies.length} files, uv ${sync}`;
  });
}
