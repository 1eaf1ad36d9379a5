import type { Facts } from './facts.ts';

// What to say about a group without findings.

export const passedProject = ({ project: { config, state } }: Facts): string =>
  `${config.project_name}, made by botcli ${state.version}, is complete`;

export function passedMachine({ machine }: Facts): string {
  const ports = machine.ports.map(({ isSet, number }) => (isSet ? 'PORT' : String(number)));
  const free = ports.length === 1 ? `, port ${ports[0]} is free` : `, ports ${ports.join(', ')} are free`;
  const version = typeof machine.uv === 'string' && machine.uv;
  return ['uv', version, `is installed${ports.length > 0 ? free : ''}`].filter(Boolean).join(' ');
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
