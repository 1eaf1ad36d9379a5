import assert from 'node:assert/strict';
import { ON_THIS_COMPUTER } from '../../src/config/quickstart.ts';
import { clientFactsOf } from '../../src/project/client.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';

describe('the facts of a web client', () => {
  it('are its name, its keys, and its transports, of which the first is the default', () => {
    const choices = {
      client_framework: 'vanilla',
      project_name: 'harbor-dental',
      transports: ['rtc_local', 'rtc_hosted'],
    };
    const { title, keys, hasKeys, transports, transportImports } = clientFactsOf(
      resolveFlags({ ...LOCAL, ...choices }),
    );
    assert.deepEqual([title, transports, hasKeys], ['Harbor Dental', 'smallWebRtc, daily', true]);
    assert.deepEqual(keys, [
      { env: 'OPENAI_API_KEY', provider: 'OpenAI', page: 'https://platform.openai.com/api-keys' },
    ]);
    assert.deepEqual(transportImports, [
      { module: 'daily', constant: 'daily' },
      { module: 'small-webrtc', constant: 'smallWebRtc' },
    ]);
  });

  it('have no keys if the bot needs none', () => {
    const { keys, hasKeys } = clientFactsOf(resolveFlags({ ...ON_THIS_COMPUTER, client_framework: 'component' }));
    assert.deepEqual([keys, hasKeys], [[], false]);
  });

  it('have no page for a key if it is unknown', () => {
    const config = resolveFlags({ ...LOCAL, client_framework: 'component', llm_service: 'xai_llm' });
    assert.deepEqual(clientFactsOf(config).keys[1], { env: 'XAI_API_KEY', provider: 'xAI Grok', page: '' });
  });
});
