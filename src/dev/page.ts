import type { Terminal } from '../shell/terminal.ts';

/**
 * Opens a page in the person's browser, if there is one: in a terminal on a desktop, not over SSH. Nobody learns about a
 * failure, because the address was printed.
 */
export async function openPage(url: string, { interactive, env }: Terminal): Promise<void> {
  const isRemote = ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(name => env[name]);
  const isDesktop = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
  if (!interactive || isRemote || !isDesktop) return;
  const { default: open } = await import('open');
  await open(url).catch(() => {});
}
