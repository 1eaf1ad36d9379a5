import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { pageOf, partsOf, tunnelPort, wayOf } from '../../src/dev/parts.ts';
import { callSteps } from '../../src/dev/tunnel.ts';
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

/** The command lines of a project's parts, each with its variables, and where to talk. */
function describeParts(config: RawConfig, options: WayOptions = {}, host = options.host): string[] {
  const resolved = configOf(config);
  const ports = { ...usualPorts(resolved), bot: 7861 };
  const way = { ...wayOf(resolved, options), host };
  const lines = partsOf(resolved, ports, way).map(({ name, program, args, env }) => {
    const variables = Object.entries(env ?? {}).map(([key, value]) => `${key}=${value}`);
    return [`${name}:`, ...variables, program, ...args].join(' ');
  });
  const tunnel = options.tunnel ? [`tunnel: ${tunnelPort(way, ports)}`] : [];
  return [...lines, ...tunnel, pageOf(resolved, ports, way) ?? 'no page'];
}

describe('the parts of a project', () => {
  const BOT = 'bot: uv run bot.py --port 7861';
  const PAGE = 'http://localhost:7861';
  const CALLS = `calls: PORT=8080 LOCAL_SERVER_URL=${PAGE}`;
  const web = (port: number, more = '') => `client: BOT_URL=${PAGE} npm run dev -- --port ${port}${more}`;
  const next: RawConfig = { client_framework: 'component', client_server: 'fullstack' };
  const tunneled = [
    `${BOT} -t daily`,
    `${CALLS} PUBLIC_URL=https://a.test uv run server.py`,
    'tunnel: 8080',
    'no page',
  ];
  const cases: [about: string, config: RawConfig, options: WayOptions, parts: string[]][] = [
    ['the bot', {}, {}, [BOT, PAGE]],
    ['a client on Vite', CLIENT, {}, [BOT, web(5173, ' --strictPort'), 'http://localhost:5173']],
    ['a client on Next.js', next, {}, [BOT, web(3000), 'http://localhost:3000']],
    ['a chosen transport', BOTH, { transport: 'webrtc' }, [`${BOT} -t webrtc`, PAGE]],
    ['a phone bot', PHONE, {}, [`${BOT} -t twilio`, 'no page']],
    ['a phone bot with a tunnel', BOTH, { tunnel: true }, [`${BOT} -t twilio -x a.test`, 'tunnel: 7861', 'no page']],
    ["a tunnel of the user's own", PHONE, { host: 'b.test' }, [`${BOT} -t twilio -x b.test`, 'no page']],
    ['a call server with a tunnel, which knows its public address', SIP_IN, { tunnel: true }, tunneled],
    ['a bot that places calls', DIAL_OUT, {}, [BOT, `${CALLS} uv run server.py`, 'no page']],
  ];
  for (const [about, config, options, parts] of cases) {
    it(`are those of ${about}`, () =>
      assert.deepEqual(describeParts(config, options, options.tunnel ? 'a.test' : options.host), parts));
  }

  it("start a client with its package manager, and pass on the port as that one's scripts get it", () =>
    inTree({ 'pnpm-lock.yaml': '' }, async directory => {
      const config = configOf(CLIENT);
      const { manager } = packageManagerOf(directory);
      const client = partsOf(config, usualPorts(config), { tunnel: false }, manager).at(-1);
      assert.equal([client?.program, ...(client?.args ?? [])].join(' '), 'pnpm run dev --port 5173 --strictPort');
    }));

  const refused: [options: WayOptions, config: RawConfig, message: RegExp][] = [
    [{ transport: 'twilio' }, {}, /"twilio", which this bot doesn't have[\s\S]*update -t rtc_local -t tel_a$/],
    [
      { transport: 'pigeon' },
      {},
      /"pigeon", which this bot doesn't have\nIt has rtc_local \(SmallWebRTC, peer to peer\)\.$/,
    ],
    [{ tunnel: true }, {}, /--tunnel is for calls, and this bot takes none\n.*update -t rtc_local -t tel_a$/],
    [{ tunnel: true }, CLIENT, /update -t rtc_local -t tel_a --client-framework none$/],
    [{ host: 'a.test' }, {}, /--host is for calls/],
    [{ tunnel: true, transport: 'rtc_local' }, BOTH, /and SmallWebRTC \(peer to peer\) takes none/],
    [{ tunnel: true }, DIAL_OUT, /takes none/],
    [{ tunnel: true, host: 'a.test' }, PHONE, /Pass one of them/],
    [{ host: 'https://a.test/x' }, PHONE, /isn't a hostname/],
    [{ number: '555 1234', tunnel: true }, PHONE, /"555 1234", which isn't a phone number/],
    [{ number: '+15551234567' }, PHONE, /--number needs a tunnel/],
    [{ number: '+15551234567', tunnel: true }, { transports: ['tel_b'] }, /calls come over Telnyx/],
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
  const streams = ['tel_a', 'tel_b', 'tel_c', 'tel_d', 'rtc_hosted_pstn_dialin', 'tel_a_rtc_sip_dialin'];
  for (const id of streams) {
    it(`${id}: name the public host, and nothing that dev has done`, () => {
      const { transports } = configOf({ transports: [id] });
      const { transport } = wayOf(configOf({ transports }), { tunnel: true });
      assert(transport);
      const text = callSteps(transport, 'a.test', 'My bot').join('\n');
      assert.match(text, /^1\. /);
      assert.match(text, /a\.test/);
      assert.doesNotMatch(text, /YOUR-HOST|uv run|ngrok|`|(?<!\{)\{\w+\}(?!\})/);
    });
  }
});
