import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import type { Report } from '../bots/report.ts';
import { clientMatrix, generateProject } from '../support/projects.ts';
import { growTree } from '../support/trees.ts';
import { buildClient, type Client, generateClient, installClient, npm } from './clients.ts';

const BOTH = ['rtc_local', 'rtc_hosted'];

/** The configurations to build: those that differ most from what the other levels build. */
const BUILT: Record<string, RawConfig> = {
  'hosted, video in': { transports: ['rtc_hosted'], video_input: true },
  'both, avatar': { transports: BOTH, video_service: 'simli_video', video_input: true },
};

/** Level 1: installs each kind of client, and checks all its configurations with its own tools. */
export async function checkBuilds(report: Report, clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    const installed = await report.check(client.name, 'installs', () => installClient(client));
    if (!installed) continue;
    await report.check(client.name, 'has no type or lint errors in any configuration', () => checkShapes(client));
    for (const [about, config] of Object.entries(BUILT)) {
      await report.check(client.name, `builds: ${about}`, async () => {
        await generateClient(client, config);
        await buildClient(client);
        return 'npm run build';
      });
    }
  }
}

/** Where the other configurations are, in the directory of one. Its tools check them as if they were parts of it. */
const SHAPES = 'shapes';

/** Starts each tool once, because most of its time is for the types of packages. */
async function checkShapes(client: Client): Promise<string> {
  const directory = await generateClient(client, { transports: BOTH, video_input: true });
  const shapes = clientMatrix([client.choice]);
  for (const [at, shape] of shapes.entries()) {
    const files = Object.entries(generateProject(shape)).filter(([path]) => /^client\/.*\.tsx?$/.test(path));
    growTree(join(directory, SHAPES, `${at + 1}`), Object.fromEntries(files));
  }
  const settings = join(directory, 'tsconfig.json');
  const { include, ...rest } = JSON.parse(await readFile(settings, 'utf8'));
  await writeFile(settings, JSON.stringify({ ...rest, include: [...include, SHAPES] }));
  for (const tool of [['typecheck'], ['lint', '--', '--max-warnings=0']]) await npm(directory, ['run', ...tool]);
  return `${shapes.length} configurations`;
}
