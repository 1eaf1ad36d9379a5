import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realBots } from '../../scripts/local-cloud/bots.ts';
import { LOCAL_TOKEN, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { type Ending, run } from '../bots/processes.ts';
import { BOTCLI, makeProject, OPENAI } from '../bots/projects.ts';
import type { Report } from '../bots/report.ts';
import { cleanEnvironment, ensureUv, placeOnPath } from '../bots/workshop.ts';
import { acmeWith, KEY, storedSet } from '../support/deploys.ts';
import { startLocalAi } from '../support/local-ai.ts';
import { WORKSHOP } from './client.ts';

/** The framework's own evals hold conversations, which decide about a real bot that our local cloud starts for each. */
export async function checkGate(report: Report): Promise<void> {
  const config = { ...OPENAI, transports: ['rtc_hosted'], enable_eval: true };
  const project = await makeProject({ name: 'gated', config }, WORKSHOP);
  const ai = await startLocalAi();
  const env = cleanEnvironment([], { [KEY]: 'k3yOfATest', DAILY_API_KEY: 'k3yOfATest', OPENAI_BASE_URL: ai.url });
  env.PATH = `${await placeOnPath(await ensureUv())}:${env.PATH}`;
  const bots = realBots(env);
  const acme = acmeWith([storedSet('gated-secrets', [KEY])]);
  acme.keys.push({ id: 'k', key: 'pk_local', name: 'mine', createdAt: '', revoked: false });
  const cloud = await startLocalCloud({
    accounts: { [LOCAL_TOKEN]: [acme] },
    startBot: bots.start,
    buildBot: bots.build,
  });
  const account = { HOME: WORKSHOP, BOTCLI_API_URL: cloud.url, BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme' };
  const agent = () => acme.agents.get('gated');
  const check = (name: string, line: string, code: number, expect: (ending: Ending) => void) =>
    report.check('gated', name, async () => {
      const ending = await run([...BOTCLI, ...line.split(' ')], { cwd: project, env: { ...env, ...account } });
      assert.equal(ending.code, code, ending.stdout + ending.stderr);
      expect(ending);
      return line;
    });

  await check('a good bot stays', 'cloud deploy --gate --skip', 0, ({ stderr }) =>
    assert.match(stderr, /✓ 1 of 1 conversations passed/),
  );
  await check('is tested', 'test --deployed --json', 0, ({ stdout }) =>
    assert.equal(JSON.parse(stdout).deployed.deployment, agent()?.ready),
  );
  await check('answers in text', 'talk --deployed --say Hello --json', 0, ({ stdout }) =>
    assert.match(stdout, /"event":"bot"/),
  );
  const good = agent()?.deployments[0]?.settings.buildId;
  const bot = join(project, 'server/bot.py');
  const text = await readFile(bot, 'utf8');
  for (const [kind, change] of [
    ['crashes at its start', (code: string) => `raise RuntimeError("it is broken")\n${code}`],
    ['crashes in a session', (code: string) => code.replace('"eval": lambda: ', '"eval": lambda: broken() or ')],
  ] as const) {
    await writeFile(bot, change(text));
    await check(`a bot that ${kind} doesn't stay`, 'cloud deploy --gate --skip', 1, ({ stderr }) => {
      assert.match(stderr, /gated runs the image and the settings of deployment [0-9a-f]{8} again/);
      assert.equal(agent()?.deployments.find(({ id }) => id === agent()?.ready)?.settings.buildId, good);
    });
  }
  await cloud.close();
  bots.close();
  await ai.close();
}
