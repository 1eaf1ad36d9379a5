/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from '../bots/expect.ts';
import { patient } from '../bots/slowness.ts';
import { lookAt } from './look.ts';
import { type Notes, playPerson, takeNotes } from './page-scripts.ts';

const PATIENCE_MS = 40_000;

export const WIDE = { width: 1100, height: 760 };
const SPEAKING = '[data-activity="speaking"]';

const isOwn = (url: string): boolean => /^((http|ws)s?:\/\/(localhost|127\.0\.0\.1)[:/]|data:|blob:)/.test(url);

/** The energy of a sentence as the browser measures it. Silence has almost none. */
export const AUDIBLE = 0.01;

type Voice = Pick<Notes, 'spoken' | 'loud'>;

/** The page of a generated client in a browser. */
export class ClientPage {
  /** Requests to other machines, page errors and console errors. There should be none. */
  readonly faults: string[] = [];
  /** The signs of the states that the test looked at, in forced colors. */
  readonly signs: string[] = [];
  readonly page: Page;
  private readonly name: string;
  private readonly measuresSound: boolean;
  /** What the page had seen of the bot's voice. */
  private before: Voice = { spoken: 0, loud: 0 };

  /** @param recording What the person says, for a browser whose microphone can't play it. */
  static async open(browser: Browser, url: string, name: string, recording?: string): Promise<ClientPage> {
    // Movement that never ends takes most of the processor: a browser without a graphics card computes each picture.
    const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const client = new ClientPage(page, name, !recording);
    if (recording) {
      await page.route('**/person.wav', route => route.fulfill({ path: recording }));
      await page.addInitScript(playPerson);
    }
    await page.addInitScript(takeNotes);
    // Block requests to other machines.
    await page.route(
      target => !isOwn(target.href),
      route => route.abort(),
    );
    await page.goto(url);
    await client.button('Start talking').waitFor();
    return client;
  }

  private constructor(page: Page, name: string, measuresSound: boolean) {
    this.page = page;
    this.name = name;
    this.measuresSound = measuresSound;
    page.setDefaultTimeout(patient(PATIENCE_MS));
    page.on('request', request => {
      if (!isOwn(request.url())) this.fault(request.url());
    });
    page.on('websocket', socket => {
      if (!isOwn(socket.url())) this.fault(socket.url());
    });
    page.on('pageerror', error => this.fault(error.message));
    page.on('console', message => {
      if (message.type() === 'error') this.fault(message.text());
    });
  }

  private fault = (text: string) => void this.faults.push(text);

  button = (name: string) => this.page.getByRole('button', { name, exact: true });

  press = (name: string) => this.button(name).click();

  async mute(isMuted: boolean): Promise<void> {
    await this.press('Mute');
    await this.page.getByRole('button', { name: 'Mute', exact: true, pressed: isMuted }).waitFor();
  }

  async type(message: string): Promise<void> {
    const field = this.page.getByLabel('Message');
    // React doesn't notice a value that Playwright fills in through Firefox's BiDi.
    await field.pressSequentially(message);
    await field.press('Enter');
  }

  /** Opens the settings while `use` changes them. */
  async withSettings(use: (settings: Locator) => Promise<unknown>): Promise<void> {
    const settings = this.page.getByRole('region', { name: 'Settings' });
    await this.press('Settings');
    await settings.waitFor();
    await use(settings);
    await this.page.keyboard.press('Escape');
    await settings.waitFor({ state: 'hidden' });
  }

  async waitForStatus(text: string): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: text }).waitFor();
  }

  /** Waits until one side's words are in the transcript this many times. */
  async waitForWords(side: 'person' | 'bot', words: string, times = 1): Promise<void> {
    const paragraphs = this.page.locator(`.transcript .${side}`).filter({ hasText: words });
    await paragraphs.nth(times - 1).waitFor();
  }

  /** Waits until the bot has said these words to the end. */
  async waitUntilSaid(words: string): Promise<void> {
    const isSaid = (expected: string) => {
      const last = [...document.querySelectorAll('.transcript .bot')].at(-1);
      const unspoken = [...(last?.querySelectorAll('.unspoken') ?? [])].at(-1)?.textContent?.trim();
      return last?.textContent?.includes(expected) === true && unspoken === '';
    };
    await this.page.waitForFunction(isSaid, words);
    await this.waitForSpeaking(false);
  }

  /** Where the middle of the picture of the bot is, in pixels. */
  async orb(): Promise<string> {
    const { x = 0, y = 0, width = 0, height = 0 } = (await this.page.locator('.orb').boundingBox()) ?? {};
    return `${Math.round(x + width / 2)}, ${Math.round(y + height / 2)}`;
  }

  async problem(timeout = PATIENCE_MS): Promise<string> {
    const alert = this.page.locator('[role=alert] .problem');
    await alert.waitFor({ timeout: patient(timeout) });
    return (await alert.innerText()).trim();
  }

  async call(): Promise<void> {
    await this.noteVoice();
    await this.press('Start talking');
    await this.waitForStatus('Connected');
  }

  /** Ends the call, which turns the microphone and the camera off. */
  async hangUp(): Promise<void> {
    await this.press('Hang up');
    await this.waitForStatus('Not connected');
    await this.expectDevicesOff();
  }

  /** From now on, `waitUntilSpoken` waits for what the bot says next. */
  async noteVoice(): Promise<void> {
    this.before = await this.page.evaluate(() => ({ spoken: window.notes.spoken, loud: window.notes.loud }));
  }

  /** Waits until the bot has spoken, in a voice that moved the page, and is silent. It may be so already. */
  async waitUntilSpoken(): Promise<void> {
    const hasSpoken = ([before, isMeasured]: [Voice, boolean]) => {
      const { spoken, loud } = window.notes;
      return spoken > before.spoken && (loud > before.loud || !isMeasured);
    };
    await this.page.waitForFunction(hasSpoken, [this.before, this.measuresSound] as [Voice, boolean]);
    await this.waitForSpeaking(false);
  }

  waitForSpeaking = (isSpeaking: boolean) =>
    this.page.locator(isSpeaking ? SPEAKING : `.app:not(${SPEAKING})`).waitFor();

  /**
   * Waits until this voice moves its part of the page, or until it rests. Nothing moves in a browser that can't measure
   * sound, such as Firefox on a machine without a sound card.
   */
  async waitForLevel(voice: 'bot' | 'person', isLoud: boolean): Promise<void> {
    if (!this.measuresSound) return;
    const isSo = ([name, loud]: [string, boolean]) => {
      const call = document.querySelector<HTMLElement>('.call');
      return Number(call?.style.getPropertyValue(`--${name}`)) > 0.05 === loud;
    };
    await this.page.waitForFunction(isSo, [voice, isLoud] as [string, boolean]);
  }

  /** Waits until the bot hasn't been heard for half a second, and returns when its sound ended, like `Date.now()`. */
  async waitForSilence(): Promise<number> {
    const findEnd = (heard: { at: number }) => {
      const call = document.querySelector<HTMLElement>('.call');
      if (Number(call?.style.getPropertyValue('--bot')) > 0.05) heard.at = Date.now();
      return Date.now() - heard.at > 500 && heard.at;
    };
    const heard = await this.page.evaluateHandle(() => ({ at: Date.now() }));
    return (await this.page.waitForFunction(findEnd, heard)).jsonValue() as Promise<number>;
  }

  /** Selects another transport, and waits until it's loaded. */
  async choose(transport: string): Promise<void> {
    await this.withSettings(settings => settings.getByLabel('Connection').selectOption(transport));
    const picker = this.page.locator('.settings label', { hasText: 'Connection' });
    await picker.locator('select:enabled').waitFor({ state: 'attached' });
    await this.button('Start talking').waitFor();
  }

  /** Waits until this many of the page's connections listen for device changes. */
  async waitForDeviceListeners(count: number): Promise<void> {
    const isSo = (expected: number) => window.notes.deviceListeners === expected;
    await this.page.waitForFunction(isSo, count);
  }

  /** The energy of the sound that was received through the latest connection. */
  heard = (): Promise<number> =>
    this.page.evaluate(async () => {
      const reports = [...((await window.notes.peers.at(-1)?.getStats())?.values() ?? [])];
      return reports.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')?.totalAudioEnergy ?? 0;
    });

  /** Waits until a video plays, and returns its size. */
  async pictureSize(which: 'picture' | 'self'): Promise<string> {
    const video = this.page.locator(`video.${which}`);
    await video.waitFor();
    return video.evaluate(async (element: HTMLVideoElement) => {
      while (element.videoWidth === 0 || element.currentTime === 0) await new Promise(requestAnimationFrame);
      return `${element.videoWidth}x${element.videoHeight}`;
    });
  }

  isPlaying = (): Promise<boolean> =>
    this.page.evaluate(() => {
      const audio = document.querySelector('audio');
      return Boolean(audio?.srcObject && !audio.paused && audio.currentTime > 0);
    });

  /** Checks that the microphone and the camera are off: all tracks have ended. */
  async expectDevicesOff(): Promise<void> {
    const states = () => this.page.evaluate(() => window.notes.tracks.map(track => track.readyState));
    const end = Date.now() + 2000;
    while ((await states()).includes('live') && Date.now() < end) await this.page.waitForTimeout(50);
    expect(!(await states()).includes('live'), 'the microphone is still on');
  }

  /** Removes the microphone, as if unplugged. */
  unplugMicrophone = (): Promise<void> =>
    this.page.evaluate(() => {
      const track = window.notes.tracks.find(({ kind, readyState }) => kind === 'audio' && readyState === 'live');
      track?.stop();
      track?.dispatchEvent(new Event('ended'));
    });

  /** Selects the second microphone in the list, and waits until it's open. */
  async takeOtherMicrophone(): Promise<void> {
    await this.withSettings(settings => settings.getByLabel('Microphone').selectOption({ index: 1 }));
    await this.page.waitForFunction(() => window.notes.tracks.some(({ readyState }) => readyState === 'live'));
  }

  async scripts(): Promise<string[]> {
    const urls = await this.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const scripts = [...new Set(urls)].filter(url => new URL(url).pathname.endsWith('.js'));
    return Promise.all(scripts.map(async url => (await fetch(url)).text()));
  }

  /** Checks that there were no requests to other machines and no errors in the page. */
  async expectClean(): Promise<void> {
    expect(this.faults.length === 0, 'the page has errors', this.faults.join('\n'));
    const asked = await this.page.evaluate(() => window.notes.iceServers);
    expect(asked === 0, `${asked} servers would be asked for this machine's address`);
  }

  /** Looks at a state of the page in windows of each size, light and dark. */
  look = async (state: string): Promise<void> => {
    this.signs.push(await lookAt(this.page, `${this.name}-${state}`));
  };
}
