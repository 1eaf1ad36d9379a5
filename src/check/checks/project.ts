import gt from 'semver/functions/gt.js';
import lt from 'semver/functions/lt.js';
import { DEPLOY_FILE } from '../../existing/deploy-file.ts';
import { PYPROJECT } from '../../existing/pyproject.ts';
import { BOT, TOO_MUCH } from '../../existing/python-files.ts';
import { findMarkers } from '../../formats/markers.ts';
import type { Problem } from '../../formats/python/tokens.ts';
import { featuresOf } from '../../project/features.ts';
import { guidesOlderThan } from '../../project/files/guides.ts';
import { STATE_FILE } from '../../project/files/state.ts';
import { shellPath } from '../../shells.ts';
import { VERSION } from '../../version.ts';
import type { Facts } from './facts.ts';
import type { Check, Detail } from './finding.ts';

/** Whether the project is complete, and up to date. */
export const projectChecks: readonly Check<Facts>[] = [
  {
    code: 'conflict-markers',
    level: 'error',
    find: ({ texts, place }) =>
      [...texts].flatMap(([path, text]) => {
        const [first] = findMarkers(text.split('\n'));
        if (!first) return [];
        return {
          message: `${place(path)} has conflict markers, from line ${first.line} on`,
          hint: 'Keep the lines that you want, and remove the others and the markers.',
        };
      }),
  },
  {
    code: 'interrupted-run',
    level: 'error',
    find: ({ remains, place }) =>
      remains.flatMap(({ name, kind, why }) => {
        if (kind === 'strange') {
          const hint = 'Delete that directory if you need nothing in it.';
          return { message: `${place(name)} looks like what an interrupted botcli leaves, but ${why}`, hint };
        }
        if (kind !== 'half') return [];
        return {
          message: 'botcli was interrupted, and left the project half changed',
          hint: 'The next botcli update undoes these changes before anything else.',
          fix: { command: inDirectory('botcli update', place('')) },
        };
      }),
  },
  {
    code: 'interrupted-run',
    level: 'warning',
    find: ({ remains, place }) =>
      remains
        .filter(({ kind }) => kind === 'done')
        .map(({ name }) => ({
          message: `botcli was interrupted, and left temporary files in ${place(name)}`,
          fix: { command: inDirectory('botcli update', place('')) },
        })),
  },
  {
    code: 'older-project',
    level: 'warning',
    find: ({ project, place }) =>
      lt(project.state.version, VERSION)
        ? [
            {
              message: `botcli ${project.state.version} made this project; this is ${VERSION}`,
              hint: 'An update keeps your edits.',
              fix: { command: inDirectory('botcli update', place('')) },
            },
          ]
        : [],
  },
  {
    code: 'newer-project',
    level: 'warning',
    find: ({ project: { state } }) =>
      gt(state.version, VERSION)
        ? [
            {
              message: `botcli ${state.version} made this project; this is only ${VERSION}`,
              fix: { command: `npx botcli@${state.version} check` },
            },
          ]
        : [],
  },
  {
    code: 'older-guides',
    level: 'warning',
    find({ project, texts, place }) {
      const guides = guidesOlderThan(VERSION, name => texts.get(name));
      // An update refreshes them, too.
      if (guides.length === 0 || lt(project.state.version, VERSION)) return [];
      return [
        {
          message: `An older botcli wrote ${guides.map(place).join(', ')}`,
          hint: 'A refresh discards your edits, so copy anything you want to keep first.',
          fix: { command: `botcli init ${shellPath(place(''))} --overwrite-guide` },
        },
      ];
    },
  },
  {
    code: 'file-unreadable',
    level: 'error',
    find: facts => unreadIn(facts, (path, why) => path === BOT || !TOO_LARGE.includes(why)),
  },
  {
    code: 'file-unreadable',
    level: 'warning',
    find: facts => unreadIn(facts, (path, why) => path !== BOT && TOO_LARGE.includes(why)),
  },
  {
    code: 'syntax',
    level: 'error',
    find: ({ pyproject: { brokenAt }, place, ...facts }) => [
      ...(brokenAt === undefined
        ? []
        : [{ message: `${place(PYPROJECT)}, line ${brokenAt}: this isn't valid TOML`, hint: FIX }]),
      ...problemsIn({ ...facts, place }, path => facts.requirements.started.has(path)),
    ],
  },
  {
    code: 'syntax',
    level: 'warning',
    find: facts => problemsIn(facts, path => !facts.requirements.started.has(path)),
  },
  {
    code: 'package-missing',
    level: 'warning',
    find({ pyproject: { extras }, requirements, place }) {
      const known = extras?.get('pipecat-ai');
      if (!extras || extras.size === 0) return [];
      const lacking = [...requirements.extras].filter(([extra]) => !known?.includes(extra));
      return lacking.map(([extra, { className }]) => ({
        message: `${className} needs pipecat-ai[${extra}], and ${place(PYPROJECT)} doesn't list that extra`,
        hint: 'Add it, unless its packages are listed themselves.',
      }));
    },
  },
  {
    code: 'missing-files',
    level: 'error',
    find: facts =>
      describeMissing(
        facts.missing.filter(path => isEssential(path, facts)),
        facts,
      ),
  },
  {
    code: 'missing-files',
    level: 'warning',
    find: facts =>
      describeMissing(
        facts.missing.filter(path => !isEssential(path, facts) && !isForDeploy(path, facts)),
        facts,
      ),
  },
];

/** A command with the project's directory as its argument, unless that is the current one. */
export const inDirectory = (command: string, directory: string): string =>
  directory === '.' ? command : `${command} ${shellPath(directory)}`;

/** Whether nothing works without a file. */
function isEssential(path: string, { project, requirements }: Facts): boolean {
  const { hasCallServer } = featuresOf(project.config);
  const needed = [
    BOT,
    'server/pyproject.toml',
    'client',
    'client/package.json',
    ...(hasCallServer ? ['server/server.py'] : []),
  ];
  return needed.includes(path) || requirements.imported.has(path);
}

/** Whether a file is missing for the deploy that is checked. */
export const isForDeploy = (path: string, { isDeploying }: Pick<Facts, 'isDeploying'>): boolean =>
  isDeploying && (path === DEPLOY_FILE || path === BUILD_FILE);

const BUILD_FILE = 'server/container-file';
const FIX = 'Fix it, or restore it from git.';
const TOO_LARGE = ['is larger than 1 MiB', TOO_MUCH];

const unreadIn = ({ unread, place }: Facts, isWanted: (path: string, why: string) => boolean): Detail[] =>
  [...unread]
    .filter(([path, why]) => isWanted(path, why))
    .map(([path, why]) => ({
      message: `${place(path)} ${why}`,
      hint: "botcli doesn't know what this code needs.",
    }));

const PROBLEMS: Readonly<Record<Problem['kind'], string>> = {
  bracket: "brackets don't match",
  quote: "a quote isn't closed",
  indentation: "the indentation doesn't match",
  colon: 'a colon is missing at the end',
};

const problemsIn = (
  { requirements, texts, place }: Pick<Facts, 'requirements' | 'texts' | 'place'>,
  isWanted: (path: string) => boolean,
): Detail[] =>
  [...requirements.problems]
    // The markers of a conflict are a finding of their own.
    .filter(([path]) => isWanted(path) && findMarkers((texts.get(path) ?? '').split('\n')).length === 0)
    .map(([path, { line, kind }]) => ({ message: `${place(path)}, line ${line + 1}: ${PROBLEMS[kind]}`, hint: FIX }));

const MOST_NAMES = 5;

export function describeMissing(paths: readonly string[], { restorable, place }: Facts): Detail[] {
  if (paths.length === 0) return [];
  const names = paths.slice(0, MOST_NAMES).map(place);
  const more = paths.length > names.length ? [`${paths.length - names.length} more`] : [];
  const message = `Missing: ${[...names, ...more].join(', ')}`;
  if (paths.every(path => restorable.has(path))) {
    return [{ message, fix: { command: `git checkout -- ${paths.map(path => shellPath(place(path))).join(' ')}` } }];
  }
  return [
    {
      message,
      hint: 'Create the project again in another directory, and copy them from there.',
      fix: { command: `botcli init fresh-copy --config ${shellPath(place(STATE_FILE))}` },
    },
  ];
}
