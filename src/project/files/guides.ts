import { VERSION } from '../../version.ts';
import type { PlannedFile } from '../planned-file.ts';
import { isOlder } from './stamp.ts';

/** A guide for coding agents and the people who work with them. Its template has its name. */
interface GuideFile extends Omit<PlannedFile, 'when'> {
  /** Whether it ends with the version that wrote it. */
  isStamped?: true;
  /** Whether it's written on request only. Once it exists, it's refreshed with the others. */
  isOnRequest?: true;
}

/** The guide for people. */
export const GETTING_STARTED = 'GETTING_STARTED.md';

export const guideFiles: readonly GuideFile[] = [
  { template: 'AGENTS.md.ejs', destination: 'AGENTS.md', note: 'the guide for coding agents', isStamped: true },
  { template: 'ASSISTANT.md', destination: 'ASSISTANT.md', note: 'imports AGENTS.md' },
  {
    template: 'GETTING_STARTED.md.ejs',
    destination: GETTING_STARTED,
    note: 'how to build a bot with a coding agent',
    isStamped: true,
    isOnRequest: true,
  },
];

/**
 * The guides that an older release wrote.
 *
 * @param read The text of a guide, if there is one.
 */
export function olderGuides(read: (name: string) => string | undefined): string[] {
  const names = guideFiles.filter(({ isStamped }) => isStamped).map(({ destination }) => destination);
  return names.filter(name => isOlder(read(name) ?? '', VERSION));
}
