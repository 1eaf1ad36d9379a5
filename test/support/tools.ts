import { fileURLToPath } from 'node:url';
import type { RawConfig } from '../../src/config/options.ts';
import { filledProject } from './check.ts';
import { CASCADE } from './projects.ts';
import { resolveFlags } from './resolving.ts';
import type { Tree } from './trees.ts';

/** Stand-ins for uv, npm and cloudflared. */
export const TOOLS = fileURLToPath(new URL('../dev/tools', import.meta.url));

/** A project with its keys and packages. `saying` adds lines such as `fake: crashes` to files, for the stand-ins. */
export async function projectSaying(
  saying: Readonly<Record<string, string>> = {},
  config: RawConfig = {},
): Promise<Tree> {
  const project = await filledProject(resolveFlags({ ...CASCADE, project_name: 'my-bot', ...config }));
  const said = Object.entries(saying).map(([path, words]) => [path, `${project[path] ?? ''}# fake: ${words}\n`]);
  return { ...project, ...Object.fromEntries(said) };
}
