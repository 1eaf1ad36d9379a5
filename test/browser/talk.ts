/** Holds one conversation, in a separate process so that it can run offline: `talk.ts CLIENT CONVERSATION BOT`. */
import { join } from 'node:path';
import { withBot } from '../bots/running-bot.ts';
import { withChromium } from './chromium.ts';
import { ClientPage } from './client-page.ts';
import { CLIENTS, WORKSHOP, withServer } from './clients.ts';
import { fail } from './fail.ts';
import { lose } from './lose.ts';
import { recordPerson } from './recording.ts';
import { see } from './see.ts';
import { speak } from './speak.ts';

const CONVERSATIONS: Record<string, typeof speak> = { speak, fail, lose, see };

const [, , name, what = '', bot = ''] = process.argv;
const client = CLIENTS.find(one => one.name === name);
const converse = CONVERSATIONS[what];
if (!client || !converse) throw new Error(`no such conversation: ${name} ${what}`);
const recording = await recordPerson();
const project = { name: `browser-${name}-${what}`, server: join(WORKSHOP, bot, 'server') };
const seen = await withBot(project, running =>
  withServer(client, { how: 'built', botUrl: running.url }, url =>
    withChromium({ recording }, async browser => converse(await ClientPage.open(browser, url, client.name), running)),
  ),
);
console.log(seen);
