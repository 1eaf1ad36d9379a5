import { DEBUG, defineCommand } from '../shell/command-line.ts';
import { startDev } from './start.ts';

/** The command `botcli dev`. */
export const dev = defineCommand({
  description:
    'It checks the project, asks for missing keys, installs packages, and starts the bot and its web client. Then it says ' +
    'where to talk, and restarts the bot when you save a file. Ctrl-C stops everything.',
  arguments: [
    { name: 'directory', isPath: true, help: "The project's directory, or one in it (default: the current one)" },
  ],
  options: [
    {
      flag: 'transport',
      short: 't',
      kind: 'text',
      placeholder: 'id',
      help: "Start the bot for this one of the project's transports only",
    },
    { flag: 'tunnel', kind: 'switch', help: 'Open a tunnel with cloudflared or ngrok, so that phones reach the bot' },
    { flag: 'host', kind: 'text', placeholder: 'hostname', help: 'Public hostname of your own tunnel to the bot' },
    { flag: 'port', kind: 'text', placeholder: 'number', help: "The bot's port (default: 7860, or the next free one)" },
    { flag: 'open', kind: 'boolean', help: 'Open the page in your browser (default: in a terminal on a desktop)' },
    { flag: 'restart', kind: 'boolean', help: 'Restart the bot when you save a file (default: yes)' },
    { flag: 'json', kind: 'switch', help: 'Print what happens as JSON, one object a line, and ask nothing' },
    DEBUG,
  ],
  examples: [
    { line: 'botcli dev', description: 'start the bot of this directory, and talk to it' },
    { line: 'botcli dev my-bot --no-open', description: 'the same for another directory, without opening a browser' },
    { line: 'botcli dev --tunnel', description: 'make it reachable by phone' },
  ],
  run: ({ positionals: { directory = '.' }, options }, terminal) => startDev(directory, options, terminal),
});
