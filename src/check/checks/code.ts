import { PYPROJECT } from '../../existing/pyproject.ts';
import { BOT, LIMITS } from '../../existing/python/files.ts';
import { findMarkers } from '../../formats/markers.ts';
import { onOneLine } from '../../text.ts';
import { type Facts, inDirectory, type Refusal } from './facts.ts';
import type { Check } from './finding.ts';

/** Whether the code could be read, and Python accepts it. */
export const codeChecks: readonly Check<Facts>[] = [
  {
    code: 'file-unreadable',
    find: ({ unread, place }, level) =>
      [...unread]
        .filter(([path, why]) => (level === 'error') === (path === BOT || !LIMITS.includes(why)))
        .map(([path, why]) => ({
          message: `${place(path)} ${why}`,
          hint: "botcli doesn't know what this code needs.",
        })),
  },
  {
    code: 'syntax',
    level: 'error',
    find: ({ pyproject: { brokenAt }, place }) =>
      brokenAt !== undefined && { message: `${place(PYPROJECT)}, line ${brokenAt}: this isn't valid TOML`, hint: FIX },
  },
  {
    code: 'syntax',
    find: ({ refused, requirements: { started }, texts, place }, level) =>
      [...refused]
        // The markers of a conflict are a finding of their own.
        .filter(([path]) => (level === 'error') === started.has(path) && !hasMarkers(texts.get(path)))
        .map(([path, refusal]) => ({ message: refusalIn(place(path), refusal), hint: SEE_MORE })),
  },
  {
    code: 'names-going',
    level: 'warning',
    find: ({ going: { length }, place }) =>
      length > 0 && {
        message: `${length === 1 ? 'One name' : `${length} names`} in your code will go in Pipecat 2.0`,
        hint: 'This shows where, and what to write instead.',
        fix: { command: inDirectory('botcli update --framework --dry-run', place('')) },
      },
  },
  {
    code: 'bot-function-missing',
    level: 'error',
    find: ({ requirements: { lacksBot, unparsed }, place }) =>
      lacksBot &&
      !unparsed.includes(BOT) && {
        message: `${place(BOT)} defines no bot, the function that the framework starts for each session`,
        hint: 'Name it like this: async def bot(runner_args: RunnerArguments) -> None',
      },
  },
];

/** Says why Python can't compile a file: `server/bot.py, line 3: invalid syntax`. */
export const refusalIn = (name: string, { line, why }: Refusal): string =>
  `${name}${line === undefined ? '' : `, line ${line}`}: ${onOneLine(why)}`;

const FIX = 'Fix it, or restore it from git.';
const SEE_MORE = `${FIX} In server/, uv run ruff check says more.`;

const hasMarkers = (text = ''): boolean => findMarkers(text.split('\n')).length > 0;

/** Whether what the code imports is there. */
export const packageChecks: readonly Check<Facts>[] = [
  {
    code: 'package-missing',
    level: 'warning',
    find: facts =>
      lacksFramework(facts) && {
        message: `${facts.place(PYPROJECT)} doesn't list pipecat-ai among its dependencies, and the bot needs it`,
        hint: 'Put its line back, such as from git, unless another package brings it.',
      },
  },
  {
    code: 'package-missing',
    level: 'warning',
    find(facts) {
      const { pyproject, requirements, place } = facts;
      const { extras } = pyproject;
      const known = extras?.get('pipecat-ai');
      if (!extras || extras.size === 0 || lacksFramework(facts)) return undefined;
      const lacking = [...requirements.extras].filter(([extra]) => !known?.includes(extra));
      return lacking.map(([extra, { className }]) => ({
        message: `${className} needs pipecat-ai[${extra}], and ${place(PYPROJECT)} doesn't list that extra`,
        hint: 'Add it, unless its packages are listed themselves.',
      }));
    },
  },
];

/** Whether the framework isn't required, and nothing else is that may bring it along. */
const lacksFramework = ({ pyproject: { extras, isUsual }, requirements: { isFramework } }: Facts): boolean =>
  isUsual === true && extras !== undefined && extras.size > 0 && !extras.has('pipecat-ai') && isFramework;
