import {
  change,
  common,
  noteAddress,
  organization,
  organizationOf,
  type SessionOptions,
  skip,
  withCloud,
} from '../../account/session.ts';
import { UserError } from '../../errors.ts';
import type { Found } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';
import {
  checkInputs,
  describeLocation,
  isKey,
  KEY_RULE,
  type Location,
  listCommand,
  nameKey,
  regionOf,
} from '../../platform/names.ts';
import { applyChanges, invisible, lookUntil, planChange, summarize } from '../../secret-sets/change.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { checkCanAsk, confirm } from '../../shell/confirmation.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { didYouMean } from '../../text.ts';
import { checkManaged, findExisting } from '../lookup.ts';

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
      await checkRemoved(plan.remove, location, cloud, terminal);
      if (options.json) return terminal.printJson({ ...location, region, removed: plan.remove });
      terminal.print(`${terminal.style.green('✓')} Removed ${removed} from ${what}`);
      terminal.note(
        `Agents that use this set keep ${plan.remove.length === 1 ? 'the key' : 'the keys'} until their next deploy.`,
      );
    });
  },
});

/** @throws {UserError} A set still has keys that the platform claims to have removed, or the look-up failed. */
async function checkRemoved(
  removed: readonly string[],
  location: Location,
  cloud: Cloud,
  terminal: Terminal,
): Promise<void> {
  const what = `the request to remove ${removed.join(', ')}`;
  const look = async () => {
    const found = await cloud.find(location);
    return found?.type === 'secret' ? removed.filter(key => found.set.keys.includes(key)) : [];
  };
  const left = await lookUntil(look, { what, isVisible: keys => keys.length === 0 }, terminal);
  if (left.length === 0) return;
  const problem = `The platform accepted ${what}, but ${describeLocation(location)} still has ${left.join(', ')}`;
  throw invisible(problem, location);
}

/** Checks all keys before one is removed. One that doesn't exist is shown only if it can't be a misplaced value. */
function checkExist(typed: readonly string[], keys: readonly string[], where: string): void {
  const problems = typed.flatMap((key, at) => {
    const problem = `argument ${at + 1}: there is no such key in ${where}${nameKey(key)}`;
    return keys.includes(key) ? [] : [{ problem, meant: didYouMean(key, keys) }];
  });
  const [only] = problems;
  if (only === undefined) return;
  const theirs = `Its keys: ${keys.join(', ') || 'none'}`;
  if (problems.length === 1) {
    throw new UserError(only.problem.replace(/^a/, 'A'), { reason: 'not-found', hint: only.meant ?? theirs });
  }
  throw new UserError(`${problems.length} problems; nothing was removed:`, {
    reason: 'not-found',
    problems: problems.map(({ problem, meant }) => (meant ? `${problem}. ${meant}` : problem)),
    hint: theirs,
  });
}

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
      const sent = `the request to delete ${name}`;
      const isVisible = (found: Found | undefined) => !found;
      const left = await lookUntil(() => cloud.find(location), { what: sent, isVisible }, terminal);
      if (left) throw invisible(`The platform accepted ${sent}, but it still exists`, location);
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

/** Looks up a secret to change after a confirmation. All arguments are checked before anything is sent. */
async function withExisting(
  { name, keys = [] }: { name: string; keys?: readonly string[] },
  options: SessionOptions & { readonly skip?: boolean },
  terminal: Terminal,
  use: (existing: { cloud: Cloud; location: Location; found: Found }) => Promise<void>,
): Promise<void> {
  const problems = keys.every(isKey) ? [] : [KEY_RULE.replace('a key', '<secret_key>')];
  checkInputs({ name, organization: options.organization }, problems);
  checkCanAsk(options, terminal);
  await withCloud(options, terminal, async session => {
    const { cloud } = session;
    const location = { organization: await organizationOf(session, terminal), name };
    const found = await findExisting(cloud, location);
    noteAddress(session, terminal);
    await use({ cloud, location, found });
  });
}
