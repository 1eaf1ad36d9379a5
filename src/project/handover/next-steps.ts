import { sep } from 'node:path';
import { isPublished } from '../../about.ts';
import { callSetups } from '../../catalog/call-setup.ts';
import { findTransport } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { type Environment, shellCommand, shellPath } from '../../shells.ts';
import { breakLines, isCopyable, onOneLine, printable } from '../../text.ts';
import { VERSION } from '../../version.ts';
import { clientUrlOf, usualPorts } from '../client.ts';
import { featuresOf } from '../features.ts';
import { chosenServices, requiredBy } from '../variables.ts';

/** A command to run next. The comments are for people. */
interface NextStep {
  command: string;
  before?: string;
  /** What to do after it. */
  note?: string;
  /** The text that it prints once it's ready, for a command that keeps running. */
  ready_when?: string;
  /** The README's sections about connecting phones to it. */
  sections?: readonly string[];
}

/** What a project's workflow lacks, as words after its path; undefined if nothing. */
export const lackOfWorkflow = ({ ci, enable_eval, deploy_to_cloud }: ScaffoldConfig): string | undefined =>
  ci !== null && (enable_eval || deploy_to_cloud) && !isPublished(VERSION)
    ? "needs a step that installs botcli, because this botcli isn't a release"
    : undefined;

/** What to run in one terminal, which opens in the current directory. */
interface NextTerminal {
  /** Where to run its commands, as a path for the shell; `.` is the current directory. */
  directory: string;
  steps: readonly NextStep[];
  note?: string;
}

/** A directory without the slashes that Tab completion adds, which on Windows are backslashes. */
const withoutEnd = (directory: string): string => directory.replace(sep === '\\' ? /[\\/]+$/ : /\/+$/, '');

/**
 * How to start a new project: the terminal of the bot, then the terminals to use while it runs.
 *
 * @param directory The project's path for the shell: `my-bot`, or `.`.
 * @param env Its `.env`: whether there is one, and which required variables have no value in it.
 * @param program How to run botcli.
 * @param manager The program that installs the client's packages.
 */
export function nextSteps(
  config: ScaffoldConfig,
  directory: string,
  env: { exists: boolean; empty: readonly string[] },
  program: string,
  manager: string,
): NextTerminal[] {
  const { hasCallServer, takesText } = featuresOf(config);
  const inside = (folder: string) => (directory === '.' ? folder : `${withoutEnd(directory)}/${folder}`);
  const server = inside('server');
  const evals = { command: `uv run pipecat eval run evals/${takesText ? 'starter_text' : 'starter_audio'}.yaml -v` };
  return [
    { directory: server, steps: botSteps(config, env, program) },
    ...(hasCallServer
      ? [{ directory: server, steps: [{ command: 'uv run server.py', ready_when: 'Uvicorn running' }] }]
      : []),
    ...(config.generate_client ? [{ directory: inside('client'), steps: clientSteps(config, manager) }] : []),
    ...(config.enable_eval ? [{ directory: server, steps: [evals] }] : []),
  ];
}

/** The one command that does all of that, for people. Only models on this computer come before it. */
export function devSteps(config: ScaffoldConfig, directory: string, program: string): NextTerminal[] {
  const asks = requiredBy(config).project.length > 0 ? ', asks for missing keys,' : '';
  const note = `it installs packages${asks} and says where to talk`;
  const before = modelCommands(config).length > 0 && 'get the models first: see "Models on this computer" in README.md';
  return [{ directory, steps: [{ command: `${program} dev`, ...(before && { before }), note }] }];
}

/** The models that run on this computer. */
export const localModelsOf = (config: ScaffoldConfig) =>
  chosenServices(config).flatMap(({ row: { label, local } }) =>
    local ? [{ ...local, label: label.replace(/ on this machine$/, '') }] : [],
  );

/** The commands, in `server/`, that download them. */
export function modelCommands(config: ScaffoldConfig): string[] {
  const { hasLocalModels, loadsModels } = featuresOf(config);
  if (!hasLocalModels) return [];
  const pulls = localModelsOf(config).flatMap(({ pull }) => pull ?? []);
  return [...pulls, ...(loadsModels ? ['uv run download_models.py'] : [])];
}

function botSteps(
  config: ScaffoldConfig,
  { exists, empty }: Parameters<typeof nextSteps>[2],
  program: string,
): NextStep[] {
  const fill = empty.length > 0 ? `fill in ${empty.join(', ')}` : '';
  const { hasWeb, hasPhone, placesCalls } = featuresOf(config);
  const call = `see README.md for how to ${placesCalls ? 'place a call' : 'connect a phone number'}`;
  const page = `http://localhost:${usualPorts(config).bot}`;
  const talk = hasWeb ? `then open ${page} and talk${hasPhone ? `, or ${call}` : ''}` : `then ${call}`;
  return [
    { command: 'uv sync' },
    // Copying the example would replace keys that are there already.
    ...(exists ? [] : [{ command: 'cp .env.example .env', ...(fill && { note: `then ${fill}` }) }]),
    ...modelCommands(config).map(command => ({ command })),
    { command: `${program} check`, ...(exists && fill && { before: `${fill} in .env first` }) },
    {
      ...(config.generate_client ? {} : { note: talk }),
      ...BOT_STEP,
      sections: config.transports.flatMap(id => (callSetups[id] ? [findTransport(id).label] : [])),
    },
  ];
}

/** The framework's runner prints that once a bot is up. */
export const BOT_STEP = { command: 'uv run bot.py', ready_when: 'Bot ready!' };

/** Installs and starts the web client, while the bot runs. */
export const clientSteps = (config: ScaffoldConfig, manager: string): NextStep[] => [
  { command: `${manager} install` },
  {
    command: `${manager} run dev`,
    note: `then open ${clientUrlOf(config)} and talk`,
    ready_when: featuresOf(config).isNext ? 'Ready in' : 'ready in',
  },
];

/** How to show the commands. */
interface StepFormat {
  columns?: number;
  dim?: (text: string) => string;
  env?: Environment;
}

/** The commands as lines to paste, with a heading for each terminal. Empty if there are no terminals. */
export function nextLines(terminals: readonly NextTerminal[], format: StepFormat = {}): string[] {
  return terminals.flatMap((terminal, at) => {
    const heading = at === 0 ? 'Next:' : 'In a second terminal, while the bot runs:';
    const lines = breakLines(heading.split(' '), format.columns ?? 80);
    return [...(at === 0 ? [] : ['']), ...lines, ...terminalLines(terminal, format)];
  });
}

/** A comment has its own line: on the line of the command, some shells would read it as arguments. */
function terminalLines(
  { directory, steps, note }: NextTerminal,
  { columns = 80, dim = text => text, env }: StepFormat,
) {
  const comment = (text?: string) => (text ? breakLines(text.split(' '), columns, '  # ').map(dim) : []);
  const linesOf = ({ command, before, note: after }: NextStep) => [
    ...comment(before),
    `  ${printable(shellCommand(command, env))}`,
    ...comment(after),
  ];
  const commands = steps.flatMap(linesOf);
  if (directory === '.') return commands;
  if (isCopyable(directory)) {
    return [...linesOf({ command: `cd ${shellPath(directory, env)}`, ...(note && { note }) }), ...commands];
  }
  return [...comment(`in the directory ${onOneLine(directory)}:`), ...comment(note), ...commands];
}

/** The steps for a program: each is a command of its own, with the anchors of sections in the README at `readme`. */
export const listSteps = (terminals: readonly NextTerminal[], readme: string, env?: Environment) =>
  terminals.flatMap(({ directory, steps }) =>
    steps.map(({ command, sections = [], ...step }) => ({
      directory,
      command: shellCommand(command, env),
      ...step,
      ...(sections.length > 0 && { see: sections.map(section => `${readme}#${anchorOf(section)}`) }),
    })),
  );

/** The anchor of a Markdown heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');
