import lt from 'semver/functions/lt.js';
import { readableName } from '../../project/names.ts';
import type { Facts } from './facts.ts';
import { OLDEST_UV } from './machine.ts';

// What to say about a group without findings.

export const passedProject = ({ project: { config, state } }: Facts): string =>
  `${readableName(config.project_name)}, made by botcli ${state.version}, is complete`;

/** What is right about a machine, also if something else isn't. */
export function passedMachine({ machine: { uv, ports } }: Facts): string {
  const isGood = uv === '' || (typeof uv === 'string' && !lt(uv, OLDEST_UV));
  const named = (some: typeof ports) => some.map(({ isSet, number }) => (isSet ? 'PORT' : String(number)));
  const free = named(ports.filter(({ isFree }) => isFree));
  const own = named(ports.filter(({ isOwn }) => isOwn));
  const parts = [
    ...(isGood ? [['uv', uv, 'is installed'].filter(Boolean).join(' ')] : []),
    ...(free.length === 1 ? [`port ${free[0]} is free`] : free.length > 1 ? [`ports ${free.join(', ')} are free`] : []),
    ...(own.length > 0 ? [`this project runs on ${own.length === 1 ? 'port' : 'ports'} ${own.join(', ')}`] : []),
  ];
  return isGood ? parts.join(', ') : '';
}

/** Nothing can be said about code that wasn't read. */
export function passedKeys({ requirements, refused, unread, place }: Facts): string {
  const { needed, untraced, started, unparsed } = requirements;
  if (unread.size > 0 || unparsed.length > 0 || [...refused.keys()].some(path => started.has(path))) return '';
  const [only, ...more] = needed;
  if (untraced.length > 0) {
    const set = more.length === 0 ? (only ?? 'nothing else') : `${needed.length} variables`;
    const verb = [more.length === 0 ? 'is' : 'are', untraced.length === 1 ? 'reads' : 'read'];
    const files = untraced.map(place).join(', ');
    return `${set} ${verb[0]} ${only ? 'set' : 'needed'}; ${files} ${verb[1]} others in a way that botcli can't follow`;
  }
  if (only === undefined) return 'the bot needs none';
  return more.length === 0 ? `${only} is set` : `all ${needed.length} variables that the bot needs are set`;
}
