import { UserError } from '../../errors.ts';
import { didYouMean } from '../../nearest.ts';
import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { describe } from '../location.ts';
import { common, organization, skip } from '../options.ts';
import { change, checkCanAsk, confirm, notFound, organizationOf, withCloud } from '../session.ts';

/** The command `botcli cloud secrets unset`. */
export const unset: CommandBody<Action> = {
  arguments: [
    { name: 'name', required: true, help: 'Secret set' },
    { name: 'secret_key', required: true, help: 'Key to remove' },
  ],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud secrets unset my-bot-secrets OLD_API_KEY', meaning: 'asks first' },
    { line: 'botcli cloud secrets unset my-bot-secrets OLD_API_KEY --skip', meaning: 'in a script' },
  ],
  run: { run: runUnset },
};

async function runUnset(invocation: Invocation, terminal: Terminal): Promise<void> {
  const { positionals, options } = invocation;
  const { name, secret_key: key } = positionals as Record<'name' | 'secret_key', string>;
  const { checkInputs } = await import('../schema.ts');
  checkInputs({ name, key, organization: options.organization as string | undefined });
  checkCanAsk(invocation, terminal);
  await withCloud(invocation, terminal, async session => {
    const { cloud } = session;
    const place = { organization: await organizationOf(session, terminal), name };
    const found = await cloud.find(place);
    if (!found) throw await notFound(cloud, place);
    if (found.type !== 'secret') throw new UserError(`${name} is an image pull secret, which has no keys`);
    const { keys, region } = found.set;
    if (!keys.includes(key)) throw noKey(key, keys, describe(place));
    const rest = keys.length - 1;
    terminal.note(
      `${describe(place)}, region ${region}: ${key} will be gone, ${rest === 1 ? '1 other key stays' : `${rest} other keys stay`}.`,
    );
    await confirm(`Remove ${key}?`, invocation, terminal);
    await change(`${key} is removed`, place, () => cloud.deleteKey(place, key));
    if (options.json) return terminal.print(JSON.stringify({ ...place, region, removed: [key] }, null, 2));
    terminal.print(`${terminal.style.green('✓')} ${key} is removed from ${describe(place)}`);
    terminal.note('Agents that use this set have it until they are deployed again.');
  });
}

function noKey(key: string, keys: readonly string[], where: string): UserError {
  const hint = didYouMean(key, keys) ?? `Its keys: ${keys.join(', ') || 'none'}`;
  return new UserError(`There is no key ${key} in ${where}`, { reason: 'not-found', hint });
}
