import { clientUrlOf } from './client-facts.ts';
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
  const page = config.generate_client ? clientUrlOf(config) : 'http://localhost:7860';
  const talk = hasWeb ? `then open ${page} and talk` : 'then see README.md: how a phone and the bot find each other';
  const evals = config.mode === 'cascade' ? 'starter_text' : 'starter_audio';
  const enter = (folder: string) => `cd ${shellPath(directory === '.' ? folder : `${directory}/${folder}`)}`;
  return [
    { command: enter('server') },
    { command: 'uv sync' },
    { command: 'cp .env.example .env', ...(keys.length > 0 ? { note: `then fill in ${keys.join(', ')}` } : {}) },
    { command: 'uv run bot.py', ...(config.generate_client ? {} : { note: talk }) },
    ...(hasCallServer ? [{ command: 'uv run server.py', note: 'in a second terminal, while the bot runs' }] : []),
    ...(config.enable_eval
      ? [
          {
            command: `uv run pipecat eval run evals/${evals}.yaml -v`,
            note: `in ${hasCallServer ? 'another' : 'a second'} terminal, while the bot runs`,
          },
        ]
      : []),
    ...(config.generate_client
      ? [
          { command: enter('client'), note: 'in another terminal, while the bot runs' },
          { command: 'npm install' },
          { command: 'npm run dev', note: talk },
        ]
      : []),
  ];
}
