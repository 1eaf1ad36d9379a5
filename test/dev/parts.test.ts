import assert from 'node:assert/strict';
import { findTransport } from '../../src/catalog/index.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { partsOf, wayOf } from '../../src/dev/parts.ts';
import { callSteps } from '../../src/dev/session.ts';
import type { UserError } from '../../src/errors.ts';
import { packageManagerOf } from '../../src/existing/package-manager.ts';
import { usualPorts } from '../../src/project/client.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree } from '../support/trees.ts';

type WayOptions = Parameters<typeof wayOf>[1];

const configOf = (config: RawConfig) => resolveFlags({ ...CASCADE, ...config, project_name: 'My bot' });
const PHONE: RawConfig = { transports: ['tel_a'] };
const BOTH: RawConfig = { transports: ['rtc_local', 'tel_a'] };
const CLIENT: RawConfig = { client_framework: 'vanilla' };
const SIP_IN: RawConfig = { transports: ['tel_a_rtc_sip_dialin'] };
const DIAL_OUT: RawConfig = { transports: ['rtc_hosted_pstn_dialout'] };

/** The command lines of a project's parts, each with its variables, whether there is a page, and where a tunnel leads. */
function describeParts(config: RawConfig, options: WayOptions): string[] {
  const resolved = configOf(config);
  const ports = { ...usualPorts(resolved), bot: 7861 };
  const { transport, tunnel, host, hasPage, leadsTo } = wayOf(resolved, options);
  const parts = partsOf(resolved, ports, { transport, host: tunnel ? 'a.test' : host });
  const lines = parts.map(({ name, program, args, env }) => {
    const variables = Object.entries(env ?? {}).map(([key, value]) => `${key}=${value}`);
    return [`${name}:`, ...variables, program, ...args].join(' ');
  });
  return [...lines, hasPage ? 'page' : `tunnel to ${leadsTo}`];
}

describe('the parts of a project', () => {
  const BOT = 'bot: uv run bot.py --port 7861';
  const CALLS = 'calls: PORT=8080 LOCAL_SERVER_URL=http://localhost:7861';
  const web = (port: number, more = '') => `client: BOT_URL=http://localhost:7861 npm run dev -- --port ${port}${more}`;
  const next: RawConfig = { client_framework: 'component', client_server: 'fullstack' };
  const tunnel = { tunnel: true };
  const tunneled = [`${BOT} -t daily`, `${CALLS} PUBLIC_URL=https://a.test uv run server.py`, 'tunnel to calls'];
  const cases: [about: string, config: RawConfig, options: WayOptions, parts: string[]][] = [
    ['the bot', {}, {}, [BOT, 'page']],
    ['a client on Vite', CLIENT, {}, [BOT, web(5173, ' --strictPort'), 'page']],
    ['a client on Next.js', next, {}, [BOT, web(3000), 'page']],
    ['a chosen transport', BOTH, { transport: 'webrtc' }, [`${BOT} -t webrtc`, 'page']],
    ['a phone bot', PHONE, {}, [`${BOT} -t twilio`, 'tunnel to bot']],
    ['a phone bot with a tunnel', BOTH, tunnel, [`${BOT} -t twilio -x a.test`, 'tunnel to bot']],
    ["a tunnel of the user's own", PHONE, { host: 'b.test' }, [`${BOT} -t twilio -x b.test`, 'tunnel to bot']],
    ['a call server with a tunnel, which knows its public address', SIP_IN, tunnel, tunneled],
    ['a bot that places calls', DIAL_OUT, {}, [BOT, `${CALLS} uv run server.py`, 'tunnel to bot']],
  ];
  for (const [about, config, options, parts] of cases)
    it(`are those of ${about}`, () => assert.deepEqual(describeParts(config, options), parts));

  it("start a client with its package manager, and pass on the port as that one's scripts get it", () =>
    inTree({ 'pnpm-lock.yaml': '' }, async directory => {
      const config = configOf(CLIENT);
      const { manager } = packageManagerOf(directory);
      const client = partsOf(config, usualPorts(config), {}, manager).at(-1);
      assert.equal([client?.program, ...(client?.args ?? [])].join(' '), 'pnpm run dev --port 5173 --strictPort');
    }));

  const number = '+15551234567';
  const refused: [options: WayOptions, config: RawConfig, message: RegExp][] = [
    [{ transport: 'twilio' }, {}, /"twilio", which this bot doesn't have[\s\S]*update -t rtc_local -t tel_a$/],
    [{ transport: 'pigeon' }, {}, /"pigeon", which .*\nIt has rtc_local \(SmallWebRTC, peer to peer\)\.$/],
    [tunnel, {}, /--tunnel is for calls, and this bot takes none\n.*update -t rtc_local -t tel_a$/],
    [tunnel, CLIENT, /update -t rtc_local -t tel_a --client-framework none$/],
    [{ host: 'a.test' }, {}, /--host is for calls/],
    [{ tunnel: true, transport: 'rtc_local' }, BOTH, /and SmallWebRTC \(peer to peer\) takes none/],
    [tunnel, DIAL_OUT, /takes none/],
    [{ tunnel: true, host: 'a.test' }, PHONE, /Pass one of them/],
    [{ host: 'https://a.test/x' }, PHONE, /isn't a hostname/],
    [{ number: '555 1234', tunnel: true }, PHONE, /"555 1234", which isn't a phone number/],
    [{ number }, PHONE, /--number needs a tunnel/],
    [{ number, tunnel: true }, { transports: ['tel_b'] }, /calls come over Telnyx/],
  ];
  for (const [options, config, message] of refused) {
    it(`can't be chosen with ${JSON.stringify(options)} for ${config.transports ?? 'a web bot'}`, () =>
      assert.throws(
        () => wayOf(configOf(config), options),
        (error: UserError) => error.exitCode === 2 && message.test(`${error.message}\n${error.hint}`),
      ));
  }
});

describe('the steps at a provider', () => {
  for (const id of ['tel_a', 'tel_b', 'tel_c', 'tel_d', 'rtc_hosted_pstn_dialin', 'tel_a_rtc_sip_dialin']) {
    it(`${id}: name the public host, and nothing that dev has done`, () => {
      const text = callSteps(findTransport(id), 'a.test', 'My bot').join('\n');
      assert.match(text, /^1\. /);
      assert.match(text, /a\.test/);
      assert.doesNotMatch(text, /YOUR-HOST|uv run|ngrok|`|(?<!\{)\{\w+\}(?!\})/);
    });
  }
});
