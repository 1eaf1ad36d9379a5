import assert from 'node:assert/strict';
import { isLocalAddress, warnAboutLocal } from '../src/this-computer.ts';

describe('an address for the cloud', () => {
  const local = [
    'http://127.0.0.1:11434/v1',
    'HTTP://LOCALHOST:8000',
    'localhost',
    'localhost:5432',
    'postgres://me:p@ss@localhost/db',
    'ws://api.localhost',
    'http://host.docker.internal:8080',
    'http://gateway.docker.internal',
    'http://host.containers.internal/v1',
    'http://mac-mini.local:11434',
    'http://192.168.1.20:8000',
    'redis://10.0.0.5:6379',
    'http://172.16.0.1',
    'http://[::1]:80',
    '0.0.0.0:80',
  ];
  const reachable = [
    'https://api.example.com/v1',
    'https://localhost.example.com',
    'https://example.com/localhost',
    'https://example.com?from=http://localhost',
    'https://notlocalhost.com',
    'https://127.example.com',
    'http://172.32.0.1',
    'http://192.169.0.1',
    'https://db.internal',
    'sk-localhost',
    'a local word',
    '',
  ];
  for (const value of local) it(`is local: ${value}`, () => assert.equal(isLocalAddress(value), true));
  for (const value of reachable)
    it(`is not local: ${value || 'nothing'}`, () => assert.equal(isLocalAddress(value), false));

  it('is named by its key, never by its value', () =>
    assert.deepEqual(
      warnAboutLocal([
        { key: 'URL', value: 'http://user:password@localhost' },
        { key: 'KEY', value: 'x' },
      ]),
      ["URL points to this computer or its network, which the cloud can't reach."],
    ));
});
