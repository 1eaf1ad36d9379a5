import { printable } from '../printable.ts';
import { shellPath } from './command.ts';
import type { ScaffoldConfig } from './config.ts';
import { requiredByCallServer, requiredByServices, requiredByTransports, unique } from './environment.ts';
import { featuresOf } from './features.ts';

/** A command to run next. What stands in `note` is for a person. */
export interface NextStep {
  command: string;
  note?: string;
}

/**
 * What makes a fresh project talk, in commands to paste.
 *
 * @param directory The project as the shell is to find it: `my-bot`, or `.`.
 */
export function nextSteps(config: ScaffoldConfig, directory: string): NextStep[] {
  const keys = unique([
    ...requiredByServices(config),
    ...requiredByTransports(config),
    ...requiredByCallServer(config),
  ]);
  const { hasWeb, hasCallServer } = featuresOf(config);
  const howToTalk = hasWeb
    ? 'then open http://localhost:7860 and talk'
    : 'then see README.md: how a phone and the bot find each other';
  const evals = config.mode === 'cascade' ? 'starter_text' : 'starter_audio';
  return [
    { command: `cd ${shellPath(directory === '.' ? 'server' : `${directory}/server`)}` },
    { command: 'uv sync' },
    { command: 'cp .env.example .env', ...(keys.length > 0 ? { note: `then fill in ${keys.join(', ')}` } : {}) },
    { command: 'uv run bot.py', note: howToTalk },
    ...(hasCallServer ? [{ command: 'uv run server.py', note: 'in a second terminal, while the bot runs' }] : []),
    ...(config.enable_eval
      ? [
          {
            command: `uv run pipecat eval run evals/${evals}.yaml -v`,
            note: `in ${hasCallServer ? 'another' : 'a second'} terminal, while the bot runs`,
          },
        ]
      : []),
  ];
}

/** How the commands are shown. */
export interface StepFormat {
  columns?: number;
  dim?: (text: string) => string;
}

/** The commands as lines to paste. A note is a comment below: behind the command, some shells would take it for words. */
export function stepLines(steps: readonly NextStep[], { columns = 80, dim = text => text }: StepFormat = {}): string[] {
  return steps.flatMap(({ command, note = '' }) => [
    `  ${printable(command)}`,
    ...breakLines(note, columns - '  # '.length).map(line => dim(`  # ${line}`)),
  ]);
}

function breakLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
