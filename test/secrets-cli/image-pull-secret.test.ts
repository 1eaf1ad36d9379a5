import assert from 'node:assert/strict';
import { cloudIt, printOf, SECRET } from '../support/cloud-session.ts';
import { accountWith, refuses, stored } from './accounts.ts';

const PULL = { type: 'imagePullSecret' } as const;
const account = () =>
  accountWith([stored('hub', ['K'], PULL), stored('prod'), stored('eu', ['K'], { ...PULL, region: 'eu-central' })]);

const HOST = 'https://index.docker.io/v1/';
const CREDENTIALS = `user:${SECRET}`;
const encode = (text: string) => Buffer.from(text).toString('base64');
const gcp = `_json_key:{\n  "private_key": "${SECRET}\\n",\n  "url": "https://x/"\n}\n`;

const BREAK = 'Removed the line break at the end of stdin.\n';
const HISTORY =
  'Credentials on the command line stay in your shell history. To keep them out, omit them or pipe them to -.\n';

describe('cloud secrets image-pull-secret', () => {
  /** The arguments after the name, the host and content to send, and stdin. */
  const lines: [words: string[], host: string, content: string, input?: string][] = [
    [[HOST, CREDENTIALS], HOST, encode(CREDENTIALS)],
    [['ghcr.io', `AWS:${SECRET}:x:`], 'ghcr.io', encode(`AWS:${SECRET}:x:`)],
    // PowerShell adds a byte order mark.
    [['localhost:5000', '-'], 'localhost:5000', encode(CREDENTIALS), `\ufeff${CREDENTIALS}\r\n`],
    [
      ['1.dkr.ecr.us-west-2.amazonaws.com', '--encode', CREDENTIALS],
      '1.dkr.ecr.us-west-2.amazonaws.com',
      encode(CREDENTIALS),
    ],
    [['us-docker.pkg.dev/project', '-'], 'us-docker.pkg.dev/project', encode(gcp), `${gcp}\n`],
    [['HTTPS://ghcr.io:443/', CREDENTIALS], 'HTTPS://ghcr.io:443/', encode(CREDENTIALS)],
    [[HOST, ` user : ${SECRET} `], HOST, encode(` user : ${SECRET} `)],
    [[HOST, encode(CREDENTIALS), '--no-encode'], HOST, encode(CREDENTIALS)],
    [[HOST, '--encode=false', '-'], HOST, encode(CREDENTIALS), `${encode(CREDENTIALS)}\n`],
    [[HOST, '--encode', 'false', encode(CREDENTIALS)], HOST, encode(CREDENTIALS)],
    [[HOST, CREDENTIALS, '--skip'], HOST, encode(CREDENTIALS)],
    [['-s', HOST, '-'], HOST, encode(CREDENTIALS), `${CREDENTIALS}\n`],
  ];
  for (const [words, host, content, input] of lines) {
    const title = `sends ${words.join(' ').replaceAll(SECRET, '…')}`;
    cloudIt(title, { cloud: account() }, async ({ run, cloud, requests }) => {
      assert.deepEqual(await run(['cloud', 'secrets', 'image-pull-secret', 'new', ...words], { input }), {
        code: 0,
        stdout: `✓ new in organization acme, region us-west: created for ${host}. It is ready.\n`,
        stderr: words.includes('-') ? BREAK : HISTORY,
        waits: [],
      });
      assert.deepEqual(requests(), ['GET /secrets/new 404', 'PUT /secrets/new 202', 'GET /secrets 200']);
      assert.deepEqual(cloud.journal.at(-2)?.body, { isImagePullSecret: true, secretValue: printOf(content), host });
    });
  }

  cloudIt('updates an existing one without asking', { cloud: account() }, async ({ succeed, cloud }) => {
    const result = await succeed(`cloud secrets image-pull-secret hub ghcr.io ${CREDENTIALS} --json -r us-west`);
    const set = { name: 'hub', organization: 'acme', region: 'us-west', status: 'ready' };
    assert.deepEqual(JSON.parse(result), { ...set, host: 'ghcr.io', created: false });
    assert.match(JSON.stringify(cloud.journal.at(-2)?.body), /"region":"us-west"/);
  });

  const broken = encode(CREDENTIALS).replace(/^.{4}/, '$&\n');
  for (const credentials of [CREDENTIALS, encode(SECRET), broken, encode('me:>>>').replace('+', '-')]) {
    const title = `warns about what registries can't read, and sends it: ${JSON.stringify(credentials)}`;
    cloudIt(title.replaceAll(SECRET, '…'), {}, async ({ run, cloud }) => {
      const line = 'cloud secrets image-pull-secret hub ghcr.io - --no-encode';
      const { code, stderr } = await run(line, { input: credentials });
      assert.equal(code, 0);
      const shape = "they aren't USERNAME:PASSWORD in base64 without line breaks";
      assert(stderr.startsWith(`These credentials are sent unchanged, but ${shape}.\n`), stderr);
      assert(JSON.stringify(cloud.journal.at(-2)?.body).includes(printOf(credentials)));
    });
  }

  const pair =
    /The credentials must be USERNAME:PASSWORD, with neither part empty; if they are already base64, pass --no-encode/;
  const hosts = [
    ...'http://ghcr.io ftp://x - ghcr.io?x ä.io a..b a.-b ghcr.io:99999 https://ghcr.io:0/'.split(' '),
    ...[`https://u:${SECRET}@ghcr.io`, 'a b', '', `u:${SECRET}`],
  ];
  refuses('secrets image-pull-secret', {
    cloud: account,
    isEarly: true,
    messages: {
      'new ghcr.io':
        /botcli can't ask, because this isn't a terminal: Username for ghcr\.io\nPass <credentials> as - to read them from stdin, or as USERNAME:PASSWORD/,
      [`new ghcr.io ${SECRET}`]: pair,
      [`new ghcr.io user:${SECRET}\ufffd`]:
        /^error: The argument contains bytes that aren't UTF-8 \(or U\+FFFD\); pass the credentials as - and pipe them in\n$/,
      [`new ghcr.io :${SECRET}`]: pair,
      [`new ghcr.io ${SECRET}:`]: pair,
      [`new ghcr.io ${encode(CREDENTIALS)}`]: pair,
      ...Object.fromEntries(
        hosts.map(host => [`new '${host}' ${CREDENTIALS}`, /^error: <host> must be a registry name or an https URL/]),
      ),
      [`../apiKeys/z ghcr.io ${CREDENTIALS}`]: /^error: <name> must be 1 to 128 letters, digits, or hyphens/,
      [`a.b u:${SECRET} ${CREDENTIALS}`]: /2 problems; nothing was sent:\n {2}<name> must be .*\n {2}<host> must be/,
      [`x_y 'bad host' ${SECRET} -r UP`]:
        /4 problems; nothing was sent:\n {2}<name> must be .*\n {2}--region must be .*\n {2}<host> must be .*\n {2}the credentials must be/,
    },
  });
  refuses('secrets image-pull-secret', { input: '', messages: { 'new ghcr.io -': pair } });
  const empty = { 'new ghcr.io - --no-encode': /The credentials are empty/ };
  refuses('secrets image-pull-secret', { input: '\n', messages: empty });
  refuses('secrets image-pull-secret', {
    code: 1,
    cloud: account,
    messages: {
      [`prod ghcr.io ${CREDENTIALS}`]:
        /prod in organization acme is already a secret set, and can't become an image pull secret/,
      [`eu ghcr.io ${CREDENTIALS} -r us-west`]: /eu is in eu-central and can't be moved to us-west/,
    },
  });
  const noRegion = { [`new ghcr.io ${CREDENTIALS} -r us-wst`]: /has no region "us-wst"\. Did you mean us-west\?/ };
  refuses('secrets image-pull-secret', { messages: noRegion });

  cloudIt('shows neither credentials nor their base64 when it fails', {}, async ({ run, cloud }) => {
    cloud.fault({ method: 'PUT', fault: { kind: 'answer', status: 400, echo: true } });
    assert.equal((await run(`cloud secrets image-pull-secret hub ghcr.io ${CREDENTIALS} --debug`)).code, 1);
    // The platform decodes base64 credentials.
    const body = { error: `no such user, or not with ${SECRET}` };
    cloud.fault({ method: 'PUT', fault: { kind: 'answer', status: 400, body } });
    const encoded = `cloud secrets image-pull-secret hub ghcr.io ${encode(CREDENTIALS)} --no-encode`;
    assert.match((await run(encoded)).stderr, /in organization acme \(HTTP 400\)\n/);
    cloud.fault({ method: 'PUT', fault: { kind: 'reset' } });
    const { stderr } = await run(`cloud secrets image-pull-secret hub ghcr.io ${CREDENTIALS}`);
    assert.match(
      stderr,
      /It's unclear whether hub was stored\. To check, run: botcli cloud secrets list hub -o acme\n/,
    );
  });
});
