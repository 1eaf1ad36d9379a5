import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RawConfig } from '../../src/config/options.ts';
import { expectNone, type Report } from '../bots/report.ts';
import { type Client, directoryOf, generateClient, installClient, npm, REALTIME_BOT } from './clients.ts';

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
  avatar: { video_service: 'simli_video', video_input: true },
};

/** The configurations to build as well: each kind of bot and each kind of video once. */
const BUILT = ['local, no video', 'hosted, video in', 'local, video out', 'both, avatar'];

/** Level 1: installs each kind of client, and checks all its configurations with its own tools. */
export async function checkBuilds(report: Report, clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    const installed = await report.check(client.name, 'installs', () => installClient(client));
    if (!installed) continue;
    await report.check(client.name, 'has no type or lint errors in any configuration', () => checkShapes(client));
    for (const shape of BUILT) {
      await report.check(client.name, `builds: ${shape}`, async () => {
        await generateClient(client, configOf(shape));
        // Ignore npm's own warnings, which are about its configuration on this machine.
        const { stdout, stderr } = await npm(directoryOf(client), ['run', 'build', '--loglevel=error']);
        expectNone(/\bwarn(ing)?\b/i.test(stdout + stderr) ? [stdout + stderr] : [], '');
        return sizesOf(directoryOf(client));
      });
    }
  }
}

/** Configurations with identical files are checked once. */
async function checkShapes(client: Client): Promise<string> {
  const seen = new Set<string>();
  const shapes = Object.keys(BOTS).flatMap(one => Object.keys(VIDEOS).map(other => `${one}, ${other}`));
  for (const shape of shapes) {
    const directory = await generateClient(client, configOf(shape));
    const print = await fingerprint(directory);
    if (seen.has(print)) continue;
    seen.add(print);
    const problem = await check(directory);
    if (problem) throw new Error(`${shape}: ${problem}`);
  }
  return `${shapes.length} configurations, ${seen.size} different`;
}

/** Checks types and style at the same time, because each uses one core. */
async function check(directory: string): Promise<string | undefined> {
  const tools = [['typecheck'], ['lint', '--', '--max-warnings=0']];
  const problems = await Promise.all(
    tools.map(tool =>
      npm(directory, ['run', ...tool]).then(
        () => [],
        (error: Error) => [error.message],
      ),
    ),
  );
  return problems.flat().join('\n') || undefined;
}

function configOf(shape: string): RawConfig {
  const [bot = '', video = ''] = shape.split(', ');
  return { ...BOTS[bot], ...VIDEOS[video] };
}

/** A hash of a client's sources. */
async function fingerprint(directory: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await filesIn(join(directory, 'src'))).sort()) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

async function filesIn(directory: string): Promise<string[]> {
  const paths = (await readdir(directory, { recursive: true })).map(name => join(directory, name));
  const areFiles = await Promise.all(paths.map(async path => (await stat(path)).isFile()));
  return paths.filter((_, at) => areFiles[at]);
}

/** The size of the JavaScript that a browser loads, compressed: at first, and in total. */
async function sizesOf(directory: string): Promise<string> {
  const assets = (await filesIn(join(directory, 'dist')).catch(() => [])).filter(path => path.endsWith('.js'));
  if (assets.length === 0) return 'built';
  const page = await readFile(join(directory, 'dist/index.html'), 'utf8');
  const sizes = await Promise.all(assets.map(async path => ({ path, size: gzipSync(await readFile(path)).length })));
  const kilobytes = (list: typeof sizes) => (list.reduce((sum, { size }) => sum + size, 0) / 1000).toFixed(0);
  const first = sizes.filter(({ path }) => page.includes(path.split('/').at(-1) ?? path));
  return `${kilobytes(first)} kB at first, ${kilobytes(sizes)} kB in total, compressed`;
}
