import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gatherFacts, readFacts } from '../../src/check/gather.ts';
import { thisMachine } from '../../src/check/this-machine.ts';
import { tryTyped } from '../../src/dev/prepare.ts';
import { filledProject } from '../support/check.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { openRecorded } from '../support/session.ts';
import { inTree } from '../support/trees.ts';

/** Tries a key that was typed into a project, and types these if botcli asks again. A provider knows one key, or is silent. */
async function tryKey(typed: string, answers: string[], isSilent = false) {
  const tree = { ...(await filledProject(resolveFlags(CASCADE))), 'server/.env': `OPENAI_API_KEY=${typed}\n` };
  const server = createServer(({ headers }, response) => {
    const isKnown = headers.authorization === 'Bearer sk-right';
    if (!isSilent) response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let result = { written: '', env: '', asked: 0 };
  await inTree(tree, async root => {
    const recorded = openRecorded(root);
    let asked = 0;
    const terminal = { ...recorded.terminal, askHidden: async () => answers[asked++] ?? '' };
    const machine = { ...thisMachine(terminal), uvVersion: async () => '', refusedByPython: async () => new Map() };
    const facts = await gatherFacts(readFacts('.', terminal), machine, terminal, 'any');
    const access = { deadlineMs: isSilent ? 1 : 60_000, origin };
    const now = await tryTyped(['OPENAI_API_KEY'], facts, terminal, access)();
    const env = readFileSync(join(root, 'server/.env'), 'utf8');
    assert.equal(`OPENAI_API_KEY=${now.env.file.entries.get('OPENAI_API_KEY')?.value}\n`, env);
    result = { written: recorded.written.stderr, env, asked };
  });
  server.closeAllConnections();
  server.close();
  return result;
}

const REFUSED = '✗ OpenAI refuses OPENAI_API_KEY: HTTP 401\n  Get one at https://platform.openai.com/api-keys\n';
const AGAIN = 'Type it again, or press Enter to go on with it.\n';

describe('a key that was just typed', () => {
  it('is asked for again for as long as its provider refuses it', async () => {
    const { written, env, asked } = await tryKey('asdf', ['qwer', 'sk-right']);
    const has = '\n✓ server/.env has OPENAI_API_KEY\n';
    assert.equal(written, `${REFUSED}${AGAIN}${has}${REFUSED}${AGAIN}${has}`);
    assert.deepEqual({ env, asked }, { env: 'OPENAI_API_KEY=sk-right\n', asked: 2 });
  });

  it('stays if the person types none instead', async () => {
    const { written, env } = await tryKey('asdf', ['']);
    assert.deepEqual({ written, env }, { written: `${REFUSED}${AGAIN}`, env: 'OPENAI_API_KEY=asdf\n' });
  });

  it('is right if the provider says so', async () =>
    assert.deepEqual(await tryKey('sk-right', []), { written: '', env: 'OPENAI_API_KEY=sk-right\n', asked: 0 }));

  it('may be right if the provider says nothing', async () =>
    assert.deepEqual(await tryKey('asdf', [], true), { written: '', env: 'OPENAI_API_KEY=asdf\n', asked: 0 }));
});
