import { UserError } from '../../errors.ts';
import { defineCommand, type Invocation, type OptionSpec } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { type Account, apiUrlOf, checkToken, WHERE_TOKENS_ARE } from '../account/account.ts';
import { configPath, readUserConfig, writeUserConfig } from '../account/user-config.ts';
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
    'botcli checks the token with one request, then stores it in a file that only you can read.\n' +
    'In CI, set BOTCLI_TOKEN and BOTCLI_ORG instead; then nothing is stored.',
  options,
  examples: [
    { line: 'botcli cloud auth login', description: 'enter the token at a hidden prompt' },
    { line: 'botcli cloud auth login --token-stdin < token.txt', description: 'read the token from a file' },
  ],
  run: runLogin,
});

async function runLogin({ options }: LoginInvocation, terminal: Terminal): Promise<void> {
  let broken: string | undefined;
  const config = await readUserConfig(terminal, ({ message }) => {
    broken = message;
  });
  const apiUrl = apiUrlOf(terminal, config);
  const token = options['token-stdin'] ? (await readInputText('--token-stdin', terminal)).trim() : await ask(terminal);
  checkToken(token);
  const account: Account = { apiUrl, token, organization: undefined };
  await withCloud(
    options,
    terminal,
    async ({ cloud }) => {
      const names = (await explainRejection(cloud.organizations())).map(({ name }) => name);
      // Keeps the selected organization if it belongs to this account.
      const before = names.find(name => name === config.organization);
      const organization = before ?? (names.length === 1 ? names[0] : undefined);
      const { organization: _, apiUrl: __, ...others } = config;
      const address = terminal.env.BOTCLI_API_URL || config.apiUrl ? { apiUrl } : {};
      writeUserConfig({ ...others, token, ...(organization ? { organization } : {}), ...address }, terminal);
      if (broken) terminal.note(`${broken}. It was replaced.`);
      reportLogin({ names, organization }, options, terminal);
    },
    account,
  );
}

/** Replaces the hint to log in, which makes no sense during a login. */
const explainRejection = <Result>(answer: Promise<Result>): Promise<Result> =>
  answer.catch(error => {
    if (!(error instanceof UserError) || error.reason !== 'unauthorized') throw error;
    throw error.withMessage(error.message, { hint: `Nothing was stored. ${WHERE_TOKENS_ARE}` });
  });

const ask = async (terminal: Terminal): Promise<string> =>
  (
    await terminal.askHidden('Personal access token (pcc_pat_…, from https://pipecat.daily.co)', {
      instead: 'Pipe the token into botcli cloud auth login --token-stdin, or set BOTCLI_TOKEN.',
      validate: answer => (answer.trim() === '' ? 'Enter a value' : undefined),
    })
  ).trim();

function reportLogin(
  { names, organization }: { names: string[]; organization: string | undefined },
  { json }: LoginInvocation['options'],
  terminal: Terminal,
): void {
  const config = configPath(terminal);
  if (json) {
    terminal.printJson({ organizations: names, organization: organization ?? null, config });
  } else {
    terminal.print(`${terminal.style.green('✓')} Logged in. The token is stored in ${config}`);
    if (organization) terminal.print(`  Organization: ${organization}`);
  }
  if (!organization && names.length > 0) {
    terminal.note(`Your organizations: ${names.join(', ')}. Select one: botcli cloud organizations select ${names[0]}`);
  }
  if (terminal.env.BOTCLI_TOKEN) terminal.note('BOTCLI_TOKEN is set and overrides the stored token.');
}
