/**
 * The names of private keys, and of files with passwords or tokens, as patterns of `.dockerignore` and `.gitignore`: in
 * the generated ones, and what a deploy leaves out even if there is none. Case doesn't count there. Both `check` and a
 * deploy also look into small files (`deploy/context/contents.ts`), so a name only belongs here if the contents don't
 * show that they are secret.
 */
export const SECRET_NAMES: readonly string[] = [
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.ppk', '*.p8', '*.env'],
  ...['rsa', 'dsa', 'ecdsa', 'ed25519', 'ecdsa_sk', 'ed25519_sk'].map(kind => `id_${kind}`),
  ...['.pypirc', '.netrc', '_netrc', '.pgpass', '.git-credentials', '.my.cnf', '.s3cfg', '.boto'],
  ...['.htpasswd', '.vault-token', '.vault_pass', '.dev.vars', 'pipecatcloud.toml'],
  ...['toml', 'yaml', 'yml', 'json'].map(format => `secrets.${format}`),
  ...['.aws/credentials', '.cargo/credentials*'],
  ...['.docker/config.json', '.dockercfg', '.kube/config', 'kubeconfig'],
  ...['*.tfstate', '*.tfstate.*', '*.tfvars', '*.tfvars.json'],
  ...['credentials.json', 'application_default_credentials.json', 'gcloud-key.json'],
  ...['client_secret*.json', 'token.json'],
  ...['service-account*.json', 'service_account*.json', 'serviceaccount*.json'],
];

/** What an invisible character, another case, a dot at the end, or a stream's name would hide from some file systems. */
const plain = (part: string): string =>
  part
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .toLowerCase();

/** The short names that Windows gives to `.git` and `.env…`, such as `GIT~1` and `EN4F2A~1.LOC`. */
const SHORT = /^(git?|env?)[0-9a-f]{0,4}~\d/;

const isSecret = (part: string): boolean =>
  part === '.git' || (part.startsWith('.env') && part !== '.env.example') || SHORT.test(part);

/** Whether a path (POSIX, in a project) is the user's alone: secrets, and everything of git. */
export const isProtected = (name: string): boolean => name.split('/').map(plain).some(isSecret);

/** Whether a path is relative, in POSIX form, and stays below its directory. */
export const isInside = (name: string): boolean =>
  !/[\\\0:]/.test(name) && name.split('/').every(part => part !== '' && part !== '.' && part !== '..');
