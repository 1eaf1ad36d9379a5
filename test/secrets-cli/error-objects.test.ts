import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Fault } from '../../scripts/local-cloud/faults.ts';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { botcli } from '../../src/bin/main.ts';
import { Cloud } from '../../src/platform/cloud.ts';
import { parseCommandLine } from '../../src/shell/command-line.ts';
import { assertSecretive, type CloudSession, cloudIt, SECRET } from '../support/cloud-session.ts';
import { openRecorded } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

/** Fails unless this ends with an error whose message, stack, cause and other properties have no secret. */
async function failsSecretively(work: unknown): Promise<void> {
  const error = await Promise.resolve(work).catch(error => error);
  assert(error instanceof Error, 'it succeeded');
  assertSecretive(inspect(error, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }));
}

/** Runs a line up to where the program catches what it throws. */
async function runBare({ directory, env }: CloudSession, line: string, more = {}): Promise<unknown> {
  const surroundings = { env: { ...env, BOTCLI_HTTP_TIMEOUT: '0.2', ...more }, input: `pcc_pat_${SECRET}\n` };
  const parsed = await parseCommandLine(botcli, shellWords(line));
  assert(parsed.kind === 'run');
  return parsed.command.run(parsed.invocation, openRecorded(directory, surroundings).terminal);
}

describe('an error that the program catches has no secret', () => {
  const faults: Fault[] = [{ kind: 'answer', status: 400, echo: true }];
  for (const kind of ['hang', 'reset', 'html', 'broken-json'] as const) faults.push({ kind });

  for (const [line, method] of [
    [`set demo K=${SECRET} --skip`, 'PUT'],
    ['set demo K=- --skip', 'PUT'],
    [`image-pull-secret demo ghcr.io u:${SECRET}`, 'PUT'],
    ['list', 'GET'],
  ] as const)
    cloudIt(`after ${method} of ${line.replace(SECRET, '…')}`, {}, async session => {
      for (const fault of faults) {
        session.cloud.fault({ method, fault });
        await failsSecretively(runBare(session, `cloud secrets ${line}`));
      }
    });

  const files = { keys: `K="${SECRET}\n`, 'keys.json': `{"K": "${SECRET}", x` };
  for (const words of [SECRET, '--file keys', '--file keys.json'])
    cloudIt(`if nothing can be read from ${words.replace(SECRET, 'a word')}`, { files }, session =>
      failsSecretively(runBare(session, `cloud secrets set demo ${words} --skip`)),
    );

  cloudIt('after a login', { env: { BOTCLI_TOKEN: '' } }, session =>
    failsSecretively(runBare(session, 'cloud auth login --token-stdin')),
  );

  // An error of another API is a copy that names it. No request leaves this machine.
  cloudIt('with the default API', { env: { BOTCLI_API_URL: '' } }, session =>
    failsSecretively(runBare(session, 'cloud secrets list', { HTTPS_PROXY: 'http://127.0.0.1:1' })),
  );

  cloudIt('before a command explains it', {}, async ({ cloud }) => {
    const options = { token: LOCAL_TOKEN, userAgent: 'x', timeoutMs: 200, signal: new AbortController().signal };
    for (const fault of faults) {
      cloud.fault({ fault });
      const client = new Cloud({ ...options, apiUrl: cloud.url, sleep: async () => {} });
      await failsSecretively(client.setKey({ organization: 'acme', name: 'demo' }, { key: 'K', value: SECRET }));
    }
  });
});
