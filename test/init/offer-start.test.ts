import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { offerStart } from '../../src/init/report.ts';
import { CASCADE, generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { openRecorded } from '../support/session.ts';
import { TOOLS } from '../support/tools.ts';
import { inTree } from '../support/trees.ts';

const LOCAL = { stt_service: 'whisper_stt', llm_service: 'ollama_llm', tts_service: 'pockettts_tts' };

/** What is asked and noted at the end, with an Ollama that has these models; undefined if it doesn't answer. */
async function end(choices: object, models: readonly string[] | undefined) {
  const config = resolveFlags({ ...CASCADE, ...choices });
  const server = createServer((_, response) =>
    models ? response.end(JSON.stringify({ models: models.map(name => ({ name })) })) : response.writeHead(502).end(),
  );
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    return await inTree({ ...generateProject(config), 'server/.env': 'OPENAI_API_KEY=x\n' }, async directory => {
      const env = { PATH: `${TOOLS}:${dirname(process.execPath)}`, OLLAMA_BASE_URL: base };
      const { terminal, written } = openRecorded(directory, { env });
      const asked: string[] = [];
      const confirm = async (question: string) => asked.push(question.split('\n')[0] ?? '') === 0;
      const code = await offerStart({ config, directory: '.' }, [], { ...terminal, confirm });
      assert.equal(code, undefined);
      return [...asked, written.stderr.trim()].filter(Boolean);
    });
  } finally {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  }
}

describe('at the end of the questions, botcli offers to start a bot', () => {
  const START =
    "If it isn't installed, get it from https://ollama.com/download.\nBefore you start the bot, run: ollama serve";
  const cases: [about: string, choices: object, models: string[] | undefined, said: string][] = [
    ['without a language model on this machine', {}, undefined, 'Start it now?'],
    ['whose Ollama has the model', LOCAL, ['llama3.2:latest'], 'Start it now?'],
    ['but says what to start', LOCAL, undefined, `Ollama doesn't answer at the address of OLLAMA_BASE_URL.\n${START}`],
    [
      'but says what to download',
      LOCAL,
      ['qwen3:latest'],
      "Ollama doesn't have llama3.2.\nBefore you start the bot, run: ollama pull llama3.2",
    ],
  ];
  for (const [about, choices, models, said] of cases)
    it(about, async () => assert.deepEqual(await end(choices, models), [said]));
});
