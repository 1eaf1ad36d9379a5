import { readFacts } from '../check/gather.ts';
import { allOf, attempt, type ExitCode, errorFacts, problemsIn, UserError, usageError } from '../errors.ts';
import { DEBUG, defineCommand, type Invocation, type OptionSpec } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { portIn } from '../std.ts';
import { asLine } from '../text.ts';
import { wayOf } from './parts.ts';
import { prepareNumber } from './phone-number.ts';
import { installAll, prepare, tryTyped } from './prepare.ts';
import { findTunnel, runSession } from './session.ts';
import { createReporter, type Stop, untilStopped } from './surroundings.ts';

const OPTIONS = [
  {
    flag: 'transport',
    short: 't',
    kind: 'text',
    placeholder: 'id',
    help: "Start the bot for this one of the project's transports only",
  },
  { flag: 'tunnel', kind: 'switch', help: 'Open a tunnel with cloudflared or ngrok, so that phones reach the bot' },
  { flag: 'host', kind: 'text', placeholder: 'hostname', help: 'Public hostname of your own tunnel to the bot' },
  {
    flag: 'number',
    kind: 'text',
    placeholder: '+number',
    help: 'Point this Twilio number at the bot while it runs, and then put it back',
  },
  { flag: 'skip', kind: 'switch', help: 'With --number: change it without asking' },
  { flag: 'port', kind: 'text', placeholder: 'number', help: "The bot's port (default: 7860, or the next free one)" },
  { flag: 'open', kind: 'boolean', help: 'Open the page in your browser (default: in a terminal on a desktop)' },
  { flag: 'restart', kind: 'boolean', help: 'Restart the bot when you save a file (default: yes)' },
  { flag: 'verbose', kind: 'switch', help: "Show the bot's whole log (default: only if this isn't a terminal)" },
  { flag: 'json', kind: 'switch', help: 'Print what happens as JSON, one object a line, and ask nothing' },
  DEBUG,
] as const satisfies readonly OptionSpec[];

type DevOptions = Invocation<[], typeof OPTIONS>['options'];

export const dev = defineCommand({
  description:
    'It checks the project, asks for missing keys, installs packages, and starts the bot and its web client. Then it says ' +
    'where to talk, and restarts the bot when you save a file. Ctrl-C stops everything.',
  arguments: [
    { name: 'directory', isPath: true, help: "The project's directory, or one in it (default: the current one)" },
  ],
  options: OPTIONS,
  examples: [
    { line: 'botcli dev', description: 'start the bot of this directory, and talk to it' },
    { line: 'botcli dev my-bot --no-open', description: 'the same for another directory, without opening a browser' },
    { line: 'botcli dev --tunnel', description: 'make it reachable by phone' },
    { line: 'botcli dev --tunnel --number +15551234567', description: 'also let a Twilio number reach it' },
  ],
  run: ({ positionals: { directory = '.' }, options }, terminal) => startDev(directory, options, terminal),
  async diagnose({ positionals: { directory = '.' }, options }, terminal) {
    try {
      readLine(directory, options, terminal);
      return [];
    } catch (error) {
      return problemsIn(error);
    }
  },
});

/** Runs `botcli dev`, also for the wizard. `typed` has the names of the keys that were just typed. */
export async function startDev(
  directory: string,
  options: DevOptions,
  terminal: Terminal,
  typed: readonly string[] = [],
): Promise<ExitCode | undefined> {
  let since = Date.now();
  let names = typed;
  /** The time that the user takes to answer doesn't count. */
  const onAnswers = (ms: number, more: readonly string[]) => {
    since += ms;
    names = [...names, ...more];
  };
  const { json = false, verbose = false, restart: restarts = true, open: opens = !json, skip } = options;
  const report = createReporter(terminal, json);
  const work = async ({ files, asks, port, way }: ReturnType<typeof readLine>, stop: Stop) => {
    const surroundings = { stop, report, terminal };
    const { transport } = way;
    const facts = await prepare({ files, json, asks, transport, port, onAnswers }, stop, terminal);
    if (!facts) return 1;
    if (way.tunnel) findTunnel(0, terminal.env, facts.project.root);
    const replaceRefused = tryTyped(asks ? names : [], facts, terminal);
    await installAll(facts, surroundings, facts.project.config.generate_client);
    const asked = Date.now();
    const tried = await replaceRefused();
    const number = await prepareNumber({ facts: tried, way, asks, skip }, surroundings);
    onAnswers(Date.now() - asked, []);
    const plan = { facts: tried, way, asks, port, number, opens, restarts, isQuiet: asks && !verbose, since };
    return runSession(plan, surroundings);
  };
  try {
    const line = readLine(directory, options, terminal);
    return await untilStopped(terminal, stop => work(line, stop), report.say);
  } catch (error) {
    if (!json || !(error instanceof UserError)) throw error;
    // Each object has a line of its own.
    if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
    return error.exitCode;
  } finally {
    terminal.dropUnread();
  }
}

/** What a command line means. Throws everything that is wrong with it: exit code 2. */
function readLine(directory: string, options: DevOptions, terminal: Terminal) {
  const errors: UserError[] = [];
  const files = attempt(() => readFacts(directory, terminal, { command: 'dev' }), errors);
  const way = files && attempt(() => wayOf(files.project.config, options), errors);
  const asks = terminal.interactive && !options.json;
  if (options.number !== undefined && !options.skip && !asks) {
    const hint = 'Pass --skip to change it without asking.';
    const why = "--number asks before it changes the number, and botcli can't ask here";
    errors.push(usageError(why, { reason: 'cannot-ask', hint }));
  }
  const port = portIn(options.port);
  if (options.port !== undefined && port === undefined)
    errors.push(usageError(`--port is "${options.port}". It must be a number from 1 to 65535`));
  if (errors.length > 0 || !files || !way) throw allOf(errors);
  return { files, way, asks, port };
}
