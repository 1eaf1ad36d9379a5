import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { assertSecretive } from '../support/cloud-session.ts';
import { acmeWith, changesOf, deployable, deployIt, deploySession, KEY, SET } from '../support/deploys.ts';
import { BIN } from '../support/program.ts';
import { openTerminal } from '../support/pty.ts';

describe('cloud deploy in a terminal', () => {
  deployIt(
    'asks for a missing token, proposes the missing keys of server/.env, asks once, and deploys',
    { files: deployable(), acme: acmeWith([]) },
    async session => {
      const { BOTCLI_TOKEN, BOTCLI_ORG, ...env } = session.env;
      mkdirSync(join(session.directory, '.config/botcli'), { recursive: true });
      chmodSync(join(session.directory, '.config/botcli'), 0o700);
      const terminal = openTerminal([process.execPath, BIN, 'cloud', 'deploy'], { cwd: session.directory, env });
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
    },
  );

  deployIt(
    'takes no answer that was typed before the question',
    { files: deployable(), acme: acmeWith([]) },
    async session => {
      const command = [process.execPath, BIN, 'cloud', 'deploy'] as const;
      const terminal = openTerminal([...command], { cwd: session.directory, env: session.env });
      terminal.type('y\r');
      await terminal.until('Deploy it?');
      terminal.type('n');
      assert.equal((await terminal.ended).code, 1);
      assert.match(terminal.text(), /Cancelled\. Nothing was changed\./);
      assert.deepEqual(changesOf(session), []);
    },
  );

  /** A deploy without a token, in a terminal. */
  const withoutToken = (use: (terminal: ReturnType<typeof openTerminal>) => Promise<void>) =>
    deploySession({}, async session => {
      const { BOTCLI_TOKEN, BOTCLI_ORG, ...env } = session.env;
      await use(openTerminal([process.execPath, BIN, 'cloud', 'deploy'], { cwd: session.directory, env }));
    });

  it(
    'asks again for a token that is wrong',
    withoutToken(async terminal => {
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
    }),
  );

  it(
    'gives up after three tokens that are wrong',
    withoutToken(async terminal => {
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
    }),
  );

  deployIt(
    'says after Ctrl-C during a build that it goes on, and continues it with the same command',
    {},
    async session => {
      session.cloud.fault({ path: /\/builds\/[0-9a-f-]{36}$/, fault: { kind: 'html', status: 502 } });
      const args = [process.execPath, BIN, 'cloud', 'deploy', '--skip'] as const;
      const terminal = openTerminal(args, { cwd: session.directory, env: session.env });
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
    },
  );
});
