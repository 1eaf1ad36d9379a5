import { common, organization, skip } from '../../account/options.ts';
import { change } from '../../account/session.ts';
import type { Found } from '../../platform/answers.ts';
import { describeLocation, regionOf } from '../../platform/location.ts';
import { checkDeleted } from '../../secret-sets/second-look.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { confirm } from '../../shell/confirmation.ts';
import { withExisting } from '../lookup.ts';

/** The command `botcli cloud secrets delete`. */
export const deleteSecret = defineCommand({
  arguments: [{ name: 'name', required: true, help: 'Secret set or image pull secret to delete' }],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud secrets delete my-bot-secrets', description: 'show what would be lost, then ask' },
    { line: 'botcli cloud secrets delete my-bot-secrets --skip', description: 'delete without asking, in a script' },
  ],
  run({ positionals: { name }, options }, terminal) {
    return withExisting({ name }, options, terminal, async ({ cloud, location, found }) => {
      const region = regionOf(found);
      const what = describeLocation(location);
      terminal.note(`${what}, region ${region}: ${loss(found)} will be lost. This cannot be undone.`);
      await confirm(`Delete ${name}?`, options, terminal);
      await change(`${name} was deleted`, location, cloud.deleteSet(location));
      await checkDeleted(cloud, location, terminal);
      if (options.json) return terminal.printJson({ ...location, region, deleted: true });
      terminal.print(`${terminal.style.green('✓')} Deleted ${what}`);
    });
  },
});

function loss(found: Found): string {
  if (found.type === 'imagePullSecret') return 'the credentials of this image pull secret';
  const { keys, source } = found.set;
  if (source === 'referenced') return 'the reference to your own cluster';
  return keys.length === 0
    ? 'the empty set'
    : `${keys.length === 1 ? 'its key' : `its ${keys.length} keys`} (${keys.join(', ')})`;
}
