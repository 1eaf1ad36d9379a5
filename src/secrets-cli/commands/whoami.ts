import { printable } from '../../printable.ts';
import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { configPath } from '../account/user-config.ts';
import { common } from '../options.ts';
import { withCloud } from '../session.ts';

/** The command `botcli cloud auth whoami`. */
export const whoami: CommandBody<Action> = {
  options: common,
  examples: [{ line: 'botcli cloud auth whoami', meaning: 'also checks that the token works' }],
  run: { run: runWhoami },
};

async function runWhoami(invocation: Invocation, terminal: Terminal): Promise<void> {
  await withCloud(invocation, terminal, async ({ account, cloud }) => {
    const user = (await cloud.user()) ?? 'an account without a mail address';
    const { apiUrl, organization = null } = account;
    const token = terminal.env.BOTCLI_TOKEN?.trim() ? 'BOTCLI_TOKEN' : configPath(terminal);
    if (invocation.options.json) {
      terminal.print(JSON.stringify({ user, organization, apiUrl, token }, null, 2));
      return;
    }
    terminal.print(`Account:       ${user}`);
    terminal.print(`Organization:  ${printable(organization ?? 'none chosen')}`);
    terminal.print(`API:           ${apiUrl}`);
    terminal.print(`Token from:    ${token}`);
  });
}
