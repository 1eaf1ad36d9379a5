import assert from 'node:assert/strict';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { assertSecretive, type CloudSession, cloudIt, printOf, SECRET, storedValue } from '../support/cloud-session.ts';
import { BIN } from '../support/program.ts';
import { KEYS, openTerminal } from '../support/pty.ts';

// Every prompt of `botcli cloud`, shown by the real program in a real terminal.

const { enter, esc, ctrlC, ctrlD } = KEYS;

/** Runs a command line, and answers each question with its keys. Returns the terminal's text and the exit code. */
async function converse(
  { directory, env }: CloudSession,
  line: string,
  answers: readonly (readonly [question: string, keys: string | Buffer])[],
): Promise<{ code: number; text: string }> {
  const words = [process.execPath, BIN, ...line.split(' ')] as [string, ...string[]];
  const terminal = openTerminal(words, { cwd: directory, env });
  for (const [question, keys] of answers) {
    await terminal.until(question);
    terminal.type(keys);
  }
  const { code } = await terminal.ended;
  assertSecretive(terminal.raw());
  const [hidden = 0, shown = 0] = ['l', 'h'].map(end => terminal.raw().lastIndexOf(`\u001b[?25${end}`));
  assert(hidden <= shown, 'the cursor stays hidden');
  return { code, text: terminal.text() };
}

const writes = ({ cloud }: CloudSession) => cloud.journal.filter(({ method }) => method !== 'GET');
const PAIR = 'cloud secrets set demo API_KEY=1';
const SURE = 'Set this key in demo?';

describe('on a terminal', () => {
  for (const [name, keys, code] of [
    ['no', 'n', 1],
    ['Enter alone', enter, 1],
    ['Esc', esc, 130],
    ['Ctrl-C', ctrlC, 130],
    ['Ctrl-D', ctrlD, 130],
  ] as const) {
    cloudIt(`${name} changes nothing`, {}, async session => {
      const outcome = await converse(session, PAIR, [[SURE, keys]]);
      assert.equal(outcome.code, code, outcome.text);
      assert.match(outcome.text, /Cancelled\. Nothing was changed\./);
      assert.deepEqual(writes(session), []);
    });
  }

  const two = { files: { '.env': `API_KEY=${SECRET}\nNEW_KEY=${SECRET}\n` } };
  cloudIt('set shows what happens to each key, and asks once', two, async session => {
    await session.succeed('cloud secrets set demo API_KEY=1 OTHER=2 --skip');
    const both = [['Set these 2 keys in demo?', 'y']] as const;
    const { code, text } = await converse(session, 'cloud secrets set demo --file .env', both);
    assert.equal(code, 0, text);
    const preview = `API: ${session.cloud.url} (from BOTCLI_API_URL)
Organization: acme
Region:       us-west
Secret set:   demo (exists)
  + NEW_KEY  add
  ~ API_KEY  replace
    OTHER    keep
`;
    assert(text.startsWith(preview), text);
    assert.match(text, /✓ demo in organization acme, region us-west: 1 added, 1 replaced, 1 kept\. It is ready\./);
    assert.match(text, /Setting 2 of 2: NEW_KEY/);
  });

  cloudIt("set shows that a new set goes to the organization's default region", {}, async session => {
    const { code, text } = await converse(session, PAIR, [[SURE, 'y']]);
    assert.equal(code, 0);
    assert.match(text, /Region: {7}us-west \(the organization's default\)\nSecret set: {3}demo \(new\)/);
  });

  cloudIt('set asks for the value of a bare key at a hidden prompt', {}, async session => {
    const { code, text } = await converse(session, 'cloud secrets set demo API_KEY DB_KEY --skip', [
      ['Value for API_KEY', SECRET + enter],
      ['Value for DB_KEY', `x${enter}`],
    ]);
    assert.equal(code, 0, text);
    assert.equal(storedValue(session.cloud, 'API_KEY'), printOf(SECRET));
    assert.equal(storedValue(session.cloud, 'DB_KEY'), printOf('x'));
  });

  cloudIt('set refuses a pasted value of several lines, and says how to pass it', {}, async session => {
    const { code, text } = await converse(session, 'cloud secrets set demo PEM_KEY --skip', [
      ['Value for PEM_KEY', `-----BEGIN\r${SECRET}\r-----END\r`],
    ]);
    assert.equal(code, 2);
    assert.match(text, /The answer had more than one line\nPass it through stdin with PEM_KEY=-, or use --file/);
    assert.deepEqual(session.requests(), []);
  });

  const prompts: [line: string, question: string, instead: string][] = [
    ['set demo API_KEY --skip', 'Value for API_KEY', 'Pass it through stdin with API_KEY=-, or use --file.'],
    ['image-pull-secret hub ghcr.io', 'Username for ghcr.io', 'Pass <credentials> as - to read them from stdin'],
  ];
  for (const [line, question, instead] of prompts) {
    cloudIt(`${line} refuses an answer that is not UTF-8, and says how to pass it`, {}, async session => {
      const { code, text } = await converse(session, `cloud secrets ${line}`, [
        [question, Buffer.from(`caf\xe9 ${enter}`, 'latin1')],
        [instead, ctrlC],
      ]);
      assert.equal(code, 130);
      assert.match(text, /The answer contains bytes that aren't UTF-8 \(or U\+FFFD\)\. Pass/);
      assert.deepEqual(session.requests(), []);
    });
  }

  const prune = 'set --prune shows what it removes, and asks; Enter alone keeps everything';
  cloudIt(prune, { files: { '.env': 'API_KEY=1\n' } }, async session => {
    await session.succeed('cloud secrets set demo API_KEY=1 OLD_KEY=2 --skip');
    const answer = (keys: string) =>
      converse(session, 'cloud secrets set demo --file .env --prune', [['Set this key in demo, and remove 1?', keys]]);
    const kept = await answer(enter);
    assert.equal(kept.code, 1);
    assert.match(kept.text, / {2}~ API_KEY {2}replace\n {2}- OLD_KEY {2}remove\n/);
    assert.equal(writes(session).length, 2);
    const pruned = await answer('y');
    assert.equal(pruned.code, 0, pruned.text);
    assert.match(pruned.text, /0 added, 1 replaced, 1 removed, 0 kept/);
  });

  cloudIt('unset and delete show what will be lost, and ask', {}, async session => {
    await session.succeed('cloud secrets set demo A=1 B=2 --skip');
    for (const [line, question, keys, code, said] of [
      ['unset demo A', 'Remove A?', enter, 1, /removing A; keeping 1 other key/],
      ['unset demo A', 'Remove A?', 'y', 0, /removing A; keeping 1 other key/],
      ['delete demo', 'Delete demo?', ctrlC, 130, /its key \(B\) will be lost/],
      ['delete demo', 'Delete demo?', 'y', 0, /its key \(B\) will be lost\. This cannot be undone/],
    ] as const) {
      const outcome = await converse(session, `cloud secrets ${line}`, [[question, keys]]);
      assert.equal(outcome.code, code);
      assert.match(outcome.text, said);
    }
    const sent = writes(session).map(({ method, path }) => `${method} ${path.replace(/.*secrets/, '')}`);
    assert.deepEqual(sent.slice(2), ['DELETE /demo/A', 'DELETE /demo']);
  });

  cloudIt('image-pull-secret asks for a username and a hidden password', {}, async session => {
    const { code, text } = await converse(session, 'cloud secrets image-pull-secret hub ghcr.io', [
      ['Username for ghcr.io', `user${enter}`],
      ['Password or token for ghcr.io', SECRET + enter],
    ]);
    assert.equal(code, 0, text);
    const secretValue = printOf(Buffer.from(`user:${SECRET}`).toString('base64'));
    assert.deepEqual(writes(session)[0]?.body, { isImagePullSecret: true, secretValue, host: 'ghcr.io' });
    const left = await converse(session, 'cloud secrets image-pull-secret hub ghcr.io --no-encode', [
      ['Encoded credentials', ctrlC],
    ]);
    assert.equal(left.code, 130);
  });

  const nobody = {
    env: { BOTCLI_TOKEN: '', BOTCLI_ORG: '' },
    cloud: { accounts: { [LOCAL_TOKEN]: [newOrganization('acme'), newOrganization('beta')] } },
  };
  cloudIt('login asks for a hidden token; select asks for an organization', nobody, async session => {
    const config = '.config/botcli/config.json';
    const left = await converse(session, 'cloud auth login', [['Personal access token', ctrlC]]);
    assert.deepEqual([left.code, session.exists(config)], [130, false]);
    const login = await converse(session, 'cloud auth login', [['Personal access token', ` ${LOCAL_TOKEN}${enter}`]]);
    assert.equal(login.code, 0, login.text);
    assert.match(login.text, /Personal access token for http:\/\/127\.0\.0\.1:\d+ \(from BOTCLI_API_URL\)/);
    assert.match(login.text, /Your organizations: acme, beta\. Select one/);
    const select = await converse(session, 'cloud organizations select', [
      ['◆  Organization', `bta${enter}`],
      ['Did you mean beta?', `\u007f\u007feta${enter}`],
    ]);
    assert.equal(select.code, 0, select.text);
    assert.equal(JSON.parse(session.read(config)).organization, 'beta');
  });

  cloudIt('a terminal is never read as stdin, and nothing is asked if CI is set', {}, async session => {
    for (const line of ['secrets set demo K=- -s', 'secrets set demo -sf -', 'auth login --token-stdin']) {
      const { code, text } = await converse(session, `cloud ${line}`, []);
      assert.equal(code, 2);
      assert.match(text, /reads stdin, which is a terminal: pipe something in/);
    }
    const { code, text } = await converse({ ...session, env: { ...session.env, CI: 'true' } }, PAIR, []);
    assert.equal(code, 2);
    assert.match(text, /botcli can't ask, because CI is set\nPass --skip/);
    assert.deepEqual(session.requests(), []);
  });

  cloudIt('a list has titles and columns', {}, async session => {
    await session.succeed('cloud secrets set demo A=1 --skip');
    const { text } = await converse(session, 'cloud secrets list', []);
    assert.equal(text, 'NAME  TYPE        REGION   STATUS\ndemo  secret set  us-west  ready\n');
  });
});
