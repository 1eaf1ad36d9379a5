import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { PROGRAM } from '../../src/about.ts';
import { quickstart } from '../../src/config/quickstart.ts';
import { assertSecretive, cloudSession, printOf, SECRET, storedValue } from '../support/cloud-session.ts';
import { blocksOf, DOCUMENTS, exchangesOf, readText } from '../support/documents.ts';
import { generateProject } from '../support/projects.ts';
import { itIn } from '../support/session.ts';
import { runShell } from '../support/shell.ts';
import { shellWords } from '../support/shell-words.ts';

describe('the terminal sessions in the documents', () => {
  const exchanges = DOCUMENTS.flatMap(document => exchangesOf(readText(document)));
  for (const { line, output } of exchanges) {
    itIn(line, {}, async ({ run }) => {
      const [, npx, words = ''] = /^(npx )?botcli (.*)$/.exec(line) ?? [];
      const { stdout, stderr } = await run(shellWords(words), { env: npx ? { npm_command: 'exec' } : {} });
      assert.equal(stdout + stderr, output);
    });
  }

  it('are found', () => assert(exchanges.length >= 2));
});

describe('the Python in the README', () => {
  const trimmed = (text: string) =>
    text
      .split('\n')
      .map(line => line.trim())
      .join('\n');
  const bot = trimmed(generateProject(quickstart)['server/bot.py'] ?? '');
  const blocks = blocksOf(readText('README.md')).filter(({ language }) => language === 'python');

  it("is in the quickstart's bot.py", () => {
    assert(blocks.length > 0);
    for (const { text } of blocks) assert(bot.includes(trimmed(text).trim()), text);
  });
});

/** The parts of a workflow that the example has. */
interface Workflow {
  jobs: { rotate: { steps: { run?: string; env?: Record<string, string> }[] } };
}

describe('the job in docs/secrets.md that rotates a key', () => {
  const text = blocksOf(readText('docs/secrets.md')).find(({ language }) => language === 'yaml')?.text ?? '';
  const { run = '', env = {} } = (parse(text) as Workflow).jobs.rotate.steps.find(step => step.run) ?? {};
  const program = `${PROGRAM.replace('npx', 'npx --yes')} `;

  it('gets its values from CI secrets', () => {
    assert.deepEqual(Object.keys(env), ['OPENAI_API_KEY', 'BOTCLI_TOKEN', 'BOTCLI_ORG']);
    for (const value of Object.values(env)) assert.match(value, /^\$\{\{ secrets\.[A-Z_]+ \}\}$/);
  });

  it('runs this version', () => assert(run.includes(program)));

  const rotate = { cloud: { pendingMs: 300 } };
  const line = run.replace(program, 'botcli ');

  it(
    'replaces the key, waits, and prints the result as JSON',
    cloudSession(rotate, async ({ directory, env: account, succeed, cloud }) => {
      await succeed('cloud secrets set my-bot-secrets OPENAI_API_KEY=old KEPT=1 --skip --wait');
      const { code, stdout, stderr } = await runShell(line, {
        cwd: directory,
        env: { ...account, OPENAI_API_KEY: SECRET },
      });
      assert.equal(code, 0, stderr);
      assertSecretive(stdout + stderr);
      const { name, organization, region, ...rest } = JSON.parse(stdout);
      assert.deepEqual([name, organization, typeof region], ['my-bot-secrets', 'acme', 'string']);
      assert.deepEqual(rest, {
        status: 'ready',
        added: [],
        replaced: ['OPENAI_API_KEY'],
        removed: [],
        kept: ['KEPT'],
        warnings: [],
      });
      assert.equal(storedValue(cloud, 'OPENAI_API_KEY'), printOf(SECRET));
    }),
  );

  it(
    'fails if the new key is empty, or the platform refuses it',
    cloudSession(rotate, async ({ directory, env: account, cloud }) => {
      const surroundings = { cwd: directory, env: { ...account, OPENAI_API_KEY: SECRET } };
      const empty = await runShell(line, { ...surroundings, env: { ...account, OPENAI_API_KEY: '' } });
      assert.deepEqual([empty.code, JSON.parse(empty.stdout).error.code], [2, 'usage']);
      cloud.fault({ method: 'PUT', fault: { kind: 'answer', status: 403 } });
      const refused = await runShell(line, surroundings);
      assert.deepEqual([refused.code, typeof JSON.parse(refused.stdout).error.code], [1, 'string']);
    }),
  );
});
