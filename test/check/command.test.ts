import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { VERSION } from '../../src/version.ts';
import { fillIn } from '../support/check.ts';
import { cloudIt, SECRET } from '../support/cloud-session.ts';
import { BOT, itIn, type Session, sessionIt } from '../support/session.ts';
import { writeProgram } from '../support/systems.ts';

const STATE = 'my-bot/.botcli.json';

/** Creates a project with a filled-in .env, and a uv of this version on the PATH. */
async function prepare({ directory, succeed, read, write }: Session) {
  await succeed(`init my-bot ${BOT}`);
  write('my-bot/server/.env', fillIn(read('my-bot/server/.env.example')));
  mkdirSync(join(directory, 'tools'));
  writeProgram(join(directory, 'tools/uv'), 'echo uv 0.9.1');
  return { PATH: [join(directory, 'tools'), '/usr/bin', '/bin'].join(delimiter) };
}

/** A test in a directory with such a project. */
const preparedIt = (title: string, use: (here: Session, env: { PATH: string }) => Promise<void>) =>
  sessionIt(title, async here => use(here, await prepare(here)));

/** The findings of a line that prints JSON, except for ports, which other programs on this machine may use. */
async function findingsOf({ run }: Session, line: string, env: Record<string, string>) {
  const { stdout, code } = await run(`${line} --json`, { env });
  const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string }[] };
  const others = findings.filter(one => one.code !== 'port-in-use');
  return { code, findings: others.map(one => `${one.code}: ${one.message}`) };
}

describe('botcli check', () => {
  preparedIt('finds credentials below the home directory, and nowhere else', async (here, path) => {
    for (const place of ['home', 'my-bot', '.']) {
      mkdirSync(join(here.directory, place, '.aws'), { recursive: true });
      here.write(`${place}/.aws/config`, '');
    }
    here.write('my-bot/server/bot.py', 'from pipecat.services.aws.llm import AWSBedrockLLMService\n');
    const missing = async (env: Record<string, string>) =>
      (await findingsOf(here, 'check my-bot', { ...path, ...env })).findings.filter(one =>
        one.startsWith('credentials-missing: AWS Bedrock needs credentials of AWS, and neither '),
      ).length;
    const home = join(here.directory, 'home');
    assert.deepEqual([await missing({ HOME: home }), await missing({ USERPROFILE: home })], [0, 0]);
    assert.deepEqual([await missing({ HOME: `${here.directory}/tools` }), await missing({})], [1, 1]);
  });

  preparedIt('finds nothing in a new project, from wherever it is called, and writes nothing', async (here, env) => {
    const before = here.disk();
    const inServer = ['check', 'check ..'].map(line => [line, 'my-bot/server'] as const);
    for (const [line, cwd] of [['check my-bot', '.'], ['check', 'my-bot'], ...inServer] as const) {
      const { code, stdout, stderr } = await here.run(line, { cwd, env });
      assert.deepEqual([code, stderr], [0, ''], stdout);
      assert.match(stdout, new RegExp(`^✓ Project: my-bot, made by botcli ${VERSION}, is complete\n`));
      assert.match(stdout, /^✓ Keys: OPENAI_API_KEY is set$/m);
      assert(!stdout.includes(SECRET));
    }
    assert.deepEqual(here.disk(), before);
  });

  preparedIt('says whether uv is there, and which one', async (here, { PATH }) => {
    assert.deepEqual(await findingsOf(here, 'check my-bot', { PATH }), { code: 0, findings: [] });
    const missing = ["uv-missing: uv isn't installed, or isn't on the PATH"];
    assert.deepEqual(await findingsOf(here, 'check my-bot', { PATH: '/nowhere' }), { code: 1, findings: missing });
    writeProgram(join(here.directory, 'tools/uv'), 'echo uv 0.3.0');
    assert.deepEqual((await findingsOf(here, 'check my-bot', { PATH })).findings, [
      'uv-too-old: uv 0.3.0 is too old: projects need 0.4.27 or newer',
    ]);
    writeProgram(join(here.directory, 'tools/uv'), 'exit 3');
    assert.equal((await findingsOf(here, 'check my-bot', { PATH })).code, 1);
  });

  preparedIt('says that a port is in use, which is no error', async (here, env) => {
    const server = createServer();
    // If another program uses the port, that is as good.
    await new Promise<void>(done => server.once('error', () => done()).listen(7860, '127.0.0.1', done));
    try {
      const { code, stdout } = await here.run('check my-bot', { env });
      assert.equal(code, 0);
      assert.match(stdout, /^! Something already listens on port 7860, which the bot uses$/m);
      assert.match(stdout, /^ {2}Run: uv run bot\.py --port 7861$/m);
      assert.match(stdout, /\n1 warning\.\n$/);
    } finally {
      server.close();
    }
  });

  preparedIt('prints findings with what to do, and exits with 1', async (here, env) => {
    here.write('my-bot/server/.env', 'OPENAI_API_KEY=\n');
    const { code, stdout } = await here.run('check my-bot', { env });
    assert.equal(code, 1);
    const url = 'https://platform.openai.com/api-keys';
    const message = "OPENAI_API_KEY isn't set in my-bot/server/.env";
    assert(stdout.includes(`\n✗ ${message}\n  Get one at ${url}\n`), stdout);
    const { ok, findings } = JSON.parse((await here.run('check my-bot --json', { env })).stdout);
    assert.equal(ok, false);
    const finding = { code: 'variable-missing', level: 'error', group: 'keys', message };
    const keys = findings.filter((one: { group: string }) => one.group === 'keys');
    assert.deepEqual(keys, [{ ...finding, hint: `Get one at ${url}`, fix: { url } }]);
  });

  itIn('refuses a directory that is in no project', { 'src/a.txt': '' }, async ({ fail }) => {
    assert.equal(
      await fail(2, 'check src'),
      'error: src is not in a botcli project: there is no .botcli.json\n' +
        'A project has a .botcli.json, which botcli init writes. If yours lost it, restore it from version control.\n' +
        'Or run the command at the end of README.md in an empty directory, and copy the file from there.\n' +
        'A new project: botcli init\n',
    );
    assert.match(await fail(2, 'check nowhere'), /nowhere is not in a botcli project: it is not a directory/);
  });

  const newer = (text: string) =>
    text.replace('"mode"', '"mood": "good",\n  "mode"').replace(`"version": "${VERSION}"`, '"version": "9.0.0"');
  const use = 'Use that version or a newer one(?:: npx botcli@9\\.0\\.0 check)?\n';
  const unusable: [title: string, change: (text: string) => string, message: RegExp][] = [
    ['is not JSON', () => '{', /\.botcli\.json can't be read: it isn't valid JSON: it ends too soon/],
    ['has conflict markers', text => `<<<<<<< HEAD\n${text}=======\n>>>>>>> main\n`, /contains conflict markers/],
    [
      'describes no bot',
      text => text.replace('"openai_llm"', '"x"'),
      /doesn't describe a bot:\n {2}"llm_service" .*"x"/,
    ],
    ['a newer botcli wrote', newer, RegExp(`was written by botcli 9\\.0\\.0, and this is ${VERSION}:\n[^]*${use}`)],
  ];
  for (const [title, change, message] of unusable) {
    preparedIt(`refuses a state file that ${title}`, async here => {
      here.write(STATE, change(here.read(STATE)));
      assert.match(await here.fail(2, 'check my-bot'), message);
      const { stdout } = await here.run('check my-bot --json');
      assert.equal(JSON.parse(stdout).error.code, 'not-a-project');
    });
  }

  cloudIt('asks the platform with --cloud', {}, async here => {
    const env = await prepare(here);
    const checked = () => findingsOf(here, 'check my-bot --cloud', { ...here.env, ...env });
    const { code, findings } = await checked();
    assert.deepEqual(
      [code, findings.map(one => one.split(':')[0])],
      [1, ['transport-not-in-cloud', 'secret-set-missing']],
    );
    assert.deepEqual(here.requests(), ['GET /secrets 200', 'GET /properties 200', 'GET /services/my-bot 404']);
    // The commands that they name fix it.
    await here.succeed('update my-bot -t rtc_local -t rtc_hosted');
    await here.succeed('cloud secrets set my-bot-secrets --file my-bot/server/.env --skip');
    assert.deepEqual(await checked(), { code: 0, findings: [] });
  });
});
