import { configPath } from '../../account/config-path.ts';
import { logIn } from '../../account/log-in.ts';
import { common } from '../../account/options.ts';
import { isName } from '../../platform/location.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { readInputText } from '../input/sources.ts';

/** The command `botcli cloud auth login`. */
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
