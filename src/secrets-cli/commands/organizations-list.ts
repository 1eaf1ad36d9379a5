import { common } from '../../account/options.ts';
import { withCloud } from '../../account/session.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { renderTable } from '../../shell/terminal/table.ts';

/** The command `botcli cloud organizations list`. */
export const listOrganizations = defineCommand({
  options: common,
  examples: [{ line: 'botcli cloud organizations list', description: 'list them, and mark the one in use' }],
  run({ options }, terminal) {
    return withCloud(options, terminal, async ({ account, cloud }) => {
      const rows = (await cloud.organizations()).map(({ name, verboseName }) => {
        return { name, display_name: verboseName, current: name === account.organization };
      });
      if (options.json) return terminal.printJson({ organizations: rows });
      if (rows.length === 0) return terminal.note('This account has no organizations.');
      const cells = rows.map(row => [row.name, row.display_name, row.current ? 'in use' : '']);
      terminal.print(renderTable(['NAME', 'DISPLAY NAME', ''], cells, terminal));
    });
  },
});
