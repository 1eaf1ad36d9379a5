import { UserError } from '../../errors.ts';
import { didYouMean } from '../../nearest.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { confirm } from '../confirmation.ts';
import { describeLocation } from '../input/location.ts';
import { checkManaged } from '../lookup.ts';
import { common, organization, skip } from '../options.ts';
import { checkRemoved } from '../second-look.ts';
import { change } from '../session.ts';
import { withExisting } from './existing.ts';

/** The command `botcli cloud secrets unset`. */
export const unset = defineCommand({
  arguments: [
    { name: 'name', required: true, help: 'Secret set to change' },
    { name: 'secret_key', required: true, help: 'Key to remove' },
  ],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud secrets unset my-bot-secrets OLD_API_KEY', description: 'remove one key, after asking' },
    {
      line: 'botcli cloud secrets unset my-bot-secrets OLD_API_KEY --skip',
      description: 'remove it without asking, in a script',
    },
  ],
  run({ positionals: { name, secret_key: key }, options }, terminal) {
    return withExisting({ name, key }, options, terminal, async ({ cloud, location, found }) => {
      if (found.type !== 'secret') {
        throw new UserError(`${name} is an image pull secret, which has no keys`, { reason: 'conflict' });
      }
      checkManaged(location, found.set);
      const { keys, region } = found.set;
      const what = describeLocation(location);
      if (!keys.includes(key)) throw noKey(key, keys, what);
      const rest = keys.length - 1;
      const others = rest === 1 ? '1 other key' : `${rest} other keys`;
      terminal.note(`${what}, region ${region}: removing ${key}; keeping ${others}.`);
      await confirm(`Remove ${key}?`, options, terminal);
      await change(`${key} was removed`, location, () => cloud.deleteKey(location, key));
      await checkRemoved(cloud, location, [key], terminal);
      if (options.json) return terminal.printJson({ ...location, region, removed: [key] });
      terminal.print(`${terminal.style.green('✓')} Removed ${key} from ${what}`);
      terminal.note('Agents that use this set keep the key until their next deploy.');
    });
  },
});

function noKey(key: string, keys: readonly string[], where: string): UserError {
  const hint = didYouMean(key, keys) ?? `Its keys: ${keys.join(', ') || 'none'}`;
  return new UserError(`There is no key "${key}" in ${where}`, { reason: 'not-found', hint });
}
