/**
 * `npm run bench:calls` prints how soon callers of a generated phone bot hear it, and what a call costs.
 *
 *   --beside DIR    also call this project's bot, turn about; can be repeated. It needs a `server/` with `.venv`, `.env`
 *                   and `.env.example`
 *   --calls N,N     how many calls at once; default: 1,6,12
 *   --rounds N      how often; default: 5
 *
 * Times vary with the machine and its load, so compare bots only within one run. Nothing is asserted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ABILITIES, GREETING } from '../support/local-ai-answers.ts';
import { makeProject, OPENAI } from './projects.ts';
import { fillVariables, type RunningBot, withBot } from './running-bot.ts';
import { callAtOnce, delaysIn, isDropped } from './talk.ts';
import { runUv, WORKSHOP } from './workshop.ts';

/** When the callers speak and hang up, in seconds from dialing. Calls of equal length make their CPU time comparable. */
const [SPEAK, PATIENCE] = [13, 20];

/** A clock tick of the kernel's CPU times, in seconds. */
const TICK = 0.01;

/** What one round of calls at once came to. */
interface Measured {
  firstSound: number[];
  answer: number[];
  cpu: number;
  megabytes: number;
  dropped: number;
  apologies: number;
}

const { values } = parseArgs({
  options: {
    beside: { type: 'string', multiple: true, default: [] },
    calls: { type: 'string', default: '1,6,12' },
    rounds: { type: 'string', default: '5' },
  },
});
/** The first call of a process, which loads what later calls find loaded, and then so many calls at once. */
const rows = ['first', ...values.calls.split(',')];
const servers: Record<string, string> = { generated: await install() };
for (const directory of values.beside) servers[basename(resolve(directory))] = resolve(directory, 'server');
const results = new Map<string, Measured[]>();
for (let round = 0; round < Number(values.rounds); round++) {
  // What comes first in a round finds a quieter machine, so the order is reversed each time.
  const bots = Object.entries(servers);
  for (const [name, server] of round % 2 === 0 ? bots : bots.reverse())
    await withBot({ name: `load-${name}`, server }, async bot => {
      for (const row of rows) {
        const known = results.get(`${row} ${name}`) ?? [];
        results.set(`${row} ${name}`, [...known, await measure(bot, row === 'first' ? 1 : Number(row))]);
      }
      return '';
    });
}
printTable();

async function install(): Promise<string> {
  const config = { ...OPENAI, transports: ['tel_a'] };
  const server = join(await makeProject({ name: 'load', config }, WORKSHOP), 'server');
  await runUv(['sync'], server);
  await fillVariables(server);
  return server;
}

async function measure(bot: RunningBot, calls: number): Promise<Measured> {
  const [said, before] = [bot.ai.journal.length, usageOf(bot.group)];
  const called = await callAtOnce(bot, calls, { speak: [SPEAK], patience: PATIENCE });
  const after = usageOf(bot.group);
  const delays = called.map(delaysIn);
  const spoken = bot.ai.journal.slice(said).filter(({ path }) => path.endsWith('/speech'));
  return {
    firstSound: delays.flatMap(({ first }) => first ?? []),
    answer: delays.flatMap(({ answer }) => answer ?? []),
    cpu: (after.seconds - before.seconds) / calls,
    megabytes: after.megabytes,
    dropped: called.filter(isDropped).length,
    apologies: spoken.filter(({ text = '' }) => !`${GREETING} ${ABILITIES}`.includes(text)).length,
  };
}

/** The CPU time of a group of processes so far, and the peak of the largest one's memory. */
function usageOf(group: number | undefined): { seconds: number; megabytes: number } {
  const usage = { seconds: 0, megabytes: 0 };
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    // See `man proc_pid_stat`. The fields after the program's name, which may contain spaces, begin with the third.
    const fields = readProcess(pid, 'stat').replace(/.*\) /s, '').split(' ');
    if (Number(fields[2]) !== group) continue;
    usage.seconds += (Number(fields[11]) + Number(fields[12])) * TICK;
    const peak = /VmHWM:\s+(\d+) kB/.exec(readProcess(pid, 'status'))?.[1];
    usage.megabytes = Math.max(usage.megabytes, Number(peak ?? 0) / 1024);
  }
  return usage;
}

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

function printTable(): void {
  const heads = ['first sound', 'slowest', 'answer', 'CPU a call', 'memory', 'dropped', 'apologies'];
  const printRow = (calls: string, bot: string, cells: readonly string[]) =>
    console.log(`${calls.padEnd(7)}${bot.padEnd(14)}${cells.map(cell => cell.padStart(13)).join('')}`);
  printRow('calls', 'bot', heads);
  for (const row of rows) {
    for (const bot of Object.keys(servers)) {
      const rounds = results.get(`${row} ${bot}`) ?? [];
      const middle = (value: (round: Measured) => number) => median(rounds.map(value));
      const sum = (value: (round: Measured) => number) =>
        String(rounds.map(value).reduce((one, other) => one + other, 0));
      printRow(row, bot, [
        `${middle(round => median(round.firstSound)).toFixed(3)} s`,
        `${middle(round => Math.max(...round.firstSound)).toFixed(3)} s`,
        `${middle(round => median(round.answer)).toFixed(3)} s`,
        `${middle(round => round.cpu).toFixed(2)} s`,
        `${middle(round => round.megabytes).toFixed(0)} MB`,
        sum(round => round.dropped),
        sum(round => round.apologies),
      ]);
    }
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
