import { shellPath } from '../config/command.ts';
import { ONE_KEY_BOT } from '../config/quickstart.ts';
import type { FileAction, GenerationReport } from '../generation/index.ts';
import { namespaceOf, PACKAGE } from '../package-root.ts';
import { printable } from '../printable.ts';
import { GETTING_STARTED } from '../project/guides.ts';
import { type NextTerminal, nextCommands, nextLines, nextSteps } from '../project/next-steps.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Intent } from './intent.ts';
import { olderGuides } from './older-guides.ts';

/** What the user asked for, and the result. */
export interface Outcome {
  intent: Intent;
  report: GenerationReport;
  /** Whether the user answered questions, and saw the command that needs none. */
  isAsked: boolean;
  json: boolean;
}

/** Reports what a run did, and what to do next. */
export function reportRun({ intent, report, isAsked, json }: Outcome, terminal: Terminal): void {
  const outdated = outdatedGuides(report);
  const program = programIn(terminal.env);
  const refreshBy = (command: string) => `${command} init ${shellPath(intent.directory)} --overwrite-guide`;
  if (json) {
    const more = outdated.length > 0 ? { outdated_guides: outdated, refresh_command: refreshBy(program) } : {};
    const next = nextCommands(nextOf(intent, program));
    terminal.printJson({ ...report, ...more, next });
    return;
  }
  terminal.print(summary(intent, report, terminal).join('\n'));
  if (outdated.length > 0) {
    terminal.note(`${outdated.join(', ')}: written by an older botcli. Refresh with: ${refreshBy('botcli')}`);
    terminal.note('That discards your edits, so copy anything you want to keep first.');
  }
  const next = nextOf(intent);
  const { columns, style } = terminal;
  if (next.length > 0) terminal.print(['', ...nextLines(next, { columns, dim: style.dim })].join('\n'));
  const isNamed =
    outdated.length > 0 ||
    (isAsked && intent.kind === 'project' && intent.namespace === namespaceOf('app')) ||
    nextCommands(next).some(isOurs);
  if (isNamed && program !== 'botcli') terminal.print(`\nIn the commands above, replace botcli with ${program}.`);
}

const isOurs = (command: string): boolean => /\bbotcli (?:init|check)\b/.test(command);

/** How the user runs botcli: npx doesn't put it on the PATH. In a clone, the short name is enough for npx. */
function programIn({ npm_command: command, npm_package_name: project }: Terminal['env']): string {
  if (command !== 'exec') return 'botcli';
  return project === PACKAGE ? 'npx botcli' : `npx ${PACKAGE}@latest`;
}

/** The kept guides that an older botcli wrote. */
function outdatedGuides({ directory, files }: GenerationReport): string[] {
  const kept = files.filter(({ action }) => action === 'kept').map(({ path }) => path);
  return olderGuides(directory).filter(name => kept.includes(name));
}

const WORDS: readonly [FileAction, string][] = [
  ['created', 'created'],
  ['updated', 'added to'],
  ['overwritten', 'overwrote'],
  ['kept', 'kept'],
];

function summary({ directory, kind }: Intent, { files }: GenerationReport, { style }: Terminal): string[] {
  const place = style.bold(directory === '.' ? 'this directory' : printable(directory));
  const lines = WORDS.flatMap(([action, word]) => {
    const paths = files.filter(file => file.action === action).map(file => file.path);
    return paths.length === 0 ? [] : paths.map((path, at) => `  ${(at === 0 ? word : '').padEnd(10)}${path}`);
  });
  if (lines.length === 0) return [`Nothing to change in ${place}: every file is up to date.`];
  return [`${style.green('✓')} ${kind === 'project' ? 'Your bot is' : 'The guides are'} in ${place}`, ...lines];
}

function nextOf(intent: Intent, program = 'botcli'): NextTerminal[] {
  const { directory } = intent;
  if (intent.kind === 'project') return nextSteps(intent.config, directory, program);
  if (!intent.gettingStarted) {
    return directory === '.' ? [] : [{ directory, steps: [], note: 'then open your coding agent here' }];
  }
  const example = `${program} init . ${ONE_KEY_BOT}`;
  const read = {
    command: `cat ${GETTING_STARTED}`,
    note: 'then open your coding agent here and tell it what to build',
  };
  return [{ directory, steps: [read, { command: example, note: 'or create a bot yourself' }] }];
}
