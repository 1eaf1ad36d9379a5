import { type Address, addressOf, describeAddress, isStored, storedUrl } from '../../account/address.ts';
import { changeUserConfig } from '../../account/config-change.ts';
import type { UserConfig } from '../../account/config-content.ts';
import { configPath } from '../../account/config-path.ts';
import { checkToken, whereTokensAre } from '../../account/token.ts';
import { readUserConfig } from '../../account/user-config.ts';
import { UserError } from '../../errors.ts';
import { isName } from '../../platform/location.ts';
import { defineCommand, type Invocation, type OptionSpec } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { readInputText } from '../input/sources.ts';
import { common } from '../options.ts';
import { withCloud } from '../session.ts';

const options = [
  { flag: 'token-stdin', kind: 'switch', help: 'Read the token from stdin instead of asking for it' },
  ...common,
] as const satisfies readonly OptionSpec[];

type LoginInvocation = Invocation<[], typeof options>;

/** The command `botcli cloud auth login`. */
export const login = defineCommand({
  description:
    'botcli checks the token with one request, then stores it in a file that only you can read, with the address of ' +
    'the API that it is for.\n' +
    'In CI, set BOTCLI_TOKEN and BOTCLI_ORG instead; then nothing is stored.',
  options,
  examples: [
    { line: 'botcli cloud auth login', description: 'enter the token at a hidden prompt' },
    { line: 'botcli cloud auth login --token-stdin < token.txt', description: 'read the token from a file' },
  ],
  run: runLogin,
});

async function runLogin({ options }: LoginInvocation, terminal: Terminal): Promise<void> {
  const address = addressOf(terminal, readUserConfig(terminal).config);
  if (isStored(address)) {
    terminal.note(`This login is for ${describeAddress(address)}. To use the default API, log out first.`);
  }
  const token = options['token-stdin']
    ? (await readInputText('--token-stdin', terminal)).trim()
    : await ask(address, terminal);
  checkToken(token, address);
  await withCloud(
    options,
    terminal,
    async ({ cloud }) => {
      const names = (await explainRejection(cloud.organizations(), address)).map(({ name }) => name);
      const organization = store({ token, address, names }, terminal);
      reportLogin({ address, names, organization }, options, terminal);
    },
    { address, token, organization: undefined },
  );
}

/** A login that the platform accepted. */
interface Login {
  token: string;
  address: Address;
  /** The account's organizations. */
  names: readonly string[];
}

/** Stores a login. Returns the organization in use: the one that was selected before, or the only one. */
function store({ token, address, names }: Login, terminal: Terminal): string | undefined {
  const choose = (selected: string | undefined) =>
    names.find(name => name === selected) ?? (names.length === 1 ? names.find(isName) : undefined);
  const withLogin = ({ organization: selected, ...others }: UserConfig): UserConfig => {
    const organization = choose(selected);
    return { ...others, token, ...(organization ? { organization } : {}), apiUrl: address.url };
  };
  const { config, broken } = changeUserConfig(terminal, withLogin, { replacesBroken: true });
  if (broken) terminal.note(`${broken.message}. It was replaced.`);
  const before = storedUrl(config);
  if (config.token && before !== address.url) {
    terminal.note(`It replaced the stored token for ${before ?? 'another address'}.`);
  }
  return choose(config.organization);
}

/** Replaces the hint to log in, which makes no sense during a login. */
const explainRejection = <Result>(answer: Promise<Result>, address: Address): Promise<Result> =>
  answer.catch(error => {
    if (!(error instanceof UserError) || error.reason !== 'unauthorized') throw error;
    throw error.withMessage(error.message, { hint: `Nothing was stored. ${whereTokensAre(address)}` });
  });

const ask = async (address: Address, terminal: Terminal): Promise<string> =>
  (
    await terminal.askHidden(
      address.source
        ? `Personal access token for ${describeAddress(address)}`
        : 'Personal access token (pcc_pat_…, from https://pipecat.daily.co)',
      {
        instead: 'Pipe the token into botcli cloud auth login --token-stdin, or set BOTCLI_TOKEN.',
        validate: answer => (answer.trim() === '' ? 'Enter a value' : undefined),
      },
    )
  ).trim();

function reportLogin(
  { address, names, organization }: Omit<Login, 'token'> & { organization: string | undefined },
  { json }: LoginInvocation['options'],
  terminal: Terminal,
): void {
  const config = configPath(terminal);
  if (json) {
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
}
