import { common, organization, skip } from '../../account/options.ts';
import { UserError } from '../../errors.ts';
import { describeLocation, listCommand } from '../../platform/location.ts';
import { nameKey } from '../../platform/secret.ts';
import { applyChanges } from '../../secret-sets/apply.ts';
import { planChange, summarize } from '../../secret-sets/plan.ts';
import { checkRemoved } from '../../secret-sets/second-look.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { confirm } from '../../shell/confirmation.ts';
import { didYouMean } from '../../text.ts';
import { checkManaged, withExisting } from '../lookup.ts';

/** The command `botcli cloud secrets unset`. */
export const unset = defineCommand({
  arguments: [
    { name: 'name', required: true, help: 'Secret set to change' },
    { name: 'secret_key', required: true, variadic: true, help: 'Keys to remove' },
  ],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud secrets unset my-bot-secrets OLD_API_KEY', description: 'remove one key, after asking' },
    {
      line: 'botcli cloud secrets unset my-bot-secrets OLD_API_KEY --skip',
      description: 'remove it without asking, in a script',
    },
  ],
  run({ positionals: { name, secret_key: typed }, options }, terminal) {
    return withExisting({ name, keys: typed }, options, terminal, async ({ cloud, location, found }) => {
      if (found.type !== 'secret') {
        throw new UserError(`${name} is an image pull secret, which has no keys`, { reason: 'conflict' });
      }
      checkManaged(location, found.set);
      const { keys, region } = found.set;
      const what = describeLocation(location);
      checkExist(typed, keys, what);
      const plan = planChange(keys, { removes: key => typed.includes(key) });
      terminal.note(summarize(plan, location, region));
      const removed = plan.remove.join(', ');
      await confirm(`Remove ${removed}?`, options, terminal);
      const next = `To check, run: ${listCommand(location)}`;
      await applyChanges({ remove: plan.remove }, location, cloud, terminal, next);
      await checkRemoved(cloud, location, plan.remove, terminal);
      if (options.json) return terminal.printJson({ ...location, region, removed: plan.remove });
      terminal.print(`${terminal.style.green('✓')} Removed ${removed} from ${what}`);
      terminal.note(
        `Agents that use this set keep ${plan.remove.length === 1 ? 'the key' : 'the keys'} until their next deploy.`,
      );
    });
  },
});

/**
 * Checks all keys before one is removed. A key that doesn't exist may be a value in the wrong place, so it is only shown
 * if it looks like a key.
 *
 * @throws {UserError} Keys don't exist.
 */
function checkExist(typed: readonly string[], keys: readonly string[], where: string): void {
  const problems = typed.flatMap((key, at) => {
    const problem = `argument ${at + 1}: there is no such key in ${where}${nameKey(key)}`;
    return keys.includes(key) ? [] : [{ problem, meant: didYouMean(key, keys) }];
  });
  const [only] = problems;
  if (only === undefined) return;
  const theirs = `Its keys: ${keys.join(', ') || 'none'}`;
  if (problems.length === 1) {
    throw new UserError(capitalize(only.problem), { reason: 'not-found', hint: only.meant ?? theirs });
  }
  throw new UserError(`${problems.length} problems; nothing was removed:`, {
    reason: 'not-found',
    problems: problems.map(({ problem, meant }) => (meant ? `${problem}. ${meant}` : problem)),
    hint: theirs,
  });
}

const capitalize = (text: string): string => text.replace(/^./, letter => letter.toUpperCase());
