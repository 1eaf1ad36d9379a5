import { changeUserConfig } from '../../account/config-change.ts';
import type { UserConfig } from '../../account/config-content.ts';
import { configPath } from '../../account/config-path.ts';
import { common } from '../../account/options.ts';
import { defineCommand } from '../../shell/command-line.ts';

/** The command `botcli cloud auth logout`. */
export const logout = defineCommand({
  description: 'The token itself stays valid until you revoke it in the dashboard: https://pipecat.daily.co',
  options: common,
  examples: [{ line: 'botcli cloud auth logout', description: 'also succeeds if you are not logged in' }],
  async run({ options }, terminal) {
    const { config: before, broken } = changeUserConfig(terminal, withoutAccount, {
      replacesBroken: true,
      hint: 'To log out without it, delete this file.',
    });
    const config = configPath(terminal);
    const { green } = terminal.style;
    if (broken) terminal.note(`${broken.message}. It was cleared.`);
    const isOut = before.token !== undefined || broken !== undefined;
    if (options.json) terminal.printJson({ logged_out: isOut, config });
    else if (broken) terminal.print(`${green('✓')} Logged out. ${config} is empty now`);
    else if (isOut) terminal.print(`${green('✓')} Logged out. The token was removed from ${config}`);
    else if (withoutAccount(before)) {
      terminal.print(`${green('✓')} Removed the organization from ${config}; no token was stored there`);
    } else terminal.print("You weren't logged in");
    if (terminal.env.BOTCLI_TOKEN) terminal.note('BOTCLI_TOKEN is still set, so you are still logged in.');
  },
});

/** The configuration without an account, or undefined if it has none. */
function withoutAccount({ token, organization, apiUrl, ...others }: UserConfig): UserConfig | undefined {
  return [token, organization, apiUrl].some(value => value !== undefined) ? others : undefined;
}
