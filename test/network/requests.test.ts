import assert from 'node:assert/strict';
import { proxyFor } from '../../src/network/requests.ts';

describe('a proxy', () => {
  const before = { ...process.env };
  const clear = () => {
    for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
  };
  afterEach(() => {
    clear();
    Object.assign(process.env, before);
  });

  const lines: [address: string, noProxy: string, isUsed: boolean][] = [
    ['https://api.eu.test', '', true],
    ['https://api.eu.test', 'api.eu.test', false],
    ['https://api.eu.test', '.test', false],
    ['https://api.eu.test', 'test', false],
    ['https://api.eu.test', 'eu.test', false],
    ['https://api.eu.test', 'other.test, EU.TEST', false],
    ['https://api.eu.test', 'u.test', true],
    ['https://api.eu.test', 'api.eu', true],
    ['https://api.eu.test:8443', 'eu.test:8443', false],
    ['https://api.eu.test:8443', 'eu.test:9443', true],
    ['https://api.eu.test', '*', false],
    ['https://10.0.0.1', '10.0.0.1', false],
    ['https://10.0.0.1', '0.0.1', true],
    ['https://[2001:db8::1]', '[2001:db8::1]', false],
    ['https://127.0.0.1', '', false],
  ];
  for (const [address, noProxy, isUsed] of lines) {
    it(`is ${isUsed ? 'used' : 'not used'} for ${address} with NO_PROXY=${noProxy}`, () => {
      clear();
      process.env.HTTPS_PROXY = 'http://proxy.test:3128';
      process.env.NO_PROXY = noProxy;
      // Windows doesn't mind the case of the name.
      assert.equal(proxyFor(address)?.variable.toUpperCase(), isUsed ? 'HTTPS_PROXY' : undefined);
    });
  }
});
