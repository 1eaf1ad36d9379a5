/** Holds conversations on one page, in a separate process so that it can run offline: `talk.ts CLIENT NAME,NAME BROWSER BOT LOG`. */
import { join } from 'node:path';
import { realtimeAi } from '../bots/conversations/realtime.ts';
import { withBot } from '../bots/running-bot.ts';
import { isBrowser, withBrowser } from './browsers.ts';
import { ClientPage } from './client-page.ts';
import { CLIENTS, WORKSHOP, withServer } from './clients.ts';
import { NOT_BEGUN } from './conversations.ts';
import { recordPerson } from './recording.ts';
import { fail, lose, meet, see, speak, write } from './speak.ts';

const CONVERSATIONS: Record<string, typeof speak> = { speak, meet, fail, lose, see, write };

const [, , name, what = '', browser = 'chromium', bot = '', log = ''] = process.argv;
const client = CLIENTS.find(one => one.name === name);
const conversations = what.split(',').map(one => CONVERSATIONS[one]);
if (!client || !isBrowser(browser) || !conversations.every(one => one !== undefined))
  throw new Error(`no such conversation: ${name} ${what}`);
const recording = await recordPerson(log);
const project = { name: log, server: join(WORKSHOP, bot, 'server'), standIns: what === 'write' ? [realtimeAi] : [] };
/** Until the conversation has begun, nothing depends on time. */
let failed = NOT_BEGUN;
await withBot(project, running =>
  withServer(client, { how: 'built', botUrl: running.url }, url =>
    withBrowser(browser, { recording }, async opened => {
      const isFirefox = browser === 'firefox';
      const label = isFirefox ? `${client.name}-firefox` : client.name;
      const address = what === 'speak' ? `${url}/?developer` : url;
      const page = await ClientPage.open(opened, address, label, isFirefox ? recording : undefined);
      failed = 1;
      const seen: string[] = [];
      for (const converse of conversations) seen.push(await converse(page, running));
      return seen.join('; ');
    }),
  ),
).then(console.log, (error: Error) => {
  console.error(error.message);
  process.exit(failed);
});
