import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { OPENAI } from '../bots/projects.ts';
import type { Report } from '../bots/report.ts';
import { generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { buildClient, type Client, generateClient, installClient, npm, REALTIME_BOT } from './clients.ts';

const BOTS: Record<string, RawConfig> = {
  local: { transports: ['rtc_local'] },
  hosted: { transports: ['rtc_hosted'] },
  both: { transports: ['rtc_local', 'rtc_hosted'] },
  realtime: { transports: ['rtc_local'], ...REALTIME_BOT },
};
const VIDEOS: Record<string, RawConfig> = {
  'no video': {},
  'video in': { video_input: true },
  'video out': { video_output: true },
  'video in and out': { video_input: true, video_output: true },
  avatar: { video_service: 'simli_video', video_input: true },
};

/** The configurations to build: those that differ most from what the other levels build. */
const BUILT = ['hosted, video in', 'both, avatar'];

/** Level 1: installs each kind of client, and checks all its configurations with its own tools. */
export async function checkBuilds(report: Report, clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    const installed = await report.check(client.name, 'installs', () => installClient(client));
    if (!installed) continue;
    await report.check(client.name, 'has no type or lint errors in any configuration', () => checkShapes(client));
    for (const shape of BUILT) {
      await report.check(client.name, `builds: ${shape}`, async () => {
        await generateClient(client, configOf(shape));
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
  const directory = await generateClient(client, configOf('both, video in'));
  const shapes = Object.keys(BOTS).flatMap(one => Object.keys(VIDEOS).map(other => `${one}, ${other}`));
  for (const [at, shape] of shapes.entries()) {
    const project = generateProject(resolveFlags({ ...OPENAI, ...client.choice, ...configOf(shape) }));
    for (const [path, text] of Object.entries(project)) {
      if (!/^client\/.*\.tsx?$/.test(path)) continue;
      const destination = join(directory, SHAPES, `${at + 1}`, path);
      await mkdir(dirname(destination), { recursive: true });
      await writeFile(destination, text);
    }
  }
  await includeShapes(join(directory, 'tsconfig.json'));
  for (const tool of [['typecheck'], ['lint', '--', '--max-warnings=0']]) await npm(directory, ['run', ...tool]);
  return `${shapes.length} configurations`;
}

/** Adds the other configurations to those files that TypeScript checks. */
async function includeShapes(path: string): Promise<void> {
  const settings = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...settings, include: [...settings.include, SHAPES] }));
}

function configOf(shape: string): RawConfig {
  const [bot = '', video = ''] = shape.split(', ');
  return { ...BOTS[bot], ...VIDEOS[video] };
}
