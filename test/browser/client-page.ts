/// <reference lib="dom" />
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from '../bots/expect.ts';
import { WORKSHOP } from './clients.ts';

/** What the page notes about itself, for the test to look at. */
interface Notes {
  tracks: MediaStreamTrack[];
  peers: RTCPeerConnection[];
  iceServers: number;
  deviceListeners: number;
}

/** Runs in the page, before its own code: notes each microphone track, each connection, and who watches the devices. */
function takeNotes(): void {
  const notes: Notes = { tracks: [], peers: [], iceServers: 0, deviceListeners: 0 };
  Object.assign(window, { notes });
  const { mediaDevices } = navigator;
  // Daily's library has its own listeners.
  const [listen, ignore] = [mediaDevices.addEventListener, mediaDevices.removeEventListener];
  mediaDevices.addEventListener = (...args: Parameters<typeof listen>) => {
    if (args[1] && 'name' in args[1] && args[1].name === 'listDevices') notes.deviceListeners += 1;
    listen.apply(mediaDevices, args);
  };
  mediaDevices.removeEventListener = (...args: Parameters<typeof ignore>) => {
    if (args[1] && 'name' in args[1] && args[1].name === 'listDevices') notes.deviceListeners -= 1;
    ignore.apply(mediaDevices, args);
  };
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async constraints => {
    const stream = await open(constraints);
    notes.tracks.push(...stream.getTracks());
    return stream;
  };
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      notes.peers.push(this);
      notes.iceServers += configuration?.iceServers?.length ?? 0;
    }
  };
}

/** What came from the bot so far, as sound. */
export interface Sound {
  seconds: number;
  energy: number;
}

const PATIENCE_MS = 40_000;

/** Whether an address is on this machine. */
const isOwn = (url: string): boolean => /^((http|ws)s?:\/\/(localhost|127\.0\.0\.1)[:/]|data:|blob:)/.test(url);

/** The page of a generated client in a browser, as a person uses it. */
export class ClientPage {
  /** Requests to other machines, errors of the page and of its console: there should be none. */
  readonly faults: string[] = [];
  readonly page: Page;
  private readonly name: string;

  static async open(browser: Browser, url: string, name: string): Promise<ClientPage> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 760 } });
    const page = await context.newPage();
    const client = new ClientPage(page, name);
    await page.addInitScript(takeNotes);
    // Only this machine answers any request of the page.
    await page.route(
      target => !isOwn(target.href),
      route => route.abort(),
    );
    await page.goto(url);
    await client.button('Connect').waitFor();
    return client;
  }

  private constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
    page.setDefaultTimeout(PATIENCE_MS);
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

  /** Waits until the page says that the call is in this state. */
  async waitForStatus(text: string, timeout = PATIENCE_MS): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: text }).waitFor({ timeout });
  }

  /** Waits until one side's words are in the transcript, so many times. */
  async waitForWords(side: 'person' | 'bot', words: string, times = 1): Promise<void> {
    const paragraphs = this.page.locator(`.transcript .${side}`).filter({ hasText: words });
    await paragraphs.nth(times - 1).waitFor();
  }

  /** Waits for the error message on the page, and returns it. */
  async problem(timeout = PATIENCE_MS): Promise<string> {
    const alert = this.page.locator('[role=alert] .problem');
    await alert.waitFor({ timeout });
    return (await alert.innerText()).replace(/\s*×\s*$/, '').trim();
  }

  waitForSpeaking = (isSpeaking: boolean) =>
    this.page.locator(`.orb[data-speaking="${isSpeaking}"]`).waitFor({ state: 'attached' });

  /** Chooses another transport, and waits until it's loaded. */
  async choose(transport: string): Promise<void> {
    await this.page.getByLabel('Connection').selectOption(transport);
    await this.button('Connect').waitFor();
  }

  /** Waits until so many of the page's connections watch the devices. */
  async waitForDeviceListeners(count: number): Promise<void> {
    const isSo = (expected: number) => (window as unknown as { notes: Notes }).notes.deviceListeners === expected;
    await this.page.waitForFunction(isSo, count, { timeout: 10_000 });
  }

  /** The sound that came through the latest connection. */
  heard = (): Promise<Sound> =>
    this.page.evaluate(async () => {
      const { peers } = (window as unknown as { notes: Notes }).notes;
      const sound = { seconds: 0, energy: 0 };
      for (const report of (await peers.at(-1)?.getStats())?.values() ?? []) {
        if (report.type !== 'inbound-rtp' || report.kind !== 'audio') continue;
        sound.seconds = report.totalSamplesDuration;
        sound.energy = report.totalAudioEnergy;
      }
      return sound;
    });

  /** Waits for a picture to move, and gives its size. */
  async pictureSize(which: 'picture' | 'self'): Promise<string> {
    const video = this.page.locator(`video.${which}`);
    await video.waitFor();
    return video.evaluate(async (element: HTMLVideoElement) => {
      while (element.videoWidth === 0 || element.currentTime === 0) await new Promise(requestAnimationFrame);
      return `${element.videoWidth}x${element.videoHeight}`;
    });
  }

  /** Whether the element that plays the bot's voice does so. */
  isPlaying = (): Promise<boolean> =>
    this.page.evaluate(() => {
      const audio = document.querySelector('audio');
      return Boolean(audio?.srcObject && !audio.paused && audio.currentTime > 0);
    });

  /** The microphone and the camera are off: every track that was opened has ended. */
  async expectDevicesOff(): Promise<void> {
    const states = () =>
      this.page.evaluate(() => (window as unknown as { notes: Notes }).notes.tracks.map(track => track.readyState));
    const end = Date.now() + 2000;
    while ((await states()).includes('live') && Date.now() < end) await this.page.waitForTimeout(50);
    expect(!(await states()).includes('live'), 'the microphone is still on');
  }

  /** Takes the microphone away, as unplugging it does. */
  unplugMicrophone = (): Promise<void> =>
    this.page.evaluate(() => {
      const { tracks } = (window as unknown as { notes: Notes }).notes;
      const track = tracks.find(({ kind, readyState }) => kind === 'audio' && readyState === 'live');
      track?.stop();
      track?.dispatchEvent(new Event('ended'));
    });

  /** Chooses the second microphone of the list, and waits until it's open. */
  async takeOtherMicrophone(): Promise<void> {
    await this.page.getByLabel('Microphone').selectOption({ index: 1 });
    await this.page.waitForFunction(() =>
      (window as unknown as { notes: Notes }).notes.tracks.some(({ readyState }) => readyState === 'live'),
    );
  }

  /** Nothing went to another machine, and nothing went wrong in the page. */
  async expectClean(): Promise<void> {
    expect(this.faults.length === 0, 'faults of the page', this.faults.join('\n'));
    const asked = await this.page.evaluate(() => (window as unknown as { notes: Notes }).notes.iceServers);
    expect(asked === 0, `${asked} servers were to be asked for this machine's address`);
  }

  /** Keeps what the page looks like. */
  async takePicture(about: string, look: { dark?: boolean; narrow?: boolean } = {}): Promise<void> {
    const directory = join(WORKSHOP, 'screenshots');
    await mkdir(directory, { recursive: true });
    const before = this.page.viewportSize();
    await this.page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light' });
    if (look.narrow) await this.page.setViewportSize({ width: 390, height: 844 });
    const kind = [about, look.dark ? 'dark' : 'light', look.narrow ? 'narrow' : 'wide'].join('-');
    await this.page.screenshot({ path: join(directory, `${this.name}-${kind}.png`) });
    if (before) await this.page.setViewportSize(before);
    await this.page.emulateMedia({ colorScheme: 'light' });
  }
}
