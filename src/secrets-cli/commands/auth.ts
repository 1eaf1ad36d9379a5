import { common, logIn, withCloud } from '../../account/session.ts';
import { changeUserConfig, configPath, type UserConfig } from '../../account/user-config.ts';
import type { Cloud } from '../../platform/cloud.ts';
import { isName } from '../../platform/names.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { onOneLine } from '../../text.ts';
import { readInputText } from '../input/sources.ts';

export const login = defineCommand({
  description:
    'botcli checks the token with one request, then stores it in a file that only you can read, with the address of ' +
    'the API that it is for.\n' +
    'In CI, set BOTCLI_TOKEN and BOTCLI_ORG instead; then nothing is stored.',
  options: [
    { flag: 'token-stdin', kind: 'switch', help: 'Read the token from stdin instead of asking for it' },
    ...common,
  ],
  examples: [
    { line: 'botcli cloud auth login', description: 'enter the token at a hidden prompt' },
    { line: 'botcli cloud auth login --token-stdin < token.txt', description: 'read the token from a file' },
  ],
  async run({ options }, terminal) {
    const fromStdin = async () => (await readInputText('--token-stdin', terminal)).trim();
    const { address, names, organization } = await logIn(
      options,
      terminal,
      options['token-stdin'] ? fromStdin : undefined,
    );
    const config = configPath(terminal);
    if (options.json) {
      terminal.printJson({ organizations: names, organization: organization ?? null, api_url: address.url, config });
    } else {
      const where = address.source ? ` to ${address.url}` : '';
      terminal.print(`${terminal.style.green('✓')} Logged in${where}. The token is stored in ${config}`);
      if (organization) terminal.print(`  Organization: ${organization}`);
    }
    if (!organization && names.length > 0) {
      // The command is for copying, so it must not contain a name that a shell would run.
      const example = ['botcli cloud organizations select', names.find(isName) ?? []].flat().join(' ');
      terminal.note(`Your organizations: ${names.join(', ')}. Select one: ${example}`);
    }
    if (terminal.env.BOTCLI_TOKEN) terminal.note('BOTCLI_TOKEN is set and overrides the stored token.');
  },
});

export const logout = defineCommand({
  description: 'The token itself stays valid until you revoke it in the dashboard: https://pipecat.daily.co',
  options: common,
  examples: [{ line: 'botcli cloud auth logout', description: 'also succeeds if you are not logged in' }],
  async run({ options }, terminal) {
    const before = changeUserConfig(terminal, withoutAccount);
    const config = configPath(terminal);
    const { green } = terminal.style;
    const isOut = before.token !== undefined;
    if (options.json) terminal.printJson({ logged_out: isOut, config });
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
