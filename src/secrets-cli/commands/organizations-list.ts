import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import { renderTable } from '../../shell/terminal/table.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { common } from '../options.ts';
import { withCloud } from '../session.ts';

/** The command `botcli cloud organizations list`. */
export const listOrganizations: CommandBody<Action> = {
  options: common,
  examples: [{ line: 'botcli cloud organizations list', meaning: 'with the one in use' }],
  run: { run: runList },
};

async function runList(invocation: Invocation, terminal: Terminal): Promise<void> {
  await withCloud(invocation, terminal, async ({ account, cloud }) => {
    const rows = (await cloud.organizations()).map(({ name, verboseName }) => {
      return { name, displayName: verboseName, current: name === account.organization };
    });
    const cells = rows.map(({ name, displayName, current }) => [name, displayName, current ? 'in use' : '']);
    if (invocation.options.json) terminal.print(JSON.stringify({ organizations: rows }, null, 2));
    else if (rows.length > 0) terminal.print(renderTable(['NAME', 'DISPLAY NAME', ''], cells, terminal));
    else terminal.note('This account has no organization.');
  });
}
