/**
 * Every `error.code` that `--json` prints, with what it means. They are stable: scripts and agents branch on them. The
 * table in the README is made from this list.
 */
export const ERROR_CODES = {
  usage: 'The command line is wrong: an unknown option, a missing argument, a value that is not allowed',
  'invalid-configuration':
    'The scaffold options or the config file do not describe a bot; `problems` has one line each',
  'cannot-ask': 'A question would be needed, and nobody can be asked; the hint names the option to pass instead',
  declined: 'A person answered no, so nothing was changed',
  interrupted: 'Ctrl-C or another signal ended the command',
  conflict: 'Something that exists is in the way: files with other content, or a secret of another kind',
  'unsafe-link': 'A symbolic link leads out of the target directory, or nowhere',
  disk: 'The operating system refused to read or write a file',
  'no-directory': 'The working directory was deleted, or its name is not UTF-8',
  file: "The file of --file, or stdin, can't be read as secrets",
  'account-file': "The file with the stored login can't be read or written",
  'not-logged-in': 'There is no token: log in, or set BOTCLI_TOKEN',
  unauthorized: "The platform doesn't accept the token",
  forbidden: 'The account has no access to the organization',
  'no-organization': 'No organization is chosen, and the account has none or several',
  'not-found': 'There is no secret, key or organization of that name',
  region: 'The organization has no such region, or the secret is in another one',
  refused: 'The platform refused the request',
  'rate-limited': 'The platform asks for fewer requests',
  'platform-problem': 'The platform has a problem of its own (HTTP 5xx)',
  timeout: 'The platform did not answer, or did not finish, in time',
  unreachable: "The platform can't be reached",
  proxy: "The proxy between here and the platform refuses, or can't be reached",
  certificate: "The certificate of the platform can't be trusted",
  'bad-answer': 'The answer is not one that the platform gives',
  'not-verified': 'The platform took the keys, but does not list all of them',
  'provisioning-failed': 'The platform stored the set, but could not make it ready',
  bug: 'An unexpected error: please report it, with the output of --debug',
} as const;

/** A word for programs that says what kind of error it is. */
export type ErrorCode = keyof typeof ERROR_CODES;
