import type { ErrorCode } from '../../errors.ts';

/** How bad it is: an error stops the bot, a warning will surprise its owner. */
type Level = 'error' | 'warning';

/** What findings are about, in the order of the report. */
type Group = 'project' | 'machine' | 'keys' | 'providers' | 'cloud';

/** Something that a check found. No part of it is a value of the environment. */
export interface Finding {
  code: FindingCode;
  level: Level;
  group: Group;
  message: string;
  /** What to do, as a sentence. */
  hint?: string;
  /** The command that fixes it, or the page where to go. */
  fix?: { command: string } | { url: string };
}

/** The findings of a group, and the line to show if there are none. */
export interface GroupResult {
  group: Group;
  findings: readonly Finding[];
  /** Empty if there is nothing to say. */
  passed: string;
  /** Whether that is true and worth a line next to findings, too. */
  isPartial?: boolean;
}

/** What a check says about each thing that it found. It is an error unless it says otherwise. */
export type Detail = Pick<Finding, 'message' | 'hint' | 'fix'> & { level?: Level };

/** Returns what a check found: nothing, one thing or several. */
type Find<Facts> = (facts: Facts) => false | undefined | Detail | readonly Detail[];

/** The checks, by the code of what they find. */
export type Checks<Facts> = { readonly [Code in FindingCode]?: Find<Facts> };

/** Identifies the kind of finding for programs. If the platform can't be asked, it is the code of the error. */
type FindingCode = keyof typeof FINDING_CODES | ErrorCode;

/** A check that finds warnings. */
export const warning =
  <Facts>(find: Find<Facts>): Find<Facts> =>
  facts =>
    [find(facts) || []].flat().map(detail => ({ ...detail, level: 'warning' }));

/** What the checks find: of each, errors first. */
export const runChecks = <Facts>(group: Group, checks: Checks<Facts>, facts: Facts): Finding[] =>
  Object.entries(checks).flatMap(([code, find]) => {
    const found = [find(facts) || []].flat();
    const all = found.map(({ level = 'error', ...detail }) => ({ code: code as FindingCode, level, group, ...detail }));
    return all.sort((one, other) => Number(one.level === 'warning') - Number(other.level === 'warning'));
  });

/**
 * Every `code` of a finding of `botcli check`, and its meaning. The codes are stable: scripts and agents branch on
 * them. The table in `docs/reference.md` is generated from this list.
 */
export const FINDING_CODES = {
  'conflict-markers': 'A file contains the markers of a merge conflict',
  'interrupted-run': 'botcli was interrupted while it changed the project, and left temporary files',
  'older-project': 'An older botcli made the project',
  'newer-project': 'A newer botcli made the project',
  'older-guides': 'An older botcli wrote a guide for coding agents',
  'missing-files': "Files that the project's choices need don't exist",
  'file-unreadable': "A Python file or a directory can't be read, or is too large to look at",
  syntax: "Python can't compile a file, or pyproject.toml isn't valid TOML",
  'names-going': 'Names in your code that the framework will drop in its next major release',
  'bot-function-missing': 'bot.py lacks the function that the framework starts',
  'package-missing': "pyproject.toml doesn't list pipecat-ai, or an extra of it that a service in the code needs",
  'service-ended': 'The provider of a service has ended it',
  'uv-missing': "uv isn't installed",
  'uv-broken': "uv is installed, and can't be asked for its version",
  'uv-too-old': "uv can't read the project's pyproject.toml",
  'python-version': "The project's .python-version isn't one that its pyproject.toml allows",
  'port-in-use': 'Something else listens on a port that the bot, its call server, or its web client uses',
  'ollama-silent': "Ollama doesn't answer on this computer, and the bot needs it",
  'ollama-model-missing': "Ollama doesn't have the bot's model",
  'node-version': "The web client doesn't run on this version of Node.js",
  'client-packages': "The web client's package.json isn't valid, or node_modules is missing or doesn't match it",
  'env-file-missing': 'There is no .env, and the bot needs variables',
  'env-file-unreadable': ".env can't be read as UTF-8 text",
  'env-file-not-checked':
    ".env is a pipe, as of a password manager, or a link to no env file, so its values weren't checked",
  'env-file-tracked': 'git tracks an env file',
  'secret-in-git': "git tracks a file with a secret in it, or doesn't ignore it",
  'git-refused': "git refuses to read the repository, as it is another user's, so nobody knows what it tracks",
  'env-line': "The bot can't read a line of .env",
  'variable-missing': "A variable that the bot needs isn't set",
  'variable-unset':
    "A variable that the bot needs in some cases, or a secret that it reads without a default, isn't set",
  'variable-not-followed': "Variables aren't set in .env, but the code may get them elsewhere",
  'credentials-missing':
    'A service needs credentials of AWS or Google Cloud, and neither a variable nor this machine has any',
  'variable-missing-for-calls': "A variable that only calls need isn't set",
  'variable-unset-elsewhere': "A variable that only another file needs isn't set",
  'variable-value':
    "A value can't be right: it is a placeholder, a reference, or no address, begins with another name, or has quotes, spaces or other characters that no key has",
  'variable-repeated': '.env sets a variable twice',
  'variable-unread': 'Nothing reads a variable of .env; it may be misspelled',
  'key-refused': 'A provider refuses a key',
  'key-unknown': "botcli couldn't tell whether a provider accepts a key",
  'deploy-file': "There is no cloud-deploy.toml, or it isn't valid",
  'agent-name': 'cloud-deploy.toml names no agent, or not one that the platform accepts',
  'deploy-key': "A setting in cloud-deploy.toml is unknown, or its value isn't allowed",
  context: "The files of a deploy can't be uploaded, or some of them aren't",
  'build-file': "The file that builds the image doesn't exist",
  'transport-not-in-cloud': 'Nobody can reach the bot once it is deployed',
  'value-local': 'A value for the cloud points to this computer or its network',
  'secret-set-missing': "The secret set of the deploy doesn't exist, or isn't named",
  'secret-set-type': 'The name of the secret set belongs to an image pull secret',
  'secret-not-ready': 'A secret is pending, or failed',
  'secret-region': 'A secret is in another region than the deploy',
  'secret-key-missing': 'The secret set lacks keys that the bot needs',
  'agent-region': 'The deployed bot is in another region than the deploy file says',
  'agent-not-ready': "The deployed bot isn't ready, or has failed",
  'deploy-outdated': 'The deployed bot runs another image than that of these files',
  'pull-secret-missing': "The image pull secret of the deploy doesn't exist",
} as const;
