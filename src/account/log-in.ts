import { explaining, UserError } from '../errors.ts';
import { isName } from '../platform/location.ts';
import type { Terminal } from '../shell/terminal.ts';
import { checkToken, tokenProblem, whereTokensAre } from './account.ts';
import { type Address, addressOf, describeAddress, isStored, storedUrl } from './address.ts';
import { changeUserConfig } from './config-change.ts';
import { type SessionOptions, withCloud } from './session.ts';
import type { UserConfig } from './user-config.ts';
import { readUserConfig } from './user-config.ts';

/** How often to ask for a token that is accepted. */
const TRIES = 3;

/**
 * Logs in: checks a token with one request, then stores it. Returns its address, the names of the organizations, and the
 * one in use: the one that was selected before, or the only one.
 *
 * @param readToken Gets the token. Default: ask for it, up to three times.
 * @throws {UserError} The platform rejects the token, or nothing can be stored.
 */
export async function logIn(
  options: SessionOptions,
  terminal: Terminal,
  readToken?: (address: Address) => Promise<string>,
) {
  const address = addressOf(terminal, readUserConfig(terminal).config);
  if (isStored(address)) {
    terminal.note(`This login is for ${describeAddress(address)}. To use the default API, log out first.`);
  }
  if (readToken) return tryToken(await readToken(address), address, options, terminal);
  for (let number = 1; ; number += 1) {
    const token = await ask(address, terminal);
    try {
      return await tryToken(token, address, options, terminal);
    } catch (error) {
      if (!(error instanceof UserError) || error.reason !== 'unauthorized' || number === TRIES) throw error;
      terminal.note(`${error.message}. Try again.`);
    }
  }
}

async function tryToken(token: string, address: Address, options: SessionOptions, terminal: Terminal) {
  checkToken(token, address);
  return withCloud(
    options,
    terminal,
    async ({ cloud }) => {
      const names = (await cloud.organizations().catch(explainRejection(address))).map(({ name }) => name);
      return { address, names, organization: store(token, address, names, terminal) };
    },
    { address, token, organization: undefined },
  );
}

/** Stores a login. Returns the organization in use. */
function store(token: string, address: Address, names: readonly string[], terminal: Terminal): string | undefined {
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
const explainRejection = (address: Address) =>
  explaining(error => {
    if (error.reason !== 'unauthorized') return error;
    return error.withMessage(error.message, { hint: `Nothing was stored. ${whereTokensAre(address)}` });
  });

async function ask(address: Address, terminal: Terminal): Promise<string> {
  const where = address.source ? `for ${describeAddress(address)}` : '(pcc_pat_…, from https://pipecat.daily.co)';
  const answer = await terminal.askHidden(`Personal access token ${where}`, {
    instead: 'Pipe the token into botcli cloud auth login --token-stdin, or set BOTCLI_TOKEN.',
    validate: answer => (answer.trim() === '' ? 'Enter a value' : tokenProblem(answer.trim())),
  });
  return answer.trim();
}
