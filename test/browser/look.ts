/// <reference lib="dom" />
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from '../bots/expect.ts';
import { WORKSHOP } from './clients.ts';

/** Windows of small and large phones, tablets and computers; axe inspects some of them. */
const WINDOWS = [
  { width: 320, height: 568 },
  { width: 360, height: 780, isInspected: true },
  { width: 768, height: 1024, isInspected: true },
  { width: 820, height: 1180 },
  { width: 844, height: 390 },
  { width: 1440, height: 900, isInspected: true },
];
const SCHEMES = ['light', 'dark'] as const;

const SCREENSHOTS = join(WORKSHOP, 'screenshots');

/**
 * Looks at a state of a page in windows of each size, light and dark: fails if anything is covered, scrolls sideways, or
 * can't be used by everyone. Returns the signs of the state in forced colors.
 */
export async function lookAt(page: Page, name: string): Promise<string> {
  const before = page.viewportSize();
  await page.evaluate(axe.source);
  for (const { isInspected, ...size } of WINDOWS) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      if (!(await page.evaluate(isScheme, colorScheme))) continue;
      await page.evaluate(waitForTransitions);
      const faults = [...(await page.evaluate(findCovered)), ...(isInspected ? await page.evaluate(inspect) : [])];
      const where = `${name}, ${size.width}x${size.height}, ${colorScheme}`;
      expect(faults.length === 0, where, faults.join('\n'));
      if (isInspected || colorScheme === 'light') {
        await savePicture(page, `${name}-${size.width}-${colorScheme}`);
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
  return lookForSigns(page, `${name}-forced`);
}

/** Saves a screenshot if somebody wants to see them: they take as long as all checks. */
async function savePicture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Firefox can't emulate a dark scheme. */
const isScheme = (scheme: string): boolean => matchMedia(`(prefers-color-scheme: ${scheme})`).matches;

/** Fails if anything moves although that isn't wanted, or if a sign is invisible in forced colors. */
async function lookForSigns(page: Page, name: string): Promise<string> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return '';
  const moving = await page.evaluate(findMoving);
  expect(moving.length === 0, 'with reduced motion', moving.join('\n'));
  await page.emulateMedia({ forcedColors: 'active' });
  const invisible = await page.evaluate(findInvisible, SIGNS);
  expect(invisible.length === 0, 'in forced colors', invisible.join('\n'));
  await savePicture(page, name);
  const signs = await page.evaluate(readSigns);
  await page.emulateMedia({ forcedColors: 'none' });
  return signs;
}

/** Runs in the page. Finds animations that never end. */
function findMoving(): string[] {
  const endless = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime === Infinity);
  return endless.map(({ effect }) => `${(effect as KeyframeEffect).target?.className || 'a part'} moves`);
}

/** A sign without text: the elements, the part of each, and what gives it its color. */
interface Sign {
  selector: string;
  part?: '::before';
  color: 'backgroundColor' | 'borderTopColor';
}

const SIGNS: Sign[] = [
  { selector: '.icon, dd[class]', color: 'backgroundColor' },
  { selector: '.orb, button, input, select', color: 'borderTopColor' },
  { selector: '.clock', part: '::before', color: 'borderTopColor' },
];

/** Runs in the page. Finds signs that have the color of what is behind them. */
function findInvisible(signs: readonly Sign[]): string[] {
  const faults: string[] = [];
  for (const { selector, part, color } of signs) {
    for (const element of document.querySelectorAll(selector)) {
      if (!element.checkVisibility()) continue;
      let behind = part ? element : element.parentElement;
      while (behind && /^transparent$|, 0\)$/.test(getComputedStyle(behind).backgroundColor))
        behind = behind.parentElement;
      const own = getComputedStyle(element, part)[color];
      if (own === getComputedStyle(behind ?? document.body).backgroundColor)
        faults.push(`${element.className} is ${own}`);
    }
  }
  return faults;
}

/** Runs in the page. Describes the sign of the call, and of the microphone. */
function readSigns(): string {
  const clock = document.querySelector('.clock:not([hidden])');
  const microphone = [...document.querySelectorAll('.microphone')].find(button => button.checkVisibility());
  const dot = clock && getComputedStyle(clock, '::before').backgroundColor;
  return `${dot}, ${microphone && getComputedStyle(microphone).borderTopWidth}`;
}

/** Runs in the page. Colors change over time, and other animations never end. */
async function waitForTransitions(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.all(ending.map(({ finished }) => finished));
}

/** Runs in the page. Finds what scrolls sideways, and buttons that something else covers. */
function findCovered(): string[] {
  const { scrollWidth } = document.documentElement;
  const faults = scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
  // An open panel covers what is below it until it's closed, but not the buttons of the call.
  const reachable = document.querySelector(':popover-open') ? '.controls button' : 'button, input, summary, a';
  for (const button of document.querySelectorAll(reachable)) {
    const { x, y, width, height } = button.getBoundingClientRect();
    const [left, top] = [x + width / 2, y + height / 2];
    if (width === 0 || top < 0 || top > innerHeight) continue;
    const there = document.elementFromPoint(left, top);
    if (!there || !(button.contains(there) || there.contains(button))) {
      faults.push(`${there?.className} covers ${button.ariaLabel ?? button.textContent}`);
    }
  }
  return faults;
}

/** Runs in the page, after axe. */
async function inspect(): Promise<string[]> {
  const tools = window as unknown as { axe: typeof axe };
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await tools.axe.run(document, { runOnly: tags });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(', ')}`);
}
