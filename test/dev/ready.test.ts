import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilReady } from '../../src/dev/ready.ts';

describe('a part whose port answers', () => {
  const cases: [about: string, isOwn: boolean | undefined, leaves: boolean, isReady: boolean][] = [
    ['is ready if it answers itself', true, false, true],
    ['is ready if it still answers, when the system does not say who that is', undefined, false, true],
    ['is not ready if another program answered, which is gone', undefined, true, false],
    ['is not ready if another program answers', false, false, false],
  ];
  for (const [about, own, leaves, expected] of cases) {
    it(about, async () => {
      const server = createServer((_, response) => response.end());
      await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
      const { port } = server.address() as AddressInfo;
      let slept = 0;
      const sleep = async () => {
        slept++;
        if (leaves && slept === 1) await new Promise(resolve => server.close(resolve));
      };
      try {
        assert.equal(await untilReady({ port, isOwn: () => own, isOver: () => slept > 3, sleep }), expected);
      } finally {
        server.close();
      }
    });
  }
});
