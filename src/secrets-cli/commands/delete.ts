import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { describe } from '../location.ts';
import { common, organization, skip } from '../options.ts';
import type { Found } from '../platform/cloud.ts';
import { change, checkCanAsk, confirm, notFound, organizationOf, withCloud } from '../session.ts';

/** The command `botcli cloud secrets delete`. */
export const deleteCommand: CommandBody<Action> = {
  arguments: [{ name: 'name', required: true, help: 'What to delete' }],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud secrets delete my-bot-secrets', meaning: 'says what would be lost, and asks' },
    { line: 'botcli cloud secrets delete my-bot-secrets --skip', meaning: 'in a script' },
  ],
  run: { run: runDelete },
};

async function runDelete(invocation: Invocation, terminal: Terminal): Promise<void> {
  const { positionals, options } = invocation;
  const { name } = positionals as Record<'name', string>;
  const { checkInputs } = await import('../schema.ts');
  checkInputs({ name, organization: options.organization as string | undefined });
  checkCanAsk(invocation, terminal);
  await withCloud(invocation, terminal, async session => {
    const { cloud } = session;
    const place = { organization: await organizationOf(session, terminal), name };
    const found = await cloud.find(place);
    if (!found) throw await notFound(cloud, place);
    const { region } = found.type === 'secret' ? found.set : found.row;
    terminal.note(`${describe(place)}, region ${region}: ${loss(found)} will be lost. This cannot be undone.`);
    await confirm(`Delete ${name}?`, invocation, terminal);
    await change(`${name} is deleted`, place, () => cloud.deleteSet(place));
    if (options.json) return terminal.print(JSON.stringify({ ...place, region, deleted: true }, null, 2));
    terminal.print(`${terminal.style.green('✓')} ${describe(place)} is deleted`);
  });
}

function loss(found: Found): string {
  if (found.type === 'imagePullSecret') return 'the credentials of this image pull secret';
  const { keys, source } = found.set;
  if (source === 'referenced') return 'the reference to your own cluster';
  return keys.length === 0
    ? 'an empty set'
    : `${keys.length === 1 ? 'its key' : `its ${keys.length} keys`} (${keys.join(', ')})`;
}
