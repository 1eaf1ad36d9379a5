import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { allServices, isSecret, transports, variablesOf } from '../../../src/catalog/index.ts';
import { revealedBy, revealedIn } from '../../../src/deploy/context/contents.ts';
import { unique } from '../../../src/unique.ts';
import { inTree } from '../../support/trees.ts';

/** A key as providers issue them. Joined here, so that no scanner takes this file for a leak. */
const KEY = `${'sk'}-proj-${'a1B2c3D4e5F6g7H8'.repeat(2)}`;
const RANDOM = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const [BEGIN, END] = ['-----BEGIN', '-----END'];
const pem = (label: string, line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB') =>
  `${BEGIN} ${label}-----\n${line}\n${END} ${label}-----\n`;

const secrets: [about: string, name: string, text: string, found: string][] = [
  ['a private key', 'AuthKey_AB12CD34EF.p8', pem('PRIVATE KEY'), 'line 1 has a private key'],
  ...['RSA', 'EC', 'DSA', 'OPENSSH', 'ENCRYPTED'].map((kind): [string, string, string, string] => [
    `one of kind ${kind}`,
    'key',
    `# mine\r\n${pem(`${kind} PRIVATE KEY`)}`,
    'line 2 has a private key',
  ]),
  ['one of PGP', 'me.asc', pem('PGP PRIVATE KEY BLOCK', '\nlQdGBGX='), 'line 1 has a private key'],
  ['one of PuTTY', 'me', 'PuTTY-User-Key-File-3: ssh-ed25519\n', 'line 1 has a private key'],
  ['one after its certificate', 'both.crt', pem('CERTIFICATE') + pem('PRIVATE KEY'), 'line 4 has a private key'],
  ['one as JSON', 'jwk.json', `{"kty": "RSA",\n"d": "${RANDOM}"}`, 'line 2 has a private key'],
  [
    'a service account',
    'my-app-firebase-adminsdk-x1y2z-0123456789.json',
    JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY', 'MIIE') }, null, 1),
    'line 2 has credentials of Google Cloud',
  ],
  [
    'a login of Google',
    'x.json',
    `{"type":"authorized_user","refresh_token":"1//0abcdef"}`,
    'line 1 has credentials of Google Cloud',
  ],
  ['an env file', 'env.local', `A=1\nOPENAI_API_KEY=${RANDOM}`, 'line 2 sets OPENAI_API_KEY'],
  ['its own secret', 'env.production', 'DB_PASSWORD=hunter22', 'line 1 sets DB_PASSWORD'],
  ['a script', 'run.sh', `export DEEPGRAM_API_KEY="${RANDOM}"\n`, 'line 1 sets DEEPGRAM_API_KEY'],
  ['one for PowerShell', 'run.ps1', `$env:DEEPGRAM_API_KEY = '${RANDOM}'`, 'line 1 sets DEEPGRAM_API_KEY'],
  ['JSON', '.mcp.json', `{"env":{"DEEPGRAM_API_KEY":"${RANDOM}"}}`, 'line 1 sets DEEPGRAM_API_KEY'],
  ['a header', 'mcp.json', `{"Authorization": "Bearer ${RANDOM}"}`, 'line 1 sets Authorization'],
  ["an agent's login", 'auth.json', `{"tokens": {"access_token": "${RANDOM}"}}`, 'line 1 sets access_token'],
  ['YAML', 'compose.yaml', `environment:\n  CARTESIA_API_KEY: ${RANDOM} # mine`, 'line 2 sets CARTESIA_API_KEY'],
  ['a list of variables', 'k8s.yaml', `- name: CARTESIA_API_KEY\n  value: "${RANDOM}"`, 'line 1 sets CARTESIA_API_KEY'],
  ['TOML', 'a.toml', `[env]\nOPENAI_API_KEY = "${RANDOM}"`, 'line 2 sets OPENAI_API_KEY'],
  [
    "Terraform's variables",
    'prod.tfvars',
    'openai_api_key = "not so long"\ndb_password = "s3cr3t!x"',
    'line 2 sets db_password',
  ],
  ['INI', 'settings.ini', `[openai]\napi_key: ${RANDOM}`, 'line 2 sets api_key'],
  ['a token in a document', 'NOTES.md', `Mine is ${KEY}.`, 'line 1 has a token of OpenAI or a service like it'],
  ['one in code', 'bot.py', `llm = LLM(api_key="${KEY}")`, 'line 1 has a token of OpenAI or a service like it'],
  [
    'one in a notebook',
    'a.ipynb',
    `"os.environ[\\"OPENAI_API_KEY\\"] = \\"${RANDOM}\\""`,
    'line 1 sets OPENAI_API_KEY',
  ],
];

const harmless: [about: string, name: string, text: string][] = [
  ['a certificate', 'ca.crt', pem('CERTIFICATE')],
  ['a public key', 'key.pub', pem('PUBLIC KEY')],
  ['answers', 'data/answer_key.json', '{"1": "b", "answer_key": "1a2b3c4d5e6f7a8b9c0d"}'],
  ['code that reads a key', 'bot.py', 'key = os.environ["OPENAI_API_KEY"]\napi_key=os.getenv("A_KEY", "")'],
  ['code that looks for keys', 'scan.py', `if "${BEGIN} PRIVATE KEY-----" in text: pass`],
  ['a fixture', 'conftest.py', 'OPENAI_API_KEY = "sk-test-1234567890"'],
  ['a fixture as JSON', 'fixture.json', '{"OPENAI_API_KEY": "test-key-for-openai", "password": "Passwort"}'],
  ['a document', 'README.md', 'Set `OPENAI_API_KEY=sk-1234567890` in `.env`, or\nexport OPENAI_API_KEY=your-key'],
  [
    'an example',
    'env.example',
    'OPENAI_API_KEY=\nDEEPGRAM_API_KEY=your_deepgram_key\nA_TOKEN=<token>\nB_KEY=xxxxxxxxxxxx',
  ],
  [
    'a JSON schema',
    'schema.json',
    '{"properties": {"OPENAI_API_KEY": {"type": "string"}}, "required": ["OPENAI_API_KEY"]}',
  ],
  ['a workflow', 'ci.yml', `OPENAI_API_KEY: ${'$'}{{ secrets.OPENAI_API_KEY }}\nA_API_KEY: "$A_API_KEY"`],
  ['Terraform', 'main.tf', 'openai_api_key = var.openai_api_key_of_the_bot'],
  ['a reference', 'x.yaml', 'OPENAI_API_KEY: op://vault/openai/credential'],
  ['a path', 'x.json', '{"GOOGLE_APPLICATION_CREDENTIALS": "google-credentials.json"}'],
  ['a lock file', 'lock.json', `{"integrity": "sha512-${RANDOM}", "hash": "${RANDOM}"}`],
  ['what the public may know', 'x.json', `{"publicKey": "${RANDOM}", "STRIPE_PUBLISHABLE_KEY": "pk_live_${RANDOM}"}`],
  ['a placeholder of a key', 'key.txt', `${BEGIN} PRIVATE KEY-----\n...\n${END} PRIVATE KEY-----`],
  ['an example of AWS', 'x.ini', 'aws_access_key_id = AKIAIOSFODNN7EXAMPLE'],
  ['key of a cache', 'x.yaml', 'CACHE_KEY: customers-by-region\nSORT_KEY: created_at_desc'],
];

describe('the secret in a file', () => {
  for (const [about, name, text, found] of secrets) {
    it(`is found: ${about}`, () => {
      const { line, what } = revealedBy(text, name) ?? {};
      assert.equal(`line ${line} ${what}`, found);
    });
  }
  for (const [about, name, text] of harmless) {
    it(`isn't there: ${about}`, () => assert.equal(revealedBy(text, name), undefined));
  }

  it("is each key in the catalog, also in small letters as Terraform's variables are", () => {
    const rows = [...allServices.flatMap(variablesOf), ...transports.flatMap(({ ambient }) => ambient)];
    for (const name of unique(rows.map(({ env }) => env)).filter(isSecret)) {
      for (const text of [`${name}=${RANDOM}`, `${name.toLowerCase()} = "${RANDOM}"`])
        assert(revealedBy(text, 'x'), text);
      assert.equal(revealedBy(`${name}=`, 'x'), undefined);
    }
  });

  it("isn't looked for in large and binary files", async () => {
    const text = `OPENAI_API_KEY=${RANDOM}\n`;
    const tree = { small: text, large: text + ' '.repeat(2 ** 18), binary: `\0${text}` };
    await inTree(tree, root => {
      const look = (name: keyof typeof tree) => revealedIn(join(realpathSync(root), name), tree[name].length)?.what;
      assert.deepEqual([look('small'), look('large'), look('binary')], ['sets OPENAI_API_KEY', undefined, undefined]);
    });
  });
});
