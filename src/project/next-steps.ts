import { shellPath } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { breakLines } from '../lines.ts';
import { printable } from '../printable.ts';
import { unique } from '../unique.ts';
import { clientUrlOf } from './client-facts.ts';
import { requiredByCallServer, requiredByServices, requiredByTransports } from './environment.ts';
import { featuresOf } from './features.ts';

/** A command to run next. Its `note` is for people. */
export interface NextStep {
  command: string;
  note?: string;
}

/** What to run in one terminal, which opens in the current directory. */
export interface NextTerminal {
  /** Where to run its commands, as a path for the shell; `.` is the current directory. */
  directory: string;
  steps: readonly NextStep[];
  /** A note about what to do in this directory. */
  note?: string;
}

/**
 * How to start a new project: the terminal of the bot, then the terminals to use while it runs.
 *
 * @param directory The project's path for the shell: `my-bot`, or `.`.
 * @param program How to run botcli.
 */
export function nextSteps(config: ScaffoldConfig, directory: string, program = 'botcli'): NextTerminal[] {
  const { hasCallServer } = featuresOf(config);
  const inside = (folder: string) => (directory === '.' ? folder : `${directory.replace(/\/+$/, '')}/${folder}`);
  const server = inside('server');
  return [
    { directory: server, steps: botSteps(config, program) },
    ...(hasCallServer ? [{ directory: server, steps: [{ command: 'uv run server.py' }] }] : []),
    ...(config.generate_client ? [{ directory: inside('client'), steps: clientSteps(config) }] : []),
    ...(config.enable_eval ? [{ directory: server, steps: evalSteps(config) }] : []),
  ];
}

function botSteps(config: ScaffoldConfig, program: string): NextStep[] {
  const keys = unique([
    ...requiredByServices(config),
    ...requiredByTransports(config),
    ...requiredByCallServer(config),
  ]);
  const talk = featuresOf(config).hasWeb
    ? 'then open http://localhost:7860 and talk'
    : 'then see README.md for how to connect a phone number';
  return [
    { command: 'uv sync' },
    { command: 'cp .env.example .env', ...(keys.length > 0 ? { note: `then fill in ${keys.join(', ')}` } : {}) },
    { command: `${program} check` },
    { command: 'uv run bot.py', ...(config.generate_client ? {} : { note: talk }) },
  ];
}

const clientSteps = (config: ScaffoldConfig): NextStep[] => [
  { command: 'npm install' },
  { command: 'npm run dev', note: `then open ${clientUrlOf(config)} and talk` },
];

function evalSteps({ mode }: ScaffoldConfig): NextStep[] {
  const scenario = mode === 'cascade' ? 'starter_text' : 'starter_audio';
  return [{ command: `uv run python -m pipecat.evals run evals/${scenario}.yaml -v` }];
}

/** How to show the commands. */
interface StepFormat {
  columns?: number;
  dim?: (text: string) => string;
}

const OTHERS = ['second', 'third', 'fourth'];

/** The commands as lines to paste, with a heading for each terminal. Empty if there are no terminals. */
export function nextLines(terminals: readonly NextTerminal[], format: StepFormat = {}): string[] {
  const { columns = 80 } = format;
  return terminals.flatMap((terminal, at) => {
    const heading = at === 0 ? 'Next:' : `In a ${OTHERS[at - 1]} terminal, while the bot runs:`;
    return [...(at === 0 ? [] : ['']), ...breakLines(heading.split(' '), columns), ...terminalLines(terminal, format)];
  });
}

/** A note is a comment below its command: on the same line, some shells would read it as arguments. */
function terminalLines({ directory, steps, note }: NextTerminal, { columns = 80, dim = text => text }: StepFormat) {
  const enter = directory === '.' ? [] : [{ command: `cd ${shellPath(directory)}`, note }];
  return [...enter, ...steps].flatMap(({ command, note: about }) => [
    `  ${printable(command)}`,
    ...(about ? breakLines(about.split(' '), columns, '  # ').map(dim) : []),
  ]);
}

/** The commands for a program: each runs on its own, from the current directory. */
export function nextCommands(terminals: readonly NextTerminal[]): string[] {
  return terminals.flatMap(({ directory, steps }) => {
    if (directory === '.') return steps.map(({ command }) => command);
    const enter = `cd ${shellPath(directory)}`;
    return steps.length === 0 ? [enter] : steps.map(({ command }) => `${enter} && ${command}`);
  });
}
