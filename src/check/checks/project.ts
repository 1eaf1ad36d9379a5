import gt from 'semver/functions/gt.js';
import lt from 'semver/functions/lt.js';
import { npxOf } from '../../about.ts';
import { findMarkers } from '../../formats/markers.ts';
import { olderGuides } from '../../project/files/files.ts';
import { chosenServices, KIND_LABELS } from '../../project/variables.ts';
import { shellPath } from '../../shells.ts';
import { VERSION } from '../../version.ts';
import { codeChecks, packageChecks } from './code.ts';
import { type Facts, inDirectory } from './facts.ts';
import type { Check } from './finding.ts';
import { fileChecks } from './missing-files.ts';

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
    level: 'warning',
    find: ({ remains, place }) =>
      remains.map(name => ({
        message: `botcli was interrupted, and left temporary files in ${place(name)}`,
        hint: 'Run the command again that was interrupted: it finishes its work. Any update removes the files.',
        fix: { command: inDirectory('botcli update', place('')) },
      })),
  },
  {
    code: 'older-project',
    level: 'warning',
    find: ({ project, place }) =>
      lt(project.state.version, VERSION) && {
        message: `botcli ${project.state.version} made this project; this is ${VERSION}`,
        hint: 'An update keeps your edits.',
        fix: { command: inDirectory('botcli update', place('')) },
      },
  },
  {
    code: 'newer-project',
    level: 'warning',
    find({ project: { state } }) {
      if (!gt(state.version, VERSION)) return undefined;
      const message = `botcli ${state.version} made this project; this is only ${VERSION}`;
      const npx = npxOf(state.version);
      return npx
        ? { message, fix: { command: `${npx} check` } }
        : { message, hint: 'Use that version or a newer one.' };
    },
  },
  {
    code: 'older-guides',
    level: 'warning',
    find({ project, texts, place }) {
      const guides = olderGuides(name => texts.get(name));
      // An update refreshes them, too.
      if (guides.length === 0 || lt(project.state.version, VERSION)) return undefined;
      return {
        message: `An older botcli wrote ${guides.map(place).join(', ')}`,
        hint: 'A refresh discards your edits, so copy anything you want to keep first.',
        fix: { command: `botcli init ${shellPath(place(''))} --overwrite-guide` },
      };
    },
  },
  ...codeChecks,
  ...packageChecks,
  {
    code: 'service-ended',
    level: 'warning',
    find: ({ project: { config } }) =>
      chosenServices(config).flatMap(({ kind, row: { label, ended } }) =>
        ended
          ? {
              message: `${label} ended its ${KIND_LABELS[kind]} on ${ended.on}`,
              hint: `Choose another one with botcli update --${kind}.`,
              fix: { url: ended.page },
            }
          : [],
      ),
  },
  ...fileChecks,
];
