/**
 * Every `error.code` that `--json` prints, and its meaning. The codes are stable: scripts and agents branch on them.
 * The table in docs/reference.md is generated from this list.
 */
export const ERROR_CODES = {
  usage: 'The command line is wrong: an unknown option, a missing argument, or a value that is not allowed',
  'invalid-configuration':
    "The scaffold options or the config file don't describe a bot; `problems` lists what is wrong",
  'cannot-ask': "The command needs an answer but can't ask for it; the hint names the option to pass instead",
  declined: 'The user answered no, so nothing was changed',
  interrupted: 'Ctrl-C or another signal ended the command',
  conflict:
    'Something that already exists is in the way: files with different content, or a secret of a different type',
  'not-a-project': "The directory isn't in a project of botcli, or its .botcli.json can't be used",
  'unsafe-link':
    'A symbolic link points outside the target directory, to a file that botcli never touches, or to nothing',
  disk: 'The operating system could not read or write a file',
  'no-directory': 'The working directory was deleted, or its name is not UTF-8',
  file: "Secrets can't be read from the --file path, or from stdin",
  'account-file': "The file that stores the login can't be read or written, or changed meanwhile",
  'not-logged-in': 'There is no token for this API address: log in, or set BOTCLI_TOKEN',
  unauthorized: 'The platform rejected the token',
  forbidden: 'The account has no access to the organization',
  'no-organization': 'No organization is selected, and the account has none or several',
  'not-found': 'No secret, key, or organization has that name',
  region: 'The organization has no such region, or the secret is in a different one',
  refused: 'The platform rejected the request',
  'rate-limited': 'The platform received too many requests',
  'platform-problem': 'The platform had an internal error (HTTP 5xx)',
  timeout: 'The platform did not respond in time, or a command did not finish in time',
  unreachable: "The platform can't be reached",
  proxy: "The proxy refused the request, or can't be reached",
  certificate: "The platform's certificate can't be trusted",
  'bad-answer': 'The response is not one that the platform would send',
  'not-verified': "The platform accepted a change, but looking it up doesn't show it",
  'provisioning-failed': 'The platform stored the secret but could not provision it',
  'program-missing': 'A program that the command needs, such as npm or a tunnel, is not on the PATH',
  'install-failed': 'uv, npm or another package manager could not install packages',
  'part-ended': 'The bot, or a program next to it, ended or never got ready',
  'service-failed': 'A provider refuses a key of the bot, has no credit left for it, or is out of reach',
  context: 'The files that a deploy would send are incomplete, too large, or unreadable',
  'build-failed': 'The cloud could not build the image; `log` has the end of the log of the build',
  'rollout-failed': 'The new deployment does not become ready; `log` has the end of the log of the bot',
  'call-failed': 'A test call: the bot did not come up, stayed silent, or logged errors; `log` has the end of its log',
  'gate-failed':
    'A conversation that decides about a deployment failed; `scenarios` has the results, `rolled_back` what is deployed again',
  superseded: 'Somebody else deployed the same agent meanwhile',
  limit: 'A spend limit, missing billing, or the capacity of the platform is in the way',
  bug: 'A bug in botcli: please report it, with the output of --debug',
} as const;

/** Identifies the kind of error for programs. */
export type ErrorCode = keyof typeof ERROR_CODES;
