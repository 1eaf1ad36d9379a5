import { configPath } from '../../account/config-path.ts';
import { common } from '../../account/options.ts';
import { withCloud } from '../../account/session.ts';
import type { Cloud } from '../../platform/cloud.ts';
import { onOneLine } from '../../printable.ts';
import { defineCommand } from '../../shell/command-line.ts';

/** The command `botcli cloud auth whoami`. */
export const whoami = defineCommand({
  options: common,
  examples: [{ line: 'botcli cloud auth whoami', description: 'show the account, and check that the token works' }],
  run({ options }, terminal) {
    return withCloud(options, terminal, async ({ account, cloud }) => {
      const user = (await cloud.user()) ?? 'an account without an email address';
      const { address } = account;
      const { organization, shown } = await organizationInUse(account.organization, cloud);
      const token = terminal.env.BOTCLI_TOKEN?.trim() ? 'BOTCLI_TOKEN' : configPath(terminal);
      if (options.json) return terminal.printJson({ user, organization, api_url: address.url, token });
      terminal.print(`Account:       ${user}`);
      terminal.print(`Organization:  ${onOneLine(shown)}`);
      terminal.print(`API:           ${address.url}`);
      terminal.print(`Token from:    ${token}`);
    });
  },
});

/** The organization that commands would use, and how to show it. If none is selected, it's the only one. */
async function organizationInUse(selected: string | undefined, cloud: Cloud) {
  if (selected !== undefined) return { organization: selected, shown: selected };
  const names = (await cloud.organizations()).map(({ name }) => name);
  const [only] = names;
  if (only === undefined) return { organization: null, shown: 'none' };
  if (names.length === 1) return { organization: only, shown: `${only}, your only one` };
  return { organization: null, shown: `none selected of ${names.join(', ')}` };
}
