import { readableName } from '../project/names.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Plan } from './plan.ts';
import { inSeconds, type Reporter, secondsOf } from './reporter.ts';
import { callSteps } from './tunnel.ts';

/** What is ready. */
interface Readiness extends Pick<Plan, 'facts' | 'way' | 'number' | 'opens' | 'restarts' | 'isQuiet'> {
  /** Where to talk in a browser. */
  page: string | undefined;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** Says where to talk, and opens the page. */
export function announce(
  { facts, page, way, number, ms, opens, restarts, isQuiet }: Readiness,
  report: Reporter,
  terminal: Terminal,
): void {
  const { config } = facts.project;
  const { bold, green } = terminal.style;
  const isPointed = number?.isPointed === true;
  const steps = way.host && way.transport && !isPointed ? callSteps(way.transport, way.host, config.project_name) : [];
  const calls = `To place or take a call, see ${facts.place('README.md')}.`;
  const reach = page ? [`Talk to it: ${bold(page)}`] : steps.length > 0 || isPointed ? [] : [calls];
  const lines = [
    ...reach,
    ...(isPointed ? [`Call it: ${bold(number.number)}`] : []),
    ...(steps.length > 0
      ? [`Call it, at ${way.host}. Do this once at the provider:`, ...steps.map(step => `  ${step}`)]
      : []),
    ...(way.tunnel
      ? ['While the tunnel is open, anyone who finds its address can start sessions at your expense.']
      : []),
    `Ctrl-C stops everything.${restarts ? ' Saving a file in server/ restarts the bot.' : ''}`,
    ...(isQuiet ? ["Only what matters of the bot's log is shown. For all of it: botcli dev --verbose"] : []),
  ];
  const text = [
    '',
    `${green('✓')} ${bold(readableName(config.project_name))} is ready after ${inSeconds(ms)}`,
    ...lines.map(line => `  ${line}`),
    '',
  ];
  const known = { seconds: secondsOf(ms), ...(page && { url: page }), ...(way.host && { host: way.host, steps }) };
  report.event('dev', 'ready', known, text.join('\n'));
  if (page && opens) void openPage(page, terminal);
}

/**
 * Opens a page in the person's browser, if there is one: in a terminal on a desktop, not over SSH. Nobody learns about a
 * failure, because the address was printed.
 */
async function openPage(url: string, { interactive, env }: Terminal): Promise<void> {
  const isRemote = ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(name => env[name]);
  const isDesktop = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
  if (!interactive || isRemote || !isDesktop) return;
  const { default: open } = await import('open');
  await open(url).catch(() => {});
}
