import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { expect } from '../bots/expect.ts';
import { prepareAhead, type Report } from '../bots/report.ts';
import { findPort } from '../bots/running-bot.ts';
import { waitFor } from '../bots/slowness.ts';
import { type Answer, withBrowser } from './browsers.ts';
import { ClientPage } from './client-page.ts';
import { bundleClient, type Client, generateClient, installClient, withServer } from './clients.ts';
import { recordNobody } from './recording.ts';

type Handling = (path: string) => { status: number; body: string } | 'never';

/** A bot server that gives scripted answers, and records requests. At first, nothing listens at its address. */
class SilentBot {
  asked: string[] = [];
  readonly url: string;
  private handle: Handling | undefined;
  private readonly port: number;
  private readonly server = createServer((request, response) => {
    this.asked.push(`${request.method} ${request.url}`);
    const answer = this.handle?.(request.url ?? '') ?? 'never';
    if (answer === 'never') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });

  constructor(port: number) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** From now on, it answers so, or is down. */
  async become(handle: Handling | undefined): Promise<void> {
    this.handle = handle;
    this.asked = [];
    this.server.closeAllConnections();
    if (this.server.listening && !handle) this.server.close();
    if (this.server.listening || !handle) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }
}

/** What the checks of a built page share, one after the other. Each opens the page with storage and a cache of its own. */
interface Place {
  bot: SilentBot;
  url: string;
  browser: Browser;
}

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
  /** Whether the client's server takes part. What the page does by itself is proven for one of the clients that have it. */
  isServers?: boolean;
  /** Whether it takes as long as the page's timeout. */
  isLong?: boolean;
}

const started = { status: 200, body: '{"sessionId":"1"}' };

const FAILURES: readonly Failure[] = [
  // The first, because nothing listens yet.
  {
    name: 'the bot is down',
    isServers: true,
    says: /^The bot isn't responding\. Start it with uv run bot\.py/,
    asks: 0,
    isLookedAt: true,
  },
  {
    name: 'the bot never becomes ready',
    isLong: true,
    bot: path => (path === '/start' ? started : 'never'),
    says: /^The bot wasn't ready in time\. Check its log\.$/,
    asks: 2,
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
    isServers: true,
    bot: () => ({ status: 400, body: '{"detail":"Transport \'webrtc\' is not allowed."}' }),
    says: /^Transport 'webrtc' is not allowed\.$/,
    asks: 1,
  },
  {
    name: "the bot's server fails",
    isServers: true,
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
    isServers: true,
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
  await bundleClient(client);
  return 'npm install, and its bundler';
}

async function lookAt(report: Report, client: Client): Promise<void> {
  await report.check(client.name, 'its page loads without errors: dev', () =>
    withServer(client, { how: 'dev', botUrl: 'http://127.0.0.1:9' }, url =>
      withBrowser('chromium', {}, browser => onPage(browser, url, client, page => load(page, client, 'dev'))),
    ),
  );
  const failures = FAILURES.filter(({ isServers }) => isServers || !client.hasPageOf);
  const reportAll = async (place: Place, some: readonly Failure[]) => {
    for (const failure of some)
      await report.converse(client.name, `reports: ${failure.name}`, ({ isSecond }) =>
        isSecond ? inPlace(client, fresh => fail(fresh, client, failure)) : fail(place, client, failure),
      );
  };
  const long = failures.filter(({ isLong }) => isLong);
  const short = failures.filter(({ isLong }) => !isLong);
  await Promise.all([
    long.length > 0 && inPlace(client, place => reportAll(place, long)),
    inPlace(client, async place => {
      const check = (name: string, look: (page: ClientPage, client: Client) => Promise<string>) =>
        report.check(client.name, name, () => onPage(place.browser, place.url, client, page => look(page, client)));
      await check('its page loads without errors: built', load);
      await check('works if a library does not load', loseLibrary);
      await reportAll(place, short);
    }),
  ]);
}

async function onPage(browser: Browser, url: string, { name }: Client, use: (page: ClientPage) => Promise<string>) {
  const page = await ClientPage.open(browser, url, name);
  try {
    return await use(page);
  } finally {
    await page.page.context().close();
  }
}

async function load(page: ClientPage, client: Client, how: 'dev' | 'built' = 'built'): Promise<string> {
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
  await page.page.goto(new URL('/?developer', page.page.url()).href);
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
async function loseLibrary(page: ClientPage): Promise<string> {
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

async function fail({ bot, url, browser }: Place, client: Client, failure: Failure): Promise<string> {
  const { answer } = failure;
  await bot.become(failure.bot);
  const call = (opened: Browser) => onPage(opened, url, client, page => failOn(page, bot, failure));
  return answer ? withBrowser('chromium', { answer }, call) : call(browser);
}

async function failOn(page: ClientPage, bot: SilentBot, failure: Failure): Promise<string> {
  const { asked } = bot;
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
}

/** Serves the built page and opens a browser, for as long as `use` takes. */
async function inPlace<Result>(client: Client, use: (place: Place) => Promise<Result>): Promise<Result> {
  const [bot, recording] = [new SilentBot(await findPort()), await recordNobody()];
  try {
    return await withServer(client, { how: 'built', botUrl: bot.url }, url =>
      withBrowser('chromium', { recording }, browser => use({ bot, url, browser })),
    );
  } finally {
    await bot.become(undefined);
  }
}
