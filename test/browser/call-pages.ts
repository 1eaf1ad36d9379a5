import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCall } from '../../src/calls/call.ts';
import { pageOf } from '../../src/calls/page.ts';
import { expect } from '../bots/expect.ts';
import type { Report } from '../bots/report.ts';
import { ROOT } from '../bots/workshop.ts';
import { withBrowser } from './browsers.ts';
import { WORKSHOP } from './clients.ts';
import { lookAt } from './look.ts';

const RECORDED = join(ROOT, 'test/calls/recorded');

/** Checks the page that `botcli calls open` shows, of each kind of call: everyone can use it, and it asks for nothing. */
export async function checkCallPages(report: Report): Promise<void> {
  await mkdir(WORKSHOP, { recursive: true });
  await withBrowser('chromium', {}, async browser => {
    for (const file of await readdir(RECORDED)) {
      const name = basename(file, '.jsonl');
      await report.check('calls', `shows a call: ${name}`, async () => {
        const call = readCall(name, await readFile(join(RECORDED, file), 'utf8'));
        if (!call) throw new Error('not a call');
        const path = join(WORKSHOP, `call-${name}.html`);
        await writeFile(path, pageOf(call, [], undefined));
        const page = await browser.newPage();
        const asked: string[] = [];
        page.on('request', request => asked.push(request.url()));
        await page.goto(pathToFileURL(path).href);
        await lookAt(page, `call-${name}`);
        await page.close();
        expect(asked.length === 1, 'it asks for more', asked.join('\n'));
        return `${call.turns.length} turns`;
      });
    }
  });
}
