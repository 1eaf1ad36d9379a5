import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { thisMachine } from '../../src/check/this-machine.ts';

/** What botcli learns from a stand-in for Ollama, and the requests that it got. */
async function ask(respond: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    respond(request, response);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    return { models: await thisMachine({ env: {} }).ollamaModels(new URL(`http://127.0.0.1:${port}/v1`)), requests };
  } finally {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  }
}

describe('what Ollama says about its models', () => {
  it('is their names', async () => {
    const tags = JSON.stringify({ models: [{ name: 'llama3.2:latest', size: 1 }, { name: 'qwen3:8b' }] });
    const { models, requests } = await ask((_, response) => response.end(tags));
    assert.deepEqual(models, ['llama3.2:latest', 'qwen3:8b']);
    assert.deepEqual(requests, ['GET /api/tags']);
  });

  const useless: Record<string, RequestListener> = {
    'text that is not JSON': (_, response) => response.end('Ollama is running'),
    'JSON of something else': (_, response) => response.end('{"data": []}'),
    'an answer without end': (_, response) => response.end(`${' '.repeat(2 ** 20 + 1)}{"models": []}`),
    'a redirect': (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'a connection that closes': request => request.socket.destroy(),
  };
  for (const [what, respond] of Object.entries(useless)) {
    it(`is nothing, if it is ${what}`, async () => {
      const { models, requests } = await ask(respond);
      assert.equal(models, undefined);
      assert.deepEqual(requests, ['GET /api/tags']);
    });
  }

  it('is nothing, if nobody answers', async () => {
    assert.equal(await thisMachine({ env: {} }).ollamaModels(new URL('http://127.0.0.1:9')), undefined);
  });
});
