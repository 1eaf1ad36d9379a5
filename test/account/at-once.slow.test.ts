import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { type CloudSession, cloudItWith } from '../support/cloud-session.ts';
import { BIN } from '../support/program.ts';
import { KEYS, openTerminal } from '../support/pty.ts';
import { runShell } from '../support/shell.ts';

// Several commands that change the stored login at the same time, each in a process of its own.

const FOLDER = '.config/botcli';
const CONFIG = `${FOLDER}/config.json`;
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const OTHER_TOKEN = `pcc_pat_${'fedcba9876543210'.repeat(2)}`;
/** Two accounts, each with its own organizations. */
const accounts = {
  [LOCAL_TOKEN]: [newOrganization('acme'), newOrganization('beta')],
  [OTHER_TOKEN]: [newOrganization('gamma')],
};
const LATER = { kept: true };

const atOnceIt = cloudItWith(() => ({ env, cloud: { accounts } }));

const shell = ({ directory, env }: CloudSession, line: string) =>
  runShell(line, { cwd: directory, env: { ...env, TOKEN: LOCAL_TOKEN, OTHER_TOKEN } });
const login = (variable: string) => `printf %s "$${variable}" | botcli cloud auth login --token-stdin`;
const storedIn = ({ read }: CloudSession) => JSON.parse(read(CONFIG));

/** Logs in, and opens the question of `organizations select` in a terminal. */
async function openSelect(session: CloudSession) {
  const { directory, env, read, write } = session;
  assert.equal((await shell(session, login('TOKEN'))).code, 0);
  write(CONFIG, JSON.stringify({ ...JSON.parse(read(CONFIG)), later: LATER }));
  const words = [process.execPath, BIN, 'cloud', 'organizations', 'select'] as const;
  const terminal = openTerminal(words, { cwd: directory, env });
  await terminal.until('◆  Organization');
  return async (answer: string) => {
    terminal.type(answer + KEYS.enter);
    const { code } = await terminal.ended;
    return { code, text: terminal.text() };
  };
}

describe('commands at once', () => {
  atOnceIt('select stores nothing after a login in another terminal, whose result stays', async session => {
    const answer = await openSelect(session);
    assert.equal((await shell(session, login('OTHER_TOKEN'))).code, 0);
    const { code, text } = await answer('beta');
    assert.equal(code, 1, text);
    assert.match(text, /You logged in or out in another terminal meanwhile\. The organization was not stored/);
    const { url: apiUrl } = session.cloud;
    assert.deepEqual(storedIn(session), { later: LATER, token: OTHER_TOKEN, organization: 'gamma', apiUrl });
  });

  atOnceIt('select changes only the organization, and keeps what a newer release stored meanwhile', async session => {
    const answer = await openSelect(session);
    const before = storedIn(session);
    session.write(CONFIG, JSON.stringify({ ...before, newer: [1, { two: 3 }], organization: 'acme' }));
    const { code, text } = await answer('beta');
    assert.equal(code, 0, text);
    assert.deepEqual(storedIn(session), { ...before, newer: [1, { two: 3 }], organization: 'beta' });
  });

  atOnceIt('two logins and a logout leave one of their results, and nothing else', async session => {
    assert.equal((await shell(session, login('TOKEN'))).code, 0);
    session.write(CONFIG, JSON.stringify({ ...storedIn(session), later: LATER }));
    const lines = ['botcli cloud auth logout', login('TOKEN'), login('OTHER_TOKEN'), login('OTHER_TOKEN')];
    const outcomes = await Promise.all(lines.map(line => shell(session, line)));
    for (const { code, stderr } of outcomes) assert.equal(code, 0, stderr);
    const { later, token, organization, apiUrl } = storedIn(session);
    assert.deepEqual(later, LATER);
    const results = [
      [undefined, undefined, undefined],
      [LOCAL_TOKEN, undefined, session.cloud.url],
      [OTHER_TOKEN, 'gamma', session.cloud.url],
    ];
    assert(results.some(result => JSON.stringify(result) === JSON.stringify([token, organization, apiUrl])));
    assert.deepEqual(readdirSync(join(session.directory, FOLDER)), ['config.json']);
  });
});
