import gt from 'semver/functions/gt.js';
import lt from 'semver/functions/lt.js';
import { npxOf } from '../../about.ts';
import { DEPLOY_FILE } from '../../existing/deploy-file.ts';
import { PYPROJECT } from '../../existing/pyproject.ts';
import { BOT, CALL_SERVER, LIMITS } from '../../existing/python/files.ts';
import { findMarkers } from '../../formats/markers.ts';
import { featuresOf } from '../../project/features.ts';
import { olderGuides } from '../../project/files/files.ts';
import { STATE_FILE } from '../../project/files/state.ts';
import { readableName } from '../../project/names.ts';
import { chosenServices, KIND_LABELS } from '../../project/variables.ts';
import { shellPath } from '../../shells.ts';
import { listed, onOneLine } from '../../text.ts';
import { VERSION } from '../../version.ts';
import { type Facts, inDirectory, type Refusal } from './facts.ts';
import { type Checks, type Detail, type GroupResult, runChecks, warning } from './finding.ts';

/** Whether the project is complete, and up to date. */
export function checkProject(facts: Facts): GroupResult {
  const { config, state } = facts.project;
  const passed = `${readableName(config.project_name)}, made by botcli ${state.version}, is complete`;
  return { group: 'project', findings: runChecks('project', projectChecks, facts), passed };
}

const projectChecks: Checks<Facts> = {
  'conflict-markers': ({ texts, place }) =>
    [...texts].flatMap(([path, text]) => {
      const [first] = findMarkers(text.split('\n'));
      if (!first) return [];
      return {
        message: `${place(path)} has conflict markers, from line ${first.line} on`,
        hint: 'Keep the lines that you want, and remove the others and the markers.',
      };
    }),
  'interrupted-run': warning(({ remains, place }) =>
    remains.map(name => ({
      message: `botcli was interrupted, and left temporary files in ${place(name)}`,
      hint: 'Run the command again that was interrupted: it finishes its work. Any update removes the files.',
      fix: { command: inDirectory('botcli update', place('')) },
    })),
  ),
  'older-project': warning(
    ({ project, place }) =>
      lt(project.state.version, VERSION) && {
        message: `botcli ${project.state.version} made this project; this is ${VERSION}`,
        hint: 'An update keeps your edits.',
        fix: { command: inDirectory('botcli update', place('')) },
      },
  ),
  'newer-project': warning(({ project: { state } }) => {
    if (!gt(state.version, VERSION)) return undefined;
    const message = `botcli ${state.version} made this project; this is only ${VERSION}`;
    const npx = npxOf(state.version);
    return npx ? { message, fix: { command: `${npx} check` } } : { message, hint: 'Use that version or a newer one.' };
  }),
  'older-guides': warning(({ project, texts, place }) => {
    const guides = olderGuides(name => texts.get(name));
    // An update refreshes them, too.
    if (guides.length === 0 || lt(project.state.version, VERSION)) return undefined;
    return {
      message: `An older botcli wrote ${guides.map(place).join(', ')}`,
      hint: 'A refresh discards your edits, so copy anything you want to keep first.',
      fix: { command: `botcli init ${shellPath(place(''))} --overwrite-guide` },
    };
  }),
  'file-unreadable': ({ unread, place }) =>
    [...unread].map(([path, why]) => ({
      level: path === BOT || !LIMITS.includes(why) ? 'error' : 'warning',
      message: `${place(path)} ${why}`,
      hint: "botcli doesn't know what this code needs.",
    })),
  syntax({ pyproject: { brokenAt }, refused, requirements: { started }, texts, place }) {
    // The markers of a conflict are a finding of their own.
    const files = [...refused].filter(([path]) => !hasMarkers(texts.get(path)));
    return [
      ...(brokenAt === undefined ? [] : [brokenToml(place(PYPROJECT), brokenAt)]),
      ...files.map(([path, refusal]) => ({
        level: started.has(path) ? ('error' as const) : ('warning' as const),
        message: refusalIn(place(path), refusal),
        hint: `${FIX} In server/, uv run ruff check says more.`,
      })),
    ];
  },
  'names-going': warning(
    ({ going: { length }, place }) =>
      length > 0 && {
        message: `${length === 1 ? 'One name' : `${length} names`} in your code will go in Pipecat 2.0`,
        hint: 'This shows where, and what to write instead.',
        fix: { command: inDirectory('botcli update --framework --dry-run', place('')) },
      },
  ),
  'bot-function-missing': ({ requirements: { lacksBot, unparsed }, place }) =>
    lacksBot &&
    !unparsed.includes(BOT) && {
      message: `${place(BOT)} defines no bot, the function that the framework starts for each session`,
      hint: 'Name it like this: async def bot(runner_args: RunnerArguments) -> None',
    },
  'package-missing': warning(({ pyproject: { extras }, requirements, place }) => {
    if (!extras) return undefined;
    const known = extras.get('pipecat-ai');
    if (!known) {
      const message = `${place(PYPROJECT)} doesn't list pipecat-ai among its dependencies, and the bot needs it`;
      const hint = 'Put its line back, such as from git, unless another package brings it.';
      return requirements.isFramework && { message, hint };
    }
    return [...requirements.extras]
      .filter(([extra]) => !known.includes(extra))
      .map(([extra, { className }]) => ({
        message: `${className} needs pipecat-ai[${extra}], and ${place(PYPROJECT)} doesn't list that extra`,
        hint: 'Add it, unless its packages are listed themselves.',
      }));
  }),
  'service-ended': warning(({ project: { config } }) =>
    chosenServices(config).flatMap(({ kind, row: { label, ended } }) =>
      ended
        ? {
            message: `${label} ended its ${KIND_LABELS[kind]} on ${ended.on}`,
            hint: `Choose another one with botcli update --${kind}.`,
            fix: { url: ended.page },
          }
        : [],
    ),
  ),
  'missing-files': facts => [...describeMissing(facts, 'essential'), ...describeMissing(facts, 'other')],
};

/** Says why Python can't compile a file: `server/bot.py, line 3: invalid syntax`. */
export const refusalIn = (name: string, { line, why }: Refusal): string =>
  `${name}${line === undefined ? '' : `, line ${line}`}: ${onOneLine(why)}`;

const FIX = 'Fix it, or restore it from git.';

export const brokenToml = (name: string, line: number): Detail => ({
  message: `${name}, line ${line}: this isn't valid TOML`,
  hint: FIX,
});

const hasMarkers = (text = ''): boolean => findMarkers(text.split('\n')).length > 0;

/** What a file is needed for: nothing works without it, it is for the deploy that is checked, or something else. */
function useOf(path: string, { project, requirements, isDeploying }: Facts): 'essential' | 'deploy' | 'other' {
  const { hasCallServer } = featuresOf(project.config);
  const needed = [BOT, PYPROJECT, 'client', 'client/package.json', ...(hasCallServer ? [CALL_SERVER] : [])];
  if (needed.includes(path) || requirements.imported.has(path)) return 'essential';
  return isDeploying && [DEPLOY_FILE, 'server/container-file'].includes(path) ? 'deploy' : 'other';
}

const MOST_NAMES = 5;

/** What to say about the missing files of a kind. */
export function describeMissing(facts: Facts, kind: ReturnType<typeof useOf>): Detail[] {
  const { missing, restorable, place } = facts;
  const paths = missing.filter(path => useOf(path, facts) === kind);
  if (paths.length === 0) return [];
  const level = kind === 'other' ? 'warning' : 'error';
  const message = `Missing: ${listed(paths.map(place), MOST_NAMES)}`;
  if (paths.every(path => restorable.has(path))) {
    const command = `git checkout -- ${paths.map(path => shellPath(place(path))).join(' ')}`;
    return [{ level, message, fix: { command } }];
  }
  const [hint, command] =
    `${paths}` === 'client'
      ? [
          'Restore it. To go on without it, tell botcli.',
          inDirectory('botcli update --client-framework none', place('')),
        ]
      : [
          'Create the project again in another directory, and copy them from there.',
          `botcli init fresh-copy --config ${shellPath(place(STATE_FILE))}`,
        ];
  return [{ level, message, hint, fix: { command } }];
}
