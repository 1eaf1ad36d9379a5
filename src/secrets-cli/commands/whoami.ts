import { printable } from '../../printable.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { configPath } from '../account/config-path.ts';
import { common } from '../options.ts';
import { withCloud } from '../session.ts';

/** The command `botcli cloud auth whoami`. */
export const whoami = defineCommand({
  options: common,
  examples: [{ line: 'botcli cloud auth whoami', description: 'show the account, and check that the token works' }],
  run({ options }, terminal) {
    return withCloud(options, terminal, async ({ account, cloud }) => {
      const user = (await cloud.user()) ?? 'an account without an email address';
      const { address, organization = null } = account;
      const token = terminal.env.BOTCLI_TOKEN?.trim() ? 'BOTCLI_TOKEN' : configPath(terminal);
      if (options.json) return terminal.printJson({ user, organization, api_url: address.url, token });
      terminal.print(`Account:       ${user}`);
      terminal.print(`Organization:  ${printable(organization ?? 'none selected')}`);
      terminal.print(`API:           ${address.url}`);
      terminal.print(`Token from:    ${token}`);
    });
  },
});
