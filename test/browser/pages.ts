import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { expect } from '../bots/expect.ts';
import { prepareAhead, type Report, severalAtOnce } from '../bots/report.ts';
import { findPort } from '../bots/running-bot.ts';
import { waitFor } from '../bots/slowness.ts';
import { type Answer, withBrowser } from './browsers.ts';
import { ClientPage } from './client-page.ts';
import { buildClient, type Client, generateClient, installClient, withServer } from './clients.ts';

/** A bot server that gives scripted answers, and records requests. */
interface SilentBot {
  url: string;
  asked: string[];
}

type Handling = (path: string) => { status: number; body: string } | 'never';

/** A way for a call to fail, and the expected behavior. */
interface Failure {
  name: string;
  answer?: Answer;
  /** The chosen transport (default: SmallWebRTC). */
  transport?: string;
  /** The bot server's response; if omitted, there is no server. */
  bot?: Handling;
  /** The person's actions after pressing Connect. `asked` waits until the bot server has had this many requests. */
  act?: (page: ClientPage, asked: (times: number) => Promise<unknown>) => Promise<void>;
  says: RegExp | null;
  asks: number;
  isLookedAt?: boolean;
}

const started = { status: 200, body: '{"sessionId":"1"}' };

const FAILURES: readonly Failure[] = [
  // The first, because it waits for a timeout.
  {
    name: 'the bot never becomes ready',
    bot: path => (path === '/start' ? started : 'never'),
    says: /^The bot wasn't ready in time\. Check its log\.$/,
    asks: 2,
  },
  {
    name: 'the bot is down',
    says: /^The bot isn't responding\. Start it with uv run bot\.py/,
    asks: 0,
    isLookedAt: true,
  },
  {
    name: 'the microphone is denied',
    answer: 'deny',
    bot: () => started,
    says: /^The browser blocked the microphone\. Allow it/,
    asks: 0,
  },
  {
    name: "the bot's server refuses",
    bot: () => ({ status: 400, body: '{"detail":"Transport \'webrtc\' is not allowed."}' }),
    says: /^Transport 'webrtc' is not allowed\.$/,
    asks: 1,
  },
  {
    name: "the bot's server fails",
    bot: () => ({ status: 500, body: 'Internal Server Error' }),
    says: /^The bot's server returned an error \(500\)\. Check its log\.$/,
    asks: 1,
  },
  {
    name: "Daily can't be reached",
    transport: 'Daily',
    bot: () => started,
    says: /^Can't reach Daily\. Is this computer online\?$/,
    asks: 0,
  },
  {
    name: 'the session is gone',
    bot: path => (path === '/start' ? started : { status: 404, body: 'Invalid session' }),
    says: /^Couldn't connect to the bot\./,
    asks: 2,
  },
  {
    name: 'the call is canceled while the bot starts',
    bot: () => 'never',
    act: async (page, asked) => {
      await asked(1);
      await page.look('connecting');
      const place = await page.orb();
      await page.press('Cancel');
      await page.button('Start talking').waitFor();
      expect((await page.orb()) === place, `the orb jumps from ${place} to ${await page.orb()}`);
    },
    says: null,
    asks: 1,
  },
  {
    name: 'the call is canceled while it connects',
    bot: path => (path === '/start' ? started : 'never'),
    act: async (page, asked) => {
      await page.waitForStatus('Connecting');
      await asked(2);
      await page.press('Cancel');
    },
    says: null,
    asks: 2,
  },
];

/** Longer than a client waits for its bot. */
const FAILED_MS = 45_000;

/** Level 2: checks that pages load without errors, and that they report failed calls and turn the microphone off. */
export async function checkPages(report: Report, clients: readonly Client[]): Promise<void> {
  // The next client is built while a client's pages wait for answers that never come.
  await prepareAhead(
    clients,
    client => report.check(client.name, 'builds with all features', () => build(client)),
    async (client, isBuilt) => {
      if (isBuilt) await lookAt(report, client);
    },
  );
}

async function build(client: Client): Promise<string> {
  await installClient(client);
  await generateClient(client, {
    project_name: `"Voice" & <b>'bot'</b> \${1}`,
    transports: ['rtc_local', 'rtc_hosted'],
    video_input: true,
    video_output: true,
  });
  await buildClient(client);
  return 'npm install, npm run build';
}

async function lookAt(report: Report, client: Client): Promise<void> {
  for (const how of ['dev', 'built'] as const) {
    await report.check(client.name, `its page loads without errors: ${how}`, () =>
      withServer(client, { how, botUrl: 'http://127.0.0.1:9' }, url =>
        withBrowser('chromium', {}, browser => load(browser, url, client, how)),
      ),
    );
  }
  await report.check(client.name, 'works if a library does not load', () =>
    withServer(client, { how: 'built', botUrl: 'http://127.0.0.1:9' }, url =>
      withBrowser('chromium', {}, browser => loseLibrary(browser, url, client)),
    ),
  );
  // Not all at once: a page that starves reports that its bot is late.
  await severalAtOnce(FAILURES, 3, failure =>
    report.converse(client.name, `reports: ${failure.name}`, () => fail(client, failure)),
  );
}

async function load(browser: Browser, url: string, client: Client, how: 'dev' | 'built'): Promise<string> {
  const page = await ClientPage.open(browser, url, client.name);
  const name = `"Voice" & <b>'bot'</b> \${1}`;
  expect((await page.page.title()) === name, 'the title is not the name', await page.page.title());
  await page.page.getByRole('heading', { name, level: 1 }).waitFor();
  const options = await page.page
    .locator('.settings label', { hasText: 'Connection' })
    .locator('option')
    .allTextContents();
  expect(options.join() === 'Direct,Daily', 'not both transports', options.join());
  let weight = '';
  if (how === 'built') {
    weight = await weigh(page, client);
    // A replaced connection leaves no listeners.
    await page.waitForDeviceListeners(1);
    await page.choose('Daily');
    await page.waitForDeviceListeners(0);
    await page.choose('Direct');
    await page.waitForDeviceListeners(1);
  }
  await expectPanel(page, how === 'dev');
  await page.expectClean();
  await page.page.goto(`${url}/?developer`);
  await page.button('Start talking').waitFor();
  await expectPanel(page, true);
  return `title, heading, choice of transports${weight}`;
}

/** Only developers see their panel. */
async function expectPanel(page: ClientPage, isThere: boolean): Promise<void> {
  const is = await page.page.getByText('Developer', { exact: true }).isVisible();
  expect(is === isThere, `the panel for developers is ${is ? '' : 'not '}there`);
}

/** The scripts that the page loads before a call: not too heavy, and without Daily's library until Daily is chosen. */
async function weigh(page: ClientPage, { mostKilobytes }: Client): Promise<string> {
  const before = await page.scripts();
  expect(!before.some(isDailys), "Daily's library is loaded before Daily is chosen");
  const kilobytes = Math.round(before.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000);
  expect(kilobytes <= mostKilobytes, `${kilobytes} kB of scripts instead of ${mostKilobytes} kB`);
  await page.choose('Daily');
  expect((await page.scripts()).some(isDailys), "Daily's library is not loaded although Daily is chosen");
  await page.choose('Direct');
  return `, ${kilobytes} kB of scripts, compressed`;
}

/** Daily's library loads the rest of its code from there. */
const isDailys = (script: string): boolean => script.includes('c.daily.co');

/** The other transport's library can't be loaded. The page says so, and still connects with the first transport. */
async function loseLibrary(browser: Browser, url: string, client: Client): Promise<string> {
  const page = await ClientPage.open(browser, url, client.name);
  await page.page.context().setOffline(true);
  await page.withSettings(settings => settings.getByLabel('Connection').selectOption('Daily'));
  const said = await page.problem();
  expect(/^Can't reach the client's server/.test(said), `it says: ${said}`);
  await page.waitForStatus('Not connected');
  await page.page.context().setOffline(false);
  await page.choose('Direct');
  await page.press('Start talking');
  const problem = page.page.locator('[role=alert] .problem').filter({ hasText: "The bot isn't responding" });
  await problem.waitFor();
  await page.expectDevicesOff();
  return said;
}

async function fail(client: Client, failure: Failure): Promise<string> {
  const { bot, answer = 'allow' } = failure;
  return withSilentBot(bot, ({ url: botUrl, asked }) =>
    withServer(client, { how: 'built', botUrl }, url =>
      withBrowser('chromium', { answer }, async browser => {
        const page = await ClientPage.open(browser, url, client.name);
        if (failure.transport) await page.choose(failure.transport);
        await page.press('Start talking');
        // The page shows its state before its request arrives.
        await failure.act?.(page, times => waitFor(() => asked.length >= times, FAILED_MS));
        const said = failure.says ? await page.problem(FAILED_MS) : '';
        expect(failure.says?.test(said) ?? true, `it says: ${said}`);
        await page.waitForStatus('Not connected');
        await page.expectDevicesOff();
        expect(asked.length >= failure.asks, `${asked.length} requests instead of ${failure.asks}`, asked.join('\n'));
        expect(failure.asks > 0 || asked.length === 0, 'the bot was asked', asked.join('\n'));
        if (failure.isLookedAt) await page.look('problem');
        return said || 'nothing to report';
      }),
    ),
  );
}

async function withSilentBot<Result>(
  handle: Handling | undefined,
  use: (bot: SilentBot) => Promise<Result>,
): Promise<Result> {
  const asked: string[] = [];
  if (!handle) return use({ url: `http://127.0.0.1:${await findPort()}`, asked });
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = handle(request.url ?? '');
    if (answer === 'never') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
