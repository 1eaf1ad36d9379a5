import assert from 'node:assert/strict';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { assertSecretive } from '../support/cloud-session.ts';
import { acmeWith, changesOf, type DeploySession, deployIt, KEY, SET } from '../support/deploys.ts';
import { BIN } from '../support/program.ts';
import { openTerminal } from '../support/pty.ts';

/** Deploys in a terminal: without a token and an organization unless `isKnown`. */
function deploy(session: DeploySession, isKnown = false, ...more: string[]) {
  const { BOTCLI_TOKEN, BOTCLI_ORG, ...others } = session.env;
  const surroundings = { cwd: session.directory, env: isKnown ? session.env : others };
  return openTerminal([process.execPath, BIN, 'cloud', 'deploy', ...more], surroundings);
}

describe('cloud deploy in a terminal', () => {
  const withoutSet = () => ({ acme: acmeWith([]) });

  const title = 'asks for a token, proposes missing keys of server/.env, asks once, and deploys';
  deployIt(title, withoutSet(), async session => {
    const terminal = deploy(session);
    await terminal.until('Personal access token');
    terminal.type(`${LOCAL_TOKEN}\r`);
    await terminal.until('Deploy it?');
    assert.match(terminal.text(), /Secret set: {3}bot-secrets \(new\)\s+\+ OPENAI_API_KEY {2}add/);
    assert.deepEqual(changesOf(session), []);
    terminal.type('y');
    await terminal.ended;
    assert.match(terminal.text(), /✓ bot is ready: deployment [0-9a-f]{8}/);
    assertSecretive(terminal.text());
    assert.deepEqual([...(session.acme.sets.get(SET)?.values.keys() ?? [])], [KEY]);
  });

  deployIt('takes no answer that was typed before the question', withoutSet(), async session => {
    const terminal = deploy(session, true);
    terminal.type('y\r');
    await terminal.until('Deploy it?');
    terminal.type('n');
    assert.equal((await terminal.ended).code, 1);
    assert.match(terminal.text(), /Cancelled\. Nothing was changed\./);
    assert.deepEqual(changesOf(session), []);
  });

  deployIt('asks again for a token that is wrong', {}, async session => {
    const terminal = deploy(session);
    await terminal.until('Personal access token');
    terminal.type('sk_1\r');
    await terminal.until('This is a private API key');
    terminal.type('\u0015pcc_pat_wrong\r');
    await terminal.until('The platform rejected the token');
    const from = terminal.text().indexOf('The platform rejected the token');
    await terminal.until('Personal access token', from);
    terminal.type(`${LOCAL_TOKEN}\r`);
    await terminal.until('Deploy it?');
    terminal.type('n');
    await terminal.ended;
    assertSecretive(terminal.text());
  });

  deployIt('gives up after three tokens that are wrong', {}, async session => {
    const terminal = deploy(session);
    let from = 0;
    for (const number of [1, 2, 3]) {
      await terminal.until('Personal access token', from);
      from = terminal.text().length;
      terminal.type(`pcc_pat_wrong${number}\r`);
      await terminal.until('The platform rejected the token', from);
      if (number < 3) await terminal.until('Try again.', from);
      from = terminal.text().indexOf('The platform rejected the token', from);
    }
    assert.equal((await terminal.ended).code, 1);
    assert.equal(terminal.text().match(/The platform rejected the token/g)?.length, 3);
    assert.match(terminal.text(), /Nothing was stored\./);
  });

  deployIt('says after Ctrl-C that a build goes on, and continues it with the same command', {}, async session => {
    session.cloud.fault({ path: /\/builds\/[0-9a-f-]{36}$/, fault: { kind: 'html', status: 502 } });
    const terminal = deploy(session, true, '--skip');
    await terminal.until('Trying to reach the platform');
    terminal.type('\u0003');
    assert.equal((await terminal.ended).code, 130);
    assert.match(
      terminal.text(),
      /Interrupted\. The build goes on; nothing is deployed\.\s[\s\S]*Run the same command to continue\./,
    );
    session.cloud.clearFaults();
    await session.succeed('cloud deploy --skip');
    assert.equal(session.acme.builds.size, 1);
  });
});
