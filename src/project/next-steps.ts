import { shellPath } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { breakLines } from '../lines.ts';
import { printable } from '../printable.ts';
import { unique } from '../unique.ts';
import { clientUrlOf } from './client-facts.ts';
import { requiredByCallServer, requiredByServices, requiredByTransports } from './environment.ts';
import { featuresOf } from './features.ts';

/** A command to run next. What stands in `note` is for a person. */
export interface NextStep {
  command: string;
  note?: string;
}

/** What to run in one terminal, which opens where the person is now. */
export interface NextTerminal {
  /** Where its commands are run, as the shell is to find it; `.` is where the person is. */
  directory: string;
  steps: readonly NextStep[];
  /** What is said once the person is there. */
  note?: string;
}

/**
 * What makes a fresh project talk: the terminal of the bot, then those that are for while it runs.
 *
 * @param directory The project as the shell is to find it: `my-bot`, or `.`.
 */
export function nextSteps(config: ScaffoldConfig, directory: string): NextTerminal[] {
  const { hasCallServer } = featuresOf(config);
  const inside = (folder: string) => (directory === '.' ? folder : `${directory.replace(/\/+$/, '')}/${folder}`);
  const server = inside('server');
  return [
    { directory: server, steps: botSteps(config) },
    ...(hasCallServer ? [{ directory: server, steps: [{ command: 'uv run server.py' }] }] : []),
    ...(config.generate_client ? [{ directory: inside('client'), steps: clientSteps(config) }] : []),
    ...(config.enable_eval ? [{ directory: server, steps: evalSteps(config) }] : []),
  ];
}

function botSteps(config: ScaffoldConfig): NextStep[] {
  const keys = unique([
    ...requiredByServices(config),
    ...requiredByTransports(config),
    ...requiredByCallServer(config),
  ]);
  const talk = featuresOf(config).hasWeb
    ? 'then open http://localhost:7860 and talk'
    : 'then see README.md: how a phone and the bot find each other';
  return [
    { command: 'uv sync' },
    { command: 'cp .env.example .env', ...(keys.length > 0 ? { note: `then fill in ${keys.join(', ')}` } : {}) },
    { command: 'uv run bot.py', ...(config.generate_client ? {} : { note: talk }) },
  ];
}

const clientSteps = (config: ScaffoldConfig): NextStep[] => [
  { command: 'npm install' },
  { command: 'npm run dev', note: `then open ${clientUrlOf(config)} and talk` },
];

function evalSteps({ mode }: ScaffoldConfig): NextStep[] {
  const scenario = mode === 'cascade' ? 'starter_text' : 'starter_audio';
  return [{ command: `uv run pipecat eval run evals/${scenario}.yaml -v` }];
}

/** How the commands are shown. */
interface StepFormat {
  columns?: number;
  dim?: (text: string) => string;
}

const OTHERS = ['second', 'third', 'fourth'];

/** The commands as lines to paste, terminal by terminal, under their headings; nothing where there are none. */
export function nextLines(terminals: readonly NextTerminal[], format: StepFormat = {}): string[] {
  const { columns = 80 } = format;
  return terminals.flatMap((terminal, at) => {
    const heading = at === 0 ? 'Next:' : `In a ${OTHERS[at - 1]} terminal, while the bot runs:`;
    return [...(at === 0 ? [] : ['']), ...breakLines(heading.split(' '), columns), ...terminalLines(terminal, format)];
  });
}

/** A note is a comment below its command: behind it, some shells would take it for words. */
function terminalLines({ directory, steps, note }: NextTerminal, { columns = 80, dim = text => text }: StepFormat) {
  const enter = directory === '.' ? [] : [{ command: `cd ${shellPath(directory)}`, note }];
  return [...enter, ...steps].flatMap(({ command, note: about }) => [
    `  ${printable(command)}`,
    ...(about ? breakLines(about.split(' '), columns, '  # ').map(dim) : []),
  ]);
}

/** The commands for a program: each runs by itself, from where this one was run. */
export function nextCommands(terminals: readonly NextTerminal[]): string[] {
  return terminals.flatMap(({ directory, steps }) => {
    if (directory === '.') return steps.map(({ command }) => command);
    const enter = `cd ${shellPath(directory)}`;
    return steps.length === 0 ? [enter] : steps.map(({ command }) => `${enter} && ${command}`);
  });
}
