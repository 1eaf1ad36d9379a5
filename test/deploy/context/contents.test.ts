import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { allServices, isSecret, transports, variablesOf } from '../../../src/catalog/index.ts';
import { revealedBy, revealedIn } from '../../../src/deploy/context/contents.ts';
import { unique } from '../../../src/std.ts';
import { inTree } from '../../support/trees.ts';

/** A key as providers issue them. Joined here, so that no scanner takes this file for a leak. */
const KEY = `${'sk'}-proj-${'a1B2c3D4e5F6g7H8'.repeat(2)}`;
const RANDOM = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const [BEGIN, END] = ['-----BEGIN', '-----END'];
const pem = (label: string, line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB') =>
  `${BEGIN} ${label}-----\n${line}\n${END} ${label}-----\n`;

const LONG = `${RANDOM}0a1b2c3d`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const jwt = (claims: object, signature = 'q7Rt2-Vx9KdPz4LmWc8YsBn3JhFg6TeA'): string => {
  const parts = [{ alg: 'HS256' }, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, signature].join('.');
};
const ACCOUNT = JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY', 'MIIE') }, null, 2);
const PASSWORD = 'Kf7mQ2xw';
const DISCORD = `https://discord.${'com'}/api/webhooks/112233445566778899/${'Hq3Zt8Rk-'.repeat(8)}`;
const TELEGRAM = `https://api.telegram.org/bot7203918465:${'A'}A${'Hq3Zt8Rk-'.repeat(4).slice(0, 33)}/getMe`;
const SLACK = `https://hooks.slack.${'com'}/services/T7K2M9QX4/B3R8W5ZN1/q7Rt2Vx9KdPz4LmWc8YsBn3J`;

const filled = (text: string, name = 'DEEPGRAM_API_KEY') => text.replaceAll('NAME', name).replace('VALUE', LONG);

/** A variable of a provider next to its value, as languages and formats write it. */
const notations = [
  ...['setenv NAME VALUE', 'setx NAME VALUE', 'setx NAME "VALUE"', 'set -x NAME VALUE', 'ENV NAME VALUE'],
  ...['<key>NAME</key><string>VALUE</string>', '<key>NAME</key>\n\t<string>VALUE</string>', 'NAME,VALUE'],
  ...['"NAME";"VALUE"', 'NAME\tVALUE', '| NAME | VALUE |', "['NAME', 'VALUE']", 'NAME: VALUE', 'env.NAME=VALUE'],
  `${'$'}{NAME:-VALUE}`,
];

/** A key in code, in case the variable isn't set, or instead of it. */
const defaults: [file: string, text: string, line?: number, owner?: string][] = [
  ['a.py', 'os.getenv("NAME", "VALUE")'],
  ['a.py', 'os.getenv(\n    "NAME",\n    "VALUE",\n)', 2],
  ['a.py', 'os.getenv("NAME", default="VALUE")'],
  ['a.py', 'os.environ.get("NAME") or "VALUE"'],
  ['a.py', 'os.environ.setdefault("NAME", "VALUE")'],
  ['a.py', 'NAME: str = "VALUE"'],
  ['a.py', 'settings.NAME = "VALUE"', 1, 'settings.'],
  ['a.ts', "process.env.NAME ?? 'VALUE'"],
  ['a.ts', "process.env['NAME'] ||\n  'VALUE'"],
];

/** The names of a zip, as its end lists them, and of a tar: as little as readers need. */
const zipOf = (names: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from('PK\x03\x04'),
    ...names.flatMap(name => {
      const head = Buffer.alloc(46);
      head.write('PK\x01\x02');
      head.writeUInt16LE(name.length, 28);
      return [head, Buffer.from(name)];
    }),
  ]);
const tarOf = (names: readonly string[]): Buffer =>
  Buffer.concat(
    names.map(name => {
      const block = Buffer.alloc(512);
      block.write(posix.basename(name) + (name.endsWith('/') ? '/' : ''));
      block.write('ustar\x0000', 257);
      block.write(posix.dirname(name), 345);
      return block;
    }),
  );

/** A key one step away from its name. */
const stepsAway: [name: string, text: string, line?: number][] = [
  ['DEEPGRAM_API_KEY', 'NAME: >-\n  VALUE'],
  ['openai_api_key', 'NAME: |\r\n  VALUE'],
  ['api_key', '"NAME":\n    "VALUE"'],
  ['DEEPGRAM_API_KEY', 'export NAME=\\\nVALUE'],
  ['MY_OWN_API_KEY', 'NAME:\n  - VALUE'],
  ['DeepgramApiKey', '<add key="NAME" value="VALUE"/>'],
  ['DeepgramApiKey', '<add value="VALUE" key="NAME"/>'],
  ['apiKey', '<NAME>VALUE</NAME>'],
  ['deepgram_api_key', 'variable "NAME" {\n  default = "VALUE"\n}', 2],
  ['OPENAI_API_KEY', '{"key": "NAME",\n "value": "VALUE"}'],
  ['OPENAI_API_KEY', '{"value": "VALUE",\n "key": "NAME"}'],
  ['CARTESIA_API_KEY', 'env:\n- value: VALUE\n  name: NAME', 2],
  ['token', 'NAME: VALUE'],
  ['webhook_secret', 'NAME = "VALUE"'],
  ['token', '{"NAME":\n "VALUE"}'],
];

type Row = [name: string, text: string, found: string];

const secrets: Row[] = [
  ['AuthKey_AB12CD34EF.p8', pem('PRIVATE KEY'), 'line 1 has a private key'],
  ...['RSA', 'EC', 'DSA', 'OPENSSH', 'ENCRYPTED'].map(
    (kind): Row => ['key', `# mine\r\n${pem(`${kind} PRIVATE KEY`)}`, 'line 2 has a private key'],
  ),
  ['me.asc', pem('PGP PRIVATE KEY BLOCK', '\nlQdGBGX='), 'line 1 has a private key'],
  ['me', 'PuTTY-User-Key-File-3: ssh-ed25519\n', 'line 1 has a private key'],
  ['both.crt', pem('CERTIFICATE') + pem('PRIVATE KEY'), 'line 4 has a private key'],
  ['jwk.json', `{"kty": "RSA",\n"d": "${RANDOM}"}`, 'line 2 has a private key'],
  ['my-app-firebase-adminsdk-x1y2z-0123456789.json', ACCOUNT, 'line 2 has credentials of Google Cloud'],
  ['x.json', `{"type":"authorized_user","refresh_token":"1//0abcdef"}`, 'line 1 has credentials of Google Cloud'],
  ['env.local', `A=1\nOPENAI_API_KEY=${RANDOM}`, 'line 2 sets OPENAI_API_KEY'],
  ['env.production', 'DB_PASSWORD=hunter22', 'line 1 sets DB_PASSWORD'],
  ['run.sh', `export DEEPGRAM_API_KEY="${RANDOM}"\n`, 'line 1 sets DEEPGRAM_API_KEY'],
  ['run.ps1', `$env:DEEPGRAM_API_KEY = '${RANDOM}'`, 'line 1 sets DEEPGRAM_API_KEY'],
  ['.mcp.json', `{"env":{"DEEPGRAM_API_KEY":"${RANDOM}"}}`, 'line 1 sets DEEPGRAM_API_KEY'],
  ['mcp.json', `{"Authorization": "Bearer ${RANDOM}"}`, 'line 1 sets Authorization'],
  ['auth.json', `{"tokens": {"access_token": "${RANDOM}"}}`, 'line 1 sets access_token'],
  ['compose.yaml', `environment:\n  CARTESIA_API_KEY: ${RANDOM} # mine`, 'line 2 sets CARTESIA_API_KEY'],
  ['k8s.yaml', `- name: CARTESIA_API_KEY\n  value: "${RANDOM}"`, 'line 1 sets CARTESIA_API_KEY'],
  ['a.toml', `[env]\nOPENAI_API_KEY = "${RANDOM}"`, 'line 2 sets OPENAI_API_KEY'],
  ['prod.tfvars', 'openai_api_key = "not so long"\ndb_password = "s3cr3t!x"', 'line 2 sets db_password'],
  ['settings.ini', `[openai]\napi_key: ${RANDOM}`, 'line 2 sets api_key'],
  ['NOTES.md', `Mine is ${KEY}.`, 'line 1 has a token of OpenAI or a service like it'],
  ['bot.py', `llm = LLM(api_key="${KEY}")`, 'line 1 has a token of OpenAI or a service like it'],
  ['a.ipynb', `"os.environ[\\"OPENAI_API_KEY\\"] = \\"${RANDOM}\\""`, 'line 1 sets OPENAI_API_KEY'],
  ...notations.map((text): Row => {
    const name = text.startsWith('env.') ? 'env.DEEPGRAM_API_KEY' : 'DEEPGRAM_API_KEY';
    return ['settings', `\n${filled(text)}\n`, `line 2 sets ${name}`];
  }),
  ...defaults.map(([file, text, line = 1, owner = '']): Row => {
    return [file, filled(text), `line ${line} sets ${owner}DEEPGRAM_API_KEY`];
  }),
  ...stepsAway.map(([name, text, line = 1]): Row => ['settings', filled(text, name), `line ${line} sets ${name}`]),
  ['a.txt', `wss://api.acme.io/v1?x=1&token=6fVu76zoOsfJAVxZ&y=2`, 'line 1 sets token'],
  ['a.py', `get("https://api.acme.io/v1?api_key=${RANDOM}")`, 'line 1 sets api_key'],
  ['a.tsx', `<Bot\n  apiKey={"${RANDOM}"} />`, 'line 2 sets apiKey'],
  ['a.txt', DISCORD, 'line 1 has a token of Discord'],
  ['a.toml', `[azure]\nspeech_key = "${RANDOM}"`, 'line 2 sets speech_key'],
  ['a.yaml', `deepgram:\n  model: nova-3\n  key: ${LONG}`, 'line 3 sets key'],
  ['a.properties', `azure.speech.key=${RANDOM}`, 'line 1 sets azure.speech.key'],
  ['a.json', `{"deepgram":{"key":"${LONG}"}}`, 'line 1 sets key'],
  ['a.json', `{"azure":{"speechKey":"${RANDOM}"}}`, 'line 1 sets speechKey'],
  ['request.http', `Authorization: Token ${LONG}`, 'line 1 sets Authorization'],
  ['a.py', `"Authorization: Bearer ${LONG}"`, 'line 1 sets Authorization'],
  ...['password: X', 'db_password = "X"', '"passwd": "X"', 'PGPASSWORD=X', 'smtp.pass=X'].map((line): Row => {
    return ['settings', line.replace('X', `${PASSWORD}9Lp4`), `line 1 sets ${line.replace(/\W*[:=].*|"/g, '')}`];
  }),
  ['.npmrc', `//r.acme.io/:_auth=${base64(`bot:${RANDOM}`)}`, 'line 1 sets _auth'],
  ['config.json', `{"auths":{"r":{"auth":"${base64(`bot:${RANDOM}`)}"}}}`, 'line 1 sets auth'],
  ['kubeconfig', `users:\n- user:\n    client-key-data: ${base64(pem('RSA PRIVATE KEY'))}`, 'line 3 has a private key'],
  ['sa.txt', base64(ACCOUNT), 'line 1 has credentials of Google Cloud'],
  ['kubeconfig', `token: ${jwt({ sub: 'bot' })}`, 'line 1 has a JSON Web Token'],
  ['run.sh', `-H "Authorization: Bearer ${jwt({ sub: 'bot' })}"`, 'line 1 has a JSON Web Token'],
  ['notes.txt', `${'AI'}za${'SyB3xK9_'.repeat(5).slice(0, 35)}`, 'line 1 has a token of Google'],
  ['a.txt', TELEGRAM, 'line 1 has a token of Telegram'],
  ['a.txt', SLACK, 'line 1 has a token of Slack'],
  ['a.ini', `url = postgres://bot:${PASSWORD}@db.acme.io/calls`, 'line 1 has a password'],
  ['db.py', `connect("redis://:${PASSWORD}@10-0.cache.acme.io:6379")`, 'line 1 has a password'],
  ['login', `machine api.acme.io\n  login bot\n  password ${PASSWORD}\n`, 'line 1 has a password'],
  ['pg', `db.acme.io:5432:*:bot:${PASSWORD}`, 'line 1 has a password'],
  ['users', `bot:${'$'}apr1${'$'}q7Rt2Vx9${'$'}KdPz4LmWc8YsBn3JhFg6T/`, 'line 1 has the hash of a password'],
];

/** Neither digits only nor words: what no name is needed for to be random. */
const K = 'q7Rt2Vx9KdPz4LmWc8YsBn3JhFg6TeA5';
const SEALED = `AgBy${K.repeat(20)}=`;
const HEX = `${RANDOM}${RANDOM}${RANDOM}`;

const SOPS = `OPENAI_API_KEY: ENC[AES256_GCM,data:${K},iv:${K}=,tag:${RANDOM}==,type:str]\nsops:\n  kms:\n    - arn: arn:aws:kms:eu-west-1:123412341234:key/123e4567-e89b-12d3-a456-426614174000\n      enc: AQICAH${K}${K}\n  mac: ENC[AES256_GCM,data:${K},type:str]`;

/** What a name, a command line, or markup says about a value. */
const spelled: Row[] = [
  ...['DB_PASS', 'SMTP_PASS', 'MYSQL_PWD', 'PASSPHRASE', 'smtpPass', 'dbPwd', 'Passwort'].flatMap((name): Row[] => [
    ['a.yaml', `${name}: ${K}`, `sets ${name}`],
    ['a.json', `{"${name}": "${K}"}`, `sets ${name}`],
    ['a.py', `${name} = "${K}"`, `sets ${name}`],
  ]),
  ['env.prod', 'DB_PASS=hunter22', 'sets DB_PASS'],
  ['a.sh', `DEEPGRAM=${K}`, 'sets DEEPGRAM'],
  ['keys.yaml', `openai: ${K}`, 'sets openai'],
  ['a.py', `DEEPGRAM = "${K}"`, 'sets DEEPGRAM'],
  ['a.sh', `ELEVEN_API=${K}`, 'sets ELEVEN_API'],
  ['env.prod', `ELEVEN_API=${K}`, 'sets ELEVEN_API'],
  ['a.config', `value="Server=db.acme.io;Uid=bot;Pwd=${K};"`, 'has a password'],
  ['a.cs', `Open("Server=db.acme.io;Uid=bot;Password=${K};");`, 'has a password'],
  ...['Secret key', 'API key', 'Auth Token', 'Client secret'].flatMap((name): Row[] => [
    ['notes.txt', `${name}: ${K}`, `sets ${name}`],
    ['notes.md', `- **${name}:** ${K}`, `sets ${name}`],
    ['notes.md', `The ${name}: \`${K}\``, `sets ${name}`],
  ]),
  ['a.json', `["--api-key", "${K}"]`, 'sets api-key'],
  ['a.py', `run(["bot", "--deepgram-api-key", "${K}"])`, 'sets deepgram-api-key'],
  ['a.yaml', `args:\n- --api-key\n- ${K}`, 'sets api-key'],
  ['a.sh', `bot --deepgram-api-key ${K}`, 'sets deepgram-api-key'],
  ['a.sh', `bot --deepgram-api-key \\\n  "${K}"`, 'sets deepgram-api-key'],
  ['README.md', `bot --token=${K}`, 'sets token'],
  ['a.py', `# bot --token=${K}`, 'sets token'],
  ['a.sh', `docker login --username bot --password ${K}`, 'sets password'],
  ['a.sh', `curl -u AC${RANDOM}:${K} https://api.acme.io`, 'has a password'],
  ['README.md', `curl -u AC${RANDOM}:${K} https://api.acme.io`, 'has a password'],
  ['a.py', `run(["curl", "-u", "AC${RANDOM}:${K}"])`, 'has a password'],
  ['a.sh', `http --user a:${K} api.acme.io`, 'has a password'],
  ['a.sh', `mysql -h db.acme.io -u bot -p${K} calls`, 'has a password'],
  ['a.sh', `mysqldump -p'${K}' calls`, 'has a password'],
  ['a.sh', `sshpass -p ${K} ssh bot@acme.io`, 'has a password'],
  ['a.py', `run(["sshpass", "-p", "${K}", "ssh"])`, 'has a password'],
  ['a.sh', `docker login r.acme.io -u bot -p ${K}`, 'has a password'],
  ['a.sh', `gh secret set X --body ${K}`, 'sets X'],
  ['a.sql', `ALTER USER bot WITH ENCRYPTED PASSWORD '${K}';`, 'has a password'],
  ['a.sql', `create user bot identified by '${K}';`, 'has a password'],
  ['a.sql', `CREATE USER bot IDENTIFIED WITH caching_sha2_password BY '${K}';`, 'has a password'],
  ['notes.md', `**DEEPGRAM_API_KEY**: ${K}`, 'sets DEEPGRAM_API_KEY'],
  ['a.yaml', `DEEPGRAM_API_KEY: !!str ${K}`, 'sets DEEPGRAM_API_KEY'],
  ['notes.txt', `DEEPGRAM_API_KEY is ${K}`, 'sets DEEPGRAM_API_KEY'],
  ['a.json', `{"ParameterKey": "ApiKey", "ParameterValue": "${K}"}`, 'sets ApiKey'],
  ['a.sh', `ParameterKey=DbPassword,ParameterValue=${K}`, 'sets DbPassword'],
  ['a.json', `{"Key": "DEEPGRAM_API_KEY", "Value": "${K}"}`, 'sets DEEPGRAM_API_KEY'],
  ['a.json', `{"Value": "${K}", "Key": "DEEPGRAM_API_KEY"}`, 'sets DEEPGRAM_API_KEY'],
  [
    'a.yaml',
    `kind: SealedSecret\nencryptedData:\n  API_KEY: ${SEALED}\n---\nstringData:\n  API_KEY: ${K}`,
    'sets API_KEY',
  ],
  ['a.yaml', `password: hunter2\nDEEPGRAM_API_KEY: ${K}`, 'sets DEEPGRAM_API_KEY'],
  // As recorded requests have headers.
  ['cassette.yaml', `Authorization:\n      - Bearer ${K}`, 'sets Authorization'],
  ['cassette.yaml', `authorization: ['Bearer ${K}']`, 'sets authorization'],
  ['cassette.json', `{"x-api-key":["${K}"]}`, 'sets x-api-key'],
  ['cassette.yaml', `xi-api-key:\n- ${RANDOM}`, 'sets xi-api-key'],
  ['a.har', `{"name":"xi-api-key","value":"${RANDOM}"}`, 'sets xi-api-key'],
  ['insomnia.yaml', `- name: X-API-Key\n  value: ${K}`, 'sets X-API-Key'],
  ['a.tf', `variable "deepgram_key" {\n  type    = string\n  default = "${K}"\n}`, 'sets deepgram_key'],
  ['a.json', `{"api_key":{"sensitive":true,"type":"string","value":"${K}"}}`, 'sets api_key'],
  ['a.py', `API_KEY = b"${K}"`, 'sets API_KEY'],
  ['a.js', `"Ocp-Apim-Subscription-Key": "${RANDOM}"`, 'sets Ocp-Apim-Subscription-Key'],
  ...['subscription_key', 'secret_key_base', 'service_role_key', 'admin_key', 'hmac_key', 'passcode', 'kennwort'].map(
    (name): Row => ['a.yaml', `${name}: ${K}`, `sets ${name}`],
  ),
  ['a.yaml', 'vonage_api_secret: q7Rt2Vx9KdPz4LmW', 'sets vonage_api_secret'],
  ['db.py', "connect(password='q7Rt2Vx9KdPz4LmW')", 'sets password'],
  // Random values without a row of digits, or with separators.
  ['a.json', '{"token": "zL2LnS6Odk0lQ_XhY9DXbRdH-ivGM4eQ"}', 'sets token'],
  ['a.json', '{"token": "wpVRAeI9dzUdoaVpBSMVDhys"}', 'sets token'],
  ['a.json', '{"apiKey": "TUPYTiYpSOmzQnMxncDNSLmOzRrY"}', 'sets apiKey'],
  ['a.py', 'API_KEY = "TUPYTiYpSOmzQnMxncDNSLmOzRrY"', 'sets API_KEY'],
  ['a.ini', 'url = postgres://bot:YKtQymgxHHPrPftssA@db.acme.io/x', 'has a password'],
  // Keys without the lines around them.
  ['a.txt', `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${K}`, 'has a private key'],
  ['a.json', `{"key": "MIIEowIBAAKCAQEA${K}"}`, 'has a private key'],
  ['a.txt', `MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0w${K}`, 'has a private key'],
  ['a.txt', `MC4CAQAwBQYDK2VwBCIEI${K}`, 'has a private key'],
  ['vpn', `${BEGIN} OpenVPN Static key V1-----\n${RANDOM}\n`, 'has a private key'],
];

/** Beginnings apart from the rest, so that no scanner takes this file for a leak. */
const tokens: [of: string, begin: string, rest: string][] = [
  ['Slack', 'xapp', `-1-A07K2M9QX4B-7203918465123-${HEX.slice(0, 64)}`],
  ['LangSmith', 'lsv2', `_pt_${RANDOM}_${RANDOM.slice(0, 10)}`],
  ['Tavily', 'tvly', `-${K}`],
  ['Tavily', 'tvly', `-dev-${K}`],
  ['Together', 'tgp', `_v1_${K}Hq3Zt8Rk-_w`],
  ['Fireworks', 'fw', `_3Z${K.slice(0, 20)}`],
  ['Databricks', 'dapi', RANDOM],
  ['Shopify', 'shpat', `_${RANDOM}`],
  ['Linear', 'lin', `_api_${K}Hq3Zt8Rk`],
  ['Notion', 'ntn', `_72039184651${K}q7R`],
  ['Supabase', 'sbp', `_${LONG}`],
  ['Supabase', 'sb', `_secret_${K.slice(0, 22)}_Hq3Zt8Rk`],
  ['Airtable', 'pat', `${K.slice(0, 14)}.${HEX.slice(0, 64)}`],
  ['Grafana', 'glsa', `_${K}_${RANDOM.slice(0, 8)}`],
  ['Grafana', 'glc', `_eyJvIjoi${K}`],
  ['New Relic', 'NRAK', `-${K.toUpperCase().slice(0, 27)}`],
  ['Postman', 'PMAK', `-${RANDOM.slice(0, 24)}-${LONG.slice(0, 34)}`],
  ['Stripe', 'whsec', `_${K}`],
  ['Mailgun', 'key', `-${RANDOM}`],
  ['Docker', 'dckr', `_pat_${K.slice(0, 27)}`],
  ['Figma', 'figd', `_${K}Hq3Zt8Rk`],
  ['Sentry', 'sntrys', `_eyJpYXQiOj${K}`],
  ['Fly', 'FlyV1 fm2', `_lJPE${K}${K}`],
  ['Google', 'AQ', `.Ab8RN6${K}${K.slice(0, 14)}`],
  ['Cerebras', 'csk', `-${K}`],
  ['Telnyx', 'KEY', `${RANDOM.toUpperCase()}_${K.slice(0, 22)}`],
  ['Pinecone', 'pcsk', `_4Hq3Zt_${K}${K}`],
  ['Atlassian', 'ATATT', `3xFfGF0${K}${K}=1A2B3C4D`],
  ['Amazon Bedrock', 'ABSK', `${K}${K}`],
  ['Neon', 'napi', `_${LONG}`],
  ['PlanetScale', 'pscale', `_tkn_${K}`],
  ['HubSpot', 'pat', '-na1-1a2b3c4d-5e6f-4a8b-9c0d-2e3f4a5b6c7d'],
  ['Mapbox', 'sk', `.eyJ1Ijoi${K}${K}.${K}`],
  ['Azure', 'sig', `=${K}q7Rt2Vx9KdPz%3D`],
  ['Discord', 'MTE', `5${K.slice(0, 22)}.GxY1Zt.${K}`],
  ['Resend', 're', `_Hq3Zt8Rk_${K}`],
  ['Sarvam', 'sk', `_x7k2m9qb_${K}`],
];

/** What may be a password: a deploy uploads the file, and warns. */
const doubtful: [name: string, text: string][] = [
  ['sip.yaml', 'password: S3cr3tPassw0rd'],
  ['a.yaml', 'password: p@ss!w0rd#2024'],
  ['a.sh', 'DB_PASSWORD=Xk9abQdefg1'],
  ['a.toml', 'password = "Summer2024!"'],
  ['a.json', '{"smtpPass": "hunter2"}'],
  ['a.ini', 'pwd=hunter22'],
  ['compose.yaml', `POSTGRES_PASSWORD: ${'$'}{DB_PASS:-hunter2}`],
  ['a.ini', 'secret=q7Rt2Vx9KdPz'],
  ['env.prod', 'DB_PASSWORD=hunter2'],
  ['k8s.yaml', '- name: DB_PASS\n  value: hunter2'],
  ['a.sh', 'sshpass -p hunter22 ssh bot@acme.io'],
  ['a.sql.txt', "ALTER USER bot PASSWORD 'hunter22'"],
  ['a.ini', 'DATABASE_URL=postgres://bot:S3cr3tPassw0rd@db.acme.com/x'],
  ['a.ini', 'url = postgres://bot:hunter2@db.acme.com/x'],
  ['a.ini', 'url = postgres://bot:q7Rt2Vx9KdPz4LmW@10.20.0.4/x'],
  ['a.ini', 'url = postgres://bot:q7Rt2Vx9KdPz4LmW@prod-db/x'],
  ['a.yaml', 'password: vlAbjhsKJMx'],
];

const harmless: [name: string, text: string][] = [
  ['ca.crt', pem('CERTIFICATE')],
  ['key.pub', pem('PUBLIC KEY')],
  ['data/answer_key.json', '{"1": "b", "answer_key": "1a2b3c4d5e6f7a8b9c0d"}'],
  ['bot.py', 'key = os.environ["OPENAI_API_KEY"]\napi_key=os.getenv("A_KEY", "")'],
  ['scan.py', `if "${BEGIN} PRIVATE KEY-----" in text: pass`],
  ['conftest.py', 'OPENAI_API_KEY = "sk-test-1234567890"'],
  ['fixture.json', '{"OPENAI_API_KEY": "test-key-for-openai", "password": "Passwort"}'],
  ['README.md', 'Set `OPENAI_API_KEY=sk-1234567890` in `.env`, or\nexport OPENAI_API_KEY=your-key'],
  ['env.example', 'OPENAI_API_KEY=\nDEEPGRAM_API_KEY=your_deepgram_key\nA_TOKEN=<token>\nB_KEY=xxxxxxxxxxxx'],
  ['schema.json', '{"properties": {"OPENAI_API_KEY": {"type": "string"}}, "required": ["OPENAI_API_KEY"]}'],
  ['ci.yml', `OPENAI_API_KEY: ${'$'}{{ secrets.OPENAI_API_KEY }}\nA_API_KEY: "$A_API_KEY"`],
  ['main.tf', 'openai_api_key = var.openai_api_key_of_the_bot'],
  ['x.yaml', 'OPENAI_API_KEY: op://vault/openai/credential'],
  ['x.json', '{"GOOGLE_APPLICATION_CREDENTIALS": "google-credentials.json"}'],
  ['lock.json', `{"integrity": "sha512-${RANDOM}", "hash": "${RANDOM}"}`],
  ['x.json', `{"publicKey": "${RANDOM}", "STRIPE_PUBLISHABLE_KEY": "pk_live_${RANDOM}"}`],
  ['key.txt', `${BEGIN} PRIVATE KEY-----\n...\n${END} PRIVATE KEY-----`],
  ['x.ini', 'aws_access_key_id = AKIAIOSFODNN7EXAMPLE'],
  ['notes.txt', `A PEM file begins with ${BEGIN} PRIVATE KEY----- and ends with an end line.\nSee ${LONG}.`],
  ['notes.txt', `It begins with ${BEGIN} PRIVATE KEY-----.\nNote: it has ${END.length} dashes.`],
  ['notes.txt', `It begins with\n${BEGIN} PRIVATE KEY-----\nand ends with an end line.`],
  ['notes.txt', 'Set OPENAI_API_KEY, DEEPGRAM_API_KEY and CARTESIA_API_KEY_OF_THE_2ND_BOT.'],
  ['log.txt', `${LONG} Rename OPENAI_API_KEY\n${LONG} Rename DEEPGRAM_API_KEY\n${LONG} Add it`],
  ['x.json', '{"token": "MyHTMLParserFromTheXMLFactory", "apiKey": "ReadTheApiKeyFromSettings"}'],
  ['x.yaml', 'token: my-model-v2-3b-instruct-2024-large\npassword: OpenSesame'],
  ['x.txt', `MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQsw${K}`],
  ['x.json', '{"api_key": {"type": "string", "default": "read-from-the-environment-1"}}'],
  ['x.yaml', 'DEEPGRAM_API_KEY: /run/secrets/deepgram_api_key_v2_of_the_bot'],
  ['a.txt', 'DEEPGRAM_API_KEY https://console.deepgram.com/project/9f8e7d6c5b4a39281706'],
  ['a.py', 'os.getenv("OPENAI_API_KEY", "sk-1234567890abcdef1234567890abcdef1234")'],
  ['conftest.py', 'monkeypatch.setenv("OPENAI_API_KEY", "test-key-for-openai-2026")'],
  ['a.py', 'os.getenv("DEEPGRAM_API_KEY", "")\nos.getenv("OPENAI_API_KEY", OTHER_API_KEY)'],
  ['x.yaml', `deepgram:\n  model: nova-3\ncache:\n  key: ${LONG}`],
  ['x.json', `{"deepgram": {"model": "nova-3"}, "cache": {"key": "${LONG}"}}`],
  ['kubeconfig', `certificate-authority-data: ${base64(pem('CERTIFICATE'))}`],
  ['page.json', `{"next": "${base64('{"page": 2, "sort": "created_at", "order": "descending"}')}"}`],
  ['a.css', `url(data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAUA'.repeat(9)})`],
  ['a.txt', jwt({ sub: '1234567890', name: 'John Doe' })],
  ['a.txt', jwt({ iss: 'supabase', role: 'anon' })],
  ['a.txt', jwt({ sub: 'bot' }, 'your-signature-goes-right-here')],
  ['a.ts', `{ apiKey: "${'AI'}za${'SyB3xK9_'.repeat(5).slice(0, 35)}", authDomain: "a.firebaseapp.com" }`],
  ['a.txt', `https://hooks.slack.${'com'}/services/T00000000/B00000000/${'X'.repeat(24)}`],
  ...['localhost', '127.0.0.1', 'db:5432', 'db.example.com', 'pg.local'].map((host): [string, string] => {
    return ['a.ini', `postgres://bot:${PASSWORD}@${host}/x`];
  }),
  ...`password1 your-password-1 \${DB_PASSWORD} <password> postgres s3cret %s`
    .split(' ')
    .map((password): [string, string] => ['a.ini', `postgres://bot:${password}@db.acme.io/x`]),
  ...[
    `correct-horse-battery,passw0rd-of-2026,\${DB_PASSWORD_2026},<password-12345>,forgot-password.html,hunter,abc12`,
    `password1,P@ssw0rd!,s3cret,changeme1,your-passw0rd,db-password-v2,\${DB_PASS}2,vault:db/pass1,argon2id,sha256`,
    'Kennwort der Version 2',
  ]
    .flatMap(values => values.split(','))
    .map((value): [string, string] => ['a.yaml', `password: ${value}`]),
  ['README.md', 'password: hunter22'],
  ['a.py', 'password = "hunter22"'],
  ['a.sql', "ALTER USER bot PASSWORD 'hunter22'"],
  ['a.py', 'postgres://bot:hunter2@db.acme.com/x'],
  ['a.ini', 'postgres://bot:hunter2@db:5432/x'],
  ['a.yaml', 'bypass: hunter22\ncompass: north225\nby_pass: route66b'],
  ['a.sh', 'PWD=/srv/bot2\nOLDPWD=/srv/bot1/data'],
  ['a.sh', 'docker run --user 1000:1000 -p8080:80 a\ndocker run -u app:group22 a'],
  ['a.sh', 'mysql -h db -P3306 -u bot -p calls2'],
  ['a.sh', 'gh secret set X --body "$OPENAI_API_KEY_2"'],
  ['a.sh', 'bot --api-key "$DEEPGRAM_API_KEY" --token-file /run/secrets/token2_of_the_bot_in_production'],
  ['a.sh', 'bot --api-key --output-directory-of-the-2nd-bot'],
  ['README.md', 'bot --api-key your-deepgram-api-key-1'],
  ['a.yaml', 'deepgram: nova-3-general\nopenai: gpt-4.1-mini-2025-04-14\ngoogle: 123e4567-e89b-12d3-a456-426614174000'],
  ['a.yaml', `Public API key: ${K}`],
  ['a.yaml', `token_api: https://${'api.acme.io/v1/'.repeat(3)}`],
  ['notes.txt', 'The API key is in the drawer. DEEPGRAM_API_KEY is needed by bot.py since version2026.'],
  ['a.json', '{"Key": "Name", "Value": "bot-in-production-2026-eu-central-1"}'],
  ['a.txt', 'xapp-1-of-the-2-apps tvly-search fw_update_2026 key-value-pairs ntn_2026 AQ.b pat1234.56 dapi2026'],
  ['a.txt', 'sb_secret_key_from_the_environment_of_the_bot cache-key-9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
  ['a.sh', `TWILIO_ACCOUNT_SID=AC${RANDOM}\nPLIVO_AUTH_ID=MAODUZYTQ0Y2FMYJBLOW\nAPI_KEY_SID=SK${RANDOM}`],
  ['env.prod', `TWILIO_ACCOUNT_SID=AC${RANDOM}\nAPP_ID=9f8e7d6c`],
  ['a.py', `TWILIO_ACCOUNT_SID = "AC${RANDOM}"`],
  ['env.prod', 'OPENAI_API_KEY=sk-no-key-required'],
  ['a.sh', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['env.prod', 'AWS_SECRET_ACCESS_KEY=je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY'],
  ['env.prod', 'A_API_KEY=ssm:/prod/deepgram\nB_API_KEY=gcpsm://a/b\nC_API_KEY=awssm:prod/key1'],
  ['a.yaml', `kind: SealedSecret\nspec:\n  encryptedData:\n    OPENAI_API_KEY: ${SEALED}\n    DB_PASS: ${SEALED}`],
  ['a.json', `{"kind": "SealedSecret", "spec": {"encryptedData": {"OPENAI_API_KEY": "${SEALED}"}}}`],
  ['a.yaml', SOPS],
  ['secrets.env', `OPENAI_API_KEY=ENC[AES256_GCM,data:${K},iv:${K}=,type:str]\nsops_mac=ENC[AES256_GCM,data:${K}]`],
  ['calls-123456789012.json', '{"calls": 12}'],
  ['calls-123e4567-e89b-12d3-a456-426614174000.json', '{"calls": 12}'],
  ['a.json', '{"forgot_password_2": "Enter the address of account 12345."}'],
  ['README.md', `postgres://bot:${PASSWORD}@db.acme.io/calls`],
  ['a.txt', 'https://fonts.googleapis.com/css2?family=Roboto:wght@400;700 npm:pkg1234567@acme.io'],
  ['ja.json', '{"pass": "HTML5のビデオにキャプションがあります"}'],
  ['de.json', '{"token": "Sitzungstoken der Version 2 des Bots", "secret": "Geheimnis"}'],
  ['lock.json', `"node_modules/auth-token": {\n "integrity": "sha512-${RANDOM}"`],
  ['requirements.txt', `auth-token==1.0.2 \\\n    --hash=sha256:${RANDOM}${RANDOM}`],
  ['tokenizer.json', '{"token": "<|reserved_special_token_128|>", "eos_token": "</s>"}'],
  ['vocab.json', '{"token": 30001, "Ġinternationalization2": 9, "secret": 11}'],
  ['a.py', '__all__ = ["MLKEM768X25519PrivateKey", "MLKEM768X25519PublicKey"]'],
  ['a.xml', '<apiKey>123e4567-e89b-12d3-a456-426614174000</apiKey>'],
  ['a.txt', 'https://storage.acme.io/a.png?token=123e4567-e89b-12d3-a456-426614174000'],
  ['a.txt', 'https://api.example.com/v1?api_key=6fVu76zoOsfJAVxZ'],
  ['README.md', '![](https://codecov.io/gh/a/b/badge.svg?token=A1B2C3D4E5)'],
  ['a.min.js', `var token=t.next,apiKey:e,secret=n(9);h="${RANDOM}"`],
  ['a.ts', 'apiKey: {\n  type: "string", default: readTheApiKeyFromV1OrV2Settings() }'],
  ['a.ipynb', `"token": {\n "image/png": "${'iVBORw0KGgoAAAANSUhEUgAAAAUA'.repeat(3)}"`],
  ['a.txt', `The api_key was rotated in commit ${LONG}.`],
  ['a.txt', `Rename api_key\n${LONG} a.py\n${LONG} b.py`],
  ['x.yaml', 'CACHE_KEY: customers-by-region\nSORT_KEY: created_at_desc'],
];

/** What files with these contents reveal: each as its name, its contents, and what is found. */
const assertFound = (files: readonly (readonly [name: string, contents: Buffer, found: string | undefined])[]) =>
  inTree({}, root => {
    for (const [at, [name, contents, expected]] of files.entries()) {
      const path = join(realpathSync(root), name);
      writeFileSync(path, contents);
      const { where, what } = revealedIn(path) ?? {};
      assert.equal(where && `${where} ${what}`, expected, `${at}: ${name}`);
    }
  });

describe('the secret in a file', () => {
  const foundIn = (text: string, name: string) => {
    const { where, what } = revealedBy(text, name) ?? {};
    return `${where} ${what}`;
  };
  for (const [name, text, found] of secrets)
    it(`is found in ${name}: ${JSON.stringify(text)}`, () => assert.equal(foundIn(text, name), found));
  for (const [name, text, what] of spelled)
    it(`is found in ${name}: ${JSON.stringify(text)}`, () => assert.equal(revealedBy(text, name)?.what, what));
  for (const [of, begin, rest] of tokens) {
    it(`is a token of ${of}, ${begin}…, in a text or right after the name in a pickle`, () => {
      const what = `has a token of ${of}`;
      assert.equal(revealedBy(`Mine is ${begin}${rest}.`, 'notes.md')?.what, what);
      assert.equal(revealedBy(`(dp0\nVmine\np1\nV${begin}${rest}\np2\ns.`, 'a.pickle')?.what, what);
    });
  }
  for (const [name, text] of doubtful) {
    it(`may be a password in ${name}: ${text}`, () => {
      const { what, isUploaded } = revealedBy(text, name) ?? {};
      assert.deepEqual([what, isUploaded], ['may have a password', true]);
    });
  }
  for (const [name, text] of harmless)
    it(`isn't in ${name}: ${JSON.stringify(text)}`, () => assert.equal(revealedBy(text, name), undefined));

  it("is each key in the catalog, also in small letters as Terraform's variables are", () => {
    const rows = [...allServices.flatMap(variablesOf), ...transports.flatMap(({ ambient }) => ambient)];
    for (const name of unique(rows.map(({ env }) => env)).filter(env => isSecret(env) && !env.endsWith('ID'))) {
      for (const text of [`${name}=${RANDOM}`, `${name.toLowerCase()} = "${RANDOM}"`])
        assert(revealedBy(text, 'x'), text);
      assert.equal(revealedBy(`${name}=`, 'x'), undefined);
    }
  });

  it('is found in every kind of UTF-16, and in keys that are no text', async () => {
    const little = Buffer.from(`OPENAI_API_KEY=${RANDOM}\n`, 'utf16le');
    const big = Buffer.from(little).swap16();
    const mark = Buffer.from('\ufeff', 'utf16le');
    const key = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(64)]);
    const texts = [[mark, little], [Buffer.from(mark).swap16(), big], [little], [big], [big, Buffer.from('\0')]];
    await assertFound([
      ...texts.map(parts => ['x', Buffer.concat(parts), 'line 1 sets OPENAI_API_KEY'] as const),
      // PKCS #12, PKCS #8, PKCS #1 and SEC 1 as DER, and Java's key stores.
      ...['30820a0f0201033082', '308204be020100300d', '308204a40201000282', '30770201010420', 'feedfeed00000002'].map(
        hex => ['x', key(hex), 'it has a private key'] as const,
      ),
      // A certificate, a picture.
      ...['3082030a308201f2', '89504e470d0a1a0a'].map(hex => ['x', key(hex), undefined] as const),
    ]);
  });

  it('is found between the bytes of a binary file, and in a gzip file', async () => {
    const line = `OPENAI_API_KEY=${RANDOM}\n`;
    const noise = Buffer.from(Array.from({ length: 9999 }, (_, at) => (at * at * 7919) % 251));
    await assertFound([
      ['.bot.py.swp', Buffer.from(`b0VIM 9.0\0\0\x1f${KEY}\0`), 'it has a token of OpenAI or a service like it'],
      ['calls.db', Buffer.concat([noise, Buffer.from(`\n${pem('PRIVATE KEY')}`), noise]), 'it has a private key'],
      ['env.gz', gzipSync(`# mine\n${line}`), 'line 2 sets OPENAI_API_KEY'],
      ...[
        ['GitHub', 'ghp', `_${K}Hq3Zt`],
        ['GitHub', 'github', `_pat_${K}`],
        ['OpenAI or a service like it', 'sk', `-proj-${K}`],
        ['Anthropic', 'sk', `-ant-api03-${K}`],
        ['AWS', 'AKIA', 'Q7RT2VX9KDPZ4LMW'],
        ['Google', 'AIza', `Sy${K}H`],
        ['Slack', 'xoxb', `-7203918465-${K}`],
        ['SendGrid', 'SG', `.${K.slice(0, 22)}.${K}`],
        ['GitLab', 'glpat', `-${K}`],
        ['Groq', 'gsk', `_${K}`],
        ['Cartesia', 'sk', `_car_${K}`],
        ['npm', 'npm', `_${K}Hq3Z`],
        ['PyPI', 'pypi', `-AgEIcHlwaS5vcmc${K}${K}`],
        ['NVIDIA', 'nvapi', `-${K}${K}`],
      ].map(([of = '', begin = '', rest = '']) => {
        const contents = `SQLite format 3\0\x10\0\x01\x04main${begin}${rest}\x00\x01calls2026-11-27\0`;
        return ['keys.sqlite', Buffer.from(contents), `it has a token of ${of}`] as const;
      }),
      ['jwt.sqlite', Buffer.from(`SQLite format 3\0\x10\0main${jwt({ sub: 'bot' })}\0`), 'it has a JSON Web Token'],
      ['vague.sqlite', Buffer.from(`SQLite 3\0\x10\0task-${RANDOM} chf_${K} elxai-${K}${K} hair8_${K}\0`), undefined],
      ['font.pyc', Buffer.from('\0QAAAAAAAwAaAKIAAQAAAAAABAAHAM0AAQAA\0'), undefined],
      ['model.onnx', noise, undefined],
      ['text.pyc', Buffer.from(`\0Set $OPENAI_API_KEY or ${RANDOM}. pass :data:h11.CLIENT_2`), undefined],
      ['names.pyc', Buffer.from('\0\xda\x0eOPENAI_API_KEY\xda\x06getenv', 'latin1'), undefined],
      ['cut.gz', gzipSync(line).subarray(0, 20), undefined],
    ]);
  });

  it('is an env file or a key in an archive, by its name', async () => {
    const rows: [names: string[], found: string | undefined][] = [
      [['bot.py', 'server/.env'], 'it contains server/.env'],
      [['conf/id_rsa'], 'it contains conf/id_rsa'],
      [['tls/privkey.pem'], 'it contains tls/privkey.pem'],
      [['.git/HEAD'], 'it contains .git/HEAD'],
      [['bot.py', '.env.example', '.env.sample', 'certifi/cacert.pem', 'env/', '.env/', 'keys.py'], undefined],
    ];
    for (const [names, found] of rows) {
      const [zip, tar] = [zipOf(names), tarOf(names)];
      const archives = [zip, tar, gzipSync(tar), gzipSync(Buffer.concat([tar, Buffer.alloc(2 ** 20)]))];
      await assertFound(archives.map(contents => ['backup', contents, found]));
    }
  });

  it("isn't looked for in large files, except for the names in archives up to 16 MiB", async () => {
    const text = `OPENAI_API_KEY=${RANDOM}\n`;
    const fill = (mebibytes: number) => Buffer.alloc(mebibytes * 2 ** 20);
    const tar = tarOf(['.env']);
    await assertFound([
      ['x', Buffer.from(text), 'line 1 sets OPENAI_API_KEY'],
      ['x', Buffer.from(text + ' '.repeat(2 ** 18)), undefined],
      ['x', Buffer.concat([tar, fill(1)]), 'it contains .env'],
      ['x', Buffer.concat([tar, fill(16)]), undefined],
      ['x', gzipSync(Buffer.concat([tar, fill(16)])), undefined],
    ]);
  });
});
