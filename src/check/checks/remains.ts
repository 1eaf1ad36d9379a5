import type { Facts } from './facts.ts';
import type { Check, Detail } from './finding.ts';
import { inDirectory } from './fixes.ts';

/** Whether a run of botcli was interrupted here. */
export const remainsChecks: readonly Check<Facts>[] = [
  {
    code: 'interrupted-run',
    find: ({ remains, place }, level) =>
      remains
        .filter(({ kind }) => (level === 'error') === ['strange', 'copied', 'half'].includes(kind))
        .flatMap(
          ({ name, kind, why = '' }) =>
            DETAILS[kind]?.(place(name), inDirectory('botcli update', place('')), why) ?? [],
        ),
  },
];

/** What to say about each kind. A run that goes on is no finding. */
const DETAILS: Readonly<
  Partial<Record<Facts['remains'][number]['kind'], (name: string, update: string, why: string) => Detail>>
> = {
  half: (_, command) => ({
    message: 'botcli was interrupted, and left the project half changed',
    hint: 'The next botcli update undoes these changes before anything else.',
    fix: { command },
  }),
  done: (name, command) => ({
    message: `botcli was interrupted, and left temporary files in ${name}`,
    fix: { command },
  }),
  copied: name => ({
    message: 'This project was copied while botcli was changing it, so it is half changed',
    hint: `Run botcli update in the original, and copy it again. To go on with the files as they are, delete ${name}.`,
  }),
  strange: (name, _, why) => ({
    message: `${name} looks like what an interrupted botcli leaves, but ${why}`,
    hint: 'Delete that directory if you need nothing in it.',
  }),
  foreign: name => ({
    message: `${name} looks like what an interrupted botcli leaves, but botcli didn't make it in this directory`,
    hint: 'Delete it if you need nothing in it.',
  }),
};
