/**
 * Every `code` of a finding of `botcli check`, and its meaning. The codes are stable: scripts and agents branch on them.
 * The table in `docs/reference.md` is generated from this list.
 */
export const FINDING_CODES = {
  'conflict-markers': 'A file contains the markers of a merge conflict',
  'interrupted-run': 'botcli was interrupted while it changed the project, and the next run has to repair it',
  'older-project': 'An older botcli made the project',
  'newer-project': 'A newer botcli made the project',
  'older-guides': 'An older botcli wrote a guide for coding agents',
  'missing-files': "Files that the project's choices need don't exist",
  'file-unreadable': "A Python file or a directory can't be read, or is too large to look at",
  syntax: "Python would refuse a file, or pyproject.toml isn't valid TOML",
  'package-missing': "pyproject.toml doesn't list an extra of pipecat-ai that a service in the code needs",
  'uv-missing': "uv isn't installed",
  'uv-too-old': "uv can't read the project's pyproject.toml",
  'python-version': "The project's .python-version isn't one that its pyproject.toml allows",
  'port-in-use': 'Something else listens on a port that the bot, its call server, or its web client uses',
  'node-version': "The web client doesn't run on this version of Node.js",
  'client-packages': "The web client's package.json isn't valid, or node_modules is missing or doesn't match it",
  'env-file-missing': 'There is no .env, and the bot needs variables',
  'env-file-unreadable': ".env can't be read as UTF-8 text",
  'env-file-not-checked': ".env isn't a file, such as a pipe of a password manager, so its values weren't checked",
  'env-file-tracked': 'git tracks an env file',
  'env-line': "The bot can't read a line of .env",
  'variable-missing': "A variable that the bot needs isn't set",
  'variable-unset':
    "A variable that the bot needs in some cases, or a key that it passes on without checking it, isn't set",
  'variable-not-followed': "Variables aren't set in .env, but the code may get them elsewhere",
  'credentials-missing':
    'A service needs credentials of AWS or Google Cloud, and neither a variable nor this machine has any',
  'variable-unset-elsewhere': "A variable that only another file needs isn't set",
  'variable-value':
    "A value can't be right: it is a placeholder, begins with another name, or has quotes, spaces or other characters that no key has",
  'variable-repeated': '.env sets a variable twice',
  'variable-unread': 'Nothing reads a variable of .env; it may be misspelled',
  'key-refused': 'A provider refuses a key',
  'key-unknown': "botcli couldn't tell whether a provider accepts a key",
  'deploy-file': "There is no cloud-deploy.toml, or it isn't valid",
  'build-file': "The file that builds the image doesn't exist",
  'transport-not-in-cloud': 'Nobody can reach the bot once it is deployed',
  'value-local': 'A value for the cloud points to this computer',
  'secret-set-missing': "The secret set of the deploy doesn't exist, or isn't named",
  'secret-set-type': 'The name of the secret set belongs to an image pull secret',
  'secret-not-ready': 'A secret is pending, or failed',
  'secret-region': 'A secret is in another region than the deploy',
  'secret-key-missing': 'The secret set lacks keys that the bot needs',
  'pull-secret-missing': "The image pull secret of the deploy doesn't exist",
} as const;
