import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LOCAL_TOKEN, type LocalCloud, type LocalCloudOptions } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { type CloudSession, cloudIt, SECRET } from '../support/cloud-session.ts';
import { BIN } from '../support/program.ts';
import { openTerminal } from '../support/pty.ts';
import { BOT } from '../support/session.ts';
import { runShell } from '../support/shell.ts';

/** A shell command that fails with one error code, and its surroundings. */
interface Case {
  line: string;
  env?: Record<string, string>;
  cloud?: LocalCloudOptions;
  /** How the platform fails. */
  fault?: Parameters<LocalCloud['fault']>[0];
  /** A question, and the keys that answer it. */
  answer?: [question: string, keys: string];
}

const answers = (status: number, body?: unknown) => ({ fault: { kind: 'answer', status, body } }) as const;
const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const tls = { key: readFileSync(tlsFile('key'), 'utf8'), cert: readFileSync(tlsFile('certificate'), 'utf8') };
const several = { accounts: { [LOCAL_TOKEN]: [newOrganization('acme'), newOrganization('beta')] } };
const LIST = 'botcli cloud secrets list --json';
const SET = `botcli cloud secrets set demo K=${SECRET} --skip --json`;
/** A project with a deploy file, whose bot needs no keys. */
const PROJECT = `botcli init ${BOT} -t rtc_hosted --deploy-to-cloud bot >/dev/null`;
const RENAMED =
  'mv bot/server/container-file bot/server/container-file-fail; sed -i s/container-file/container-file-fail/ bot/server/cloud-deploy.toml';
const DEPLOY = `echo OPENAI_API_KEY=${SECRET} > bot/keys; cd bot; botcli cloud deploy --secrets keys --skip --json`;
const SET_OF_DEMO = { region: 'us-west', status: 'ready' };
const AGENT = { name: 'bot', region: 'us-west' };
/** The agent after somebody else has deployed it. */
const OTHER = { name: 'bot', desiredDeploymentId: '3f1c09aa-0000-4000-8000-000000000000' };
const QUICK = { BOTCLI_HTTP_TIMEOUT: '0.2' };

/** A bot with evals and its key, and stand-ins for the programs that run it. */
const TOOLS = fileURLToPath(new URL('../dev/tools', import.meta.url));
const EVALS = `botcli init . ${BOT} --eval >init.log; echo OPENAI_API_KEY=x >server/.env; PATH="${TOOLS}:$PATH"; `;

/** What the framework logs once a provider has refused a key. */
const REFUSED = '2026-11-26 14:44:35.384 | ERROR    | pipecat.x:y:1 - OpenAILLMService#0 error: Error code: 401';

/** Code that breaks our process before our program runs. The value has no spaces. */
const BROKEN = encodeURIComponent("process.cwd = () => { throw new TypeError('This is broken'); };");

const cases: Record<ErrorCode, Case> = {
  usage: { line: 'botcli innit --json' },
  'invalid-configuration': { line: 'botcli init --mode realtime --json' },
  'cannot-ask': { line: 'botcli cloud secrets delete demo --json' },
  declined: { line: 'botcli cloud secrets set demo K=1 --json', answer: ['Set this key', 'n'] },
  interrupted: {
    // Without the shell's function, which would get the signal instead of the program.
    line: '"$NODE" "$BIN" cloud secrets list --json & until [ -s asked ]; do sleep 0.05; done; kill $!; wait $!',
    fault: { fault: { kind: 'hang' } },
  },
  conflict: { line: `mkdir -p bot/server; echo mine > bot/server/bot.py; botcli init bot ${BOT} --json` },
  'not-a-project': { line: 'botcli check --json' },
  'unsafe-link': { line: `mkdir bot; ln -s /etc bot/server; botcli init bot ${BOT} --json` },
  disk: { line: `botcli init ${'x'.repeat(300)} --name bot ${BOT} --json` },
  'no-directory': { line: 'mkdir gone; cd gone; rmdir ../gone; botcli init bot --json' },
  file: { line: 'echo nonsense > .env; botcli cloud secrets set demo --file .env --skip --json' },
  'account-file': { line: 'mkdir config; BOTCLI_CONFIG=config botcli cloud auth logout --json' },
  'not-logged-in': { line: LIST, env: { BOTCLI_TOKEN: '' } },
  unauthorized: { line: LIST, env: { BOTCLI_TOKEN: 'pcc_pat_unknown' } },
  forbidden: { line: LIST, fault: answers(403) },
  'no-organization': { line: LIST, cloud: several, env: { BOTCLI_ORG: '' } },
  'not-found': { line: 'botcli cloud secrets delete demo --skip --json' },
  region: { line: 'botcli cloud secrets list --region mars --json' },
  refused: { line: SET, fault: { method: 'PUT', ...answers(400) } },
  'rate-limited': { line: LIST, fault: answers(429) },
  'platform-problem': { line: LIST, fault: answers(500) },
  timeout: { line: LIST, fault: { fault: { kind: 'hang' } }, env: QUICK },
  unreachable: { line: LIST, env: { BOTCLI_API_URL: 'http://127.0.0.1:1' } },
  proxy: { line: LIST, env: { BOTCLI_API_URL: 'https://cloud.test', HTTPS_PROXY: '127.0.0.1:1' } },
  certificate: {
    line: LIST.replace('botcli', 'BOTCLI_API_URL="$(echo "$BOTCLI_API_URL" | sed s/cloud.test/localhost/)" botcli'),
    cloud: { tls },
  },
  'bad-answer': { line: LIST, fault: { fault: { kind: 'html' } } },
  'not-verified': {
    line: SET,
    fault: { method: 'GET', after: 1, path: '/secrets/demo', ...answers(200, { ...SET_OF_DEMO, secrets: [] }) },
  },
  'provisioning-failed': { line: 'botcli cloud secrets set demo-fail K=1 --skip --wait --json' },
  'program-missing': {
    line: `${EVALS}botcli update -t rtc_local -t tel_a --json >update.log; printf 'TWILIO_%s=x\\n' ACCOUNT_SID AUTH_TOKEN >>server/.env; P=$(mktemp -d); ln -s ${TOOLS}/uv "$NODE" "$P"; PATH="$P" botcli dev --tunnel --json; rm -r "$P"`,
  },
  'install-failed': { line: `${EVALS}echo '# fake: sync fails' >> server/pyproject.toml; botcli test --json` },
  'part-ended': { line: `${EVALS}echo '# fake: crashes' >> server/bot.py; botcli test --json` },
  'service-failed': {
    line: `${EVALS}echo '# fake: logs ${REFUSED}' >> server/bot.py; echo '# fake: hangs' >> server/evals/starter_text.yaml; botcli test --json`,
  },
  context: { line: `botcli init ${BOT} bot; botcli cloud deploy bot --config server/missing.toml --skip --json` },
  'build-failed': { line: `${PROJECT}; ${RENAMED}; ${DEPLOY}` },
  'rollout-failed': {
    line: `${PROJECT}; sed -i s/agent_name.*/'agent_name = "bot-pull"'/ bot/server/cloud-deploy.toml; ${DEPLOY}`,
  },
  'call-failed': {
    line: 'botcli cloud call bot -t tel_a --json',
    fault: { path: '/services/bot', ...answers(200, { body: AGENT, sessions: [], logs: [] }) },
  },
  'gate-failed': {
    line: `${EVALS}echo '# fake: fails' >> server/evals/starter_text.yaml; botcli cloud deploy --gate --secrets server/.env --skip --json`,
  },
  superseded: {
    line: `${PROJECT}; ${DEPLOY}`,
    fault: { method: 'GET', path: '/services/bot', after: 1, ...answers(200, { body: OTHER }) },
  },
  limit: { line: LIST, fault: answers(402, { error: 'Spend limit reached', code: 'SPEND_LIMIT_REACHED' }) },
  bug: { line: 'botcli init bot --json', env: { NODE_OPTIONS: `--import data:text/javascript,${BROKEN}` } },
};

describe('an error in JSON', () => {
  it('has a listed code, and each listed code has a command here', () => {
    assert.deepEqual(Object.keys(cases), Object.keys(ERROR_CODES));
    for (const code of Object.keys(cases)) assert.match(code, /^[a-z]+(?:-[a-z]+)*$/);
  });

  for (const [code, { line, env: own, cloud: options, fault, answer }] of Object.entries(cases)) {
    const use = async ({ cloud, env, directory, write }: CloudSession) => {
      if (fault) cloud.fault(fault);
      const asked = setInterval(() => cloud.journal.length > 0 && write('asked', 'yes'), 20);
      const written = answer
        ? await answerOne(line, answer, { cwd: directory, env })
        : (await runShell(line, { cwd: directory, env })).stdout;
      clearInterval(asked);
      const { error } = JSON.parse(written.slice(written.search(/\{\s*"error"/)));
      assert.equal(error.code, code, written);
      for (const key of Object.keys(error)) assert.match(key, /^[a-z]+(?:_[a-z]+)*$/);
    };
    cloudIt(`${code}: ${line.slice(0, 60)}`, { cloud: options, env: { ...own } }, use);
  }
});

/** Runs a command line in a terminal and answers its only question. */
async function answerOne(line: string, [question, keys]: [string, string], place: Parameters<typeof openTerminal>[1]) {
  const terminal = openTerminal([process.execPath, BIN, ...line.split(' ').slice(1)], place);
  await terminal.until(question);
  terminal.type(keys);
  await terminal.ended;
  return terminal.text();
}
