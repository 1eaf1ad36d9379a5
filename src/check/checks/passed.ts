import type { Facts } from './facts.ts';

// What to say about a group without findings.

export const passedProject = ({ project: { config, state } }: Facts): string =>
  `${config.project_name}, made by botcli ${state.version}, is complete`;

export function passedMachine({ machine, client }: Facts): string {
  const ports = machine.ports.map(({ isSet, number }) => (isSet ? 'PORT' : String(number)));
  const free = ports.length === 1 ? `port ${ports[0]} is free` : `ports ${ports.join(', ')} are free`;
  const waiting = client && !client.isInstalled ? ", and the web client's packages come with npm install" : '';
  return `uv ${machine.uv ?? ''} is installed, ${free}${waiting}`.replace('  ', ' ');
}

export function passedKeys({ requirements: { needed } }: Facts): string {
  if (needed.length === 0) return 'the bot needs none';
  return needed.length === 1 ? `${needed[0]} is set` : `all ${needed.length} variables that the bot needs are set`;
}
