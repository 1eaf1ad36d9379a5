/**
 * Part of `npm run test:cloud`: conversations decide about a real bot, which our local cloud starts for each session. The
 * framework's own evals have them. Only the AI services are stand-ins.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realBots } from '../../scripts/local-cloud/bots.ts';
import { LOCAL_TOKEN, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { run } from '../bots/processes.ts';
import { BOTCLI, makeProject, OPENAI } from '../bots/projects.ts';
import { cleanEnvironment, ensureUv, placeOnPath } from '../bots/workshop.ts';
import { acmeWith, KEY, storedSet } from '../support/deploys.ts';
import { startLocalAi } from '../support/local-ai.ts';
import { WORKSHOP } from './client.ts';

const config = { ...OPENAI, transports: ['rtc_hosted'], enable_eval: true };
const project = await makeProject({ name: 'gated', config }, WORKSHOP);
const ai = await startLocalAi();
const env = cleanEnvironment([], { [KEY]: 'k3yOfATest', DAILY_API_KEY: 'k3yOfATest', OPENAI_BASE_URL: ai.url });
env.PATH = `${await placeOnPath(await ensureUv())}:${env.PATH}`;
const bots = realBots(env);
const acme = acmeWith([storedSet('gated-secrets', [KEY])]);
acme.keys.push({ id: 'k', key: 'pk_local', name: 'mine', createdAt: '', revoked: false });
const cloud = await startLocalCloud({ accounts: { [LOCAL_TOKEN]: [acme] }, startBot: bots.start });
const account = { HOME: WORKSHOP, BOTCLI_API_URL: cloud.url, BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme' };
const botcli = (line: string) =>
  run([...BOTCLI, ...line.split(' ')], { cwd: project, env: { ...env, ...account }, deadline: 900_000 });
const ready = () => acme.agents.get('gated')?.ready;

try {
  const good = await botcli('cloud deploy --gate --skip');
  assert.equal(good.code, 0, good.stdout + good.stderr);
  assert.match(good.stderr, /✓ 1 of 1 conversations passed/);
  console.log('✓ a good bot stays');

  const test = await botcli('test --deployed --json');
  assert.equal(test.code, 0, test.stdout + test.stderr);
  assert.equal(JSON.parse(test.stdout).deployed.deployment, ready());
  console.log('✓ test --deployed');

  const talk = await botcli('talk --deployed --say Hello --json');
  assert.equal(talk.code, 0, talk.stdout + talk.stderr);
  assert.match(talk.stdout, /"event":"bot"/);
  console.log('✓ talk --deployed');

  const before = acme.agents.get('gated')?.deployments[0]?.settings.buildId;
  const bot = join(project, 'server/bot.py');
  const text = await readFile(bot, 'utf8');
  for (const [kind, change] of [
    ['crashes at its start', (code: string) => `raise RuntimeError("it is broken")\n${code}`],
    ['crashes in a session', (code: string) => code.replace('"eval": lambda: ', '"eval": lambda: broken() or ')],
  ] as const) {
    await writeFile(bot, change(text));
    const bad = await botcli('cloud deploy --gate --skip');
    assert.equal(bad.code, 1, bad.stdout + bad.stderr);
    assert.match(bad.stderr, /gated runs the image and the settings of deployment [0-9a-f]{8} again/);
    const { deployments = [] } = acme.agents.get('gated') ?? {};
    assert.equal(deployments.find(({ id }) => id === ready())?.settings.buildId, before);
    console.log(`✓ a bot that ${kind} doesn't`);
  }
} finally {
  await cloud.close();
  bots.close();
  await ai.close();
}
