/**
 * The names of private keys, and of files with passwords or tokens, as patterns of `.dockerignore`: in the generated one,
 * and what a deploy leaves out even if there is none. Case doesn't count.
 */
export const SECRET_NAMES: readonly string[] = [
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.ppk', '*.env'],
  ...['rsa', 'dsa', 'ecdsa', 'ed25519', 'ecdsa_sk', 'ed25519_sk'].map(kind => `id_${kind}`),
  ...['.npmrc', '.pypirc', '.netrc', '_netrc', '.pgpass', '.git-credentials', '.my.cnf', '.s3cfg', '.boto'],
  ...['.htpasswd', '.vault-token', '.vault_pass', '.dev.vars', 'pipecatcloud.toml'],
  ...['toml', 'yaml', 'yml', 'json'].map(format => `secrets.${format}`),
  ...['.aws/credentials', '.cargo/credentials*'],
  ...['.docker/config.json', '.dockercfg', '.kube/config', 'kubeconfig', '*.tfstate', '*.tfstate.*'],
  ...['credentials.json', 'application_default_credentials.json', 'gcloud-key.json'],
  ...['client_secret*.json', 'token.json'],
  ...['service-account*.json', 'service_account*.json', 'serviceaccount*.json'],
];

/**
 * Service account files of Google Cloud, under their usual names and as downloaded (PROJECT-0123456789ab.json). Only the
 * generated `.dockerignore` has them: other files may be named like that, too.
 */
export const ACCOUNT_FILES: readonly string[] = [
  ...['*credential*.json', '*service*account*.json', 'sa.json', 'key.json', '*[-_]key.json'],
  `*-${'[0-9a-f]'.repeat(12)}.json`,
];
