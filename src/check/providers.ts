import { type KeyCheck, keyChecks } from '../catalog/key-checks.ts';
import { checkNodeSettings } from '../network/node-settings.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type Facts, valueFor } from './checks/facts.ts';
import type { Finding } from './checks/finding.ts';
import { flawOf } from './checks/value-flaws.ts';
import { sourcesOf } from './checks/variable-source.ts';
import { type ProviderAccess, tryKey } from './key-trial.ts';
import type { GroupResult } from './report.ts';

type Trial = Awaited<ReturnType<typeof tryKey>>;

const DIRECT: ProviderAccess = { deadlineMs: 10_000 };

/** Tries the keys of a project at their providers, all at once. */
export async function tryProviders(
  facts: Facts,
  { env }: Pick<Terminal, 'env'>,
  access = DIRECT,
): Promise<GroupResult> {
  const due = keyChecks.filter(row => isDue(row, facts));
  if (due.length > 0) checkNodeSettings('https://', env);
  const found = await Promise.all(due.map(async row => describe(row, await tryRow(row, facts, access), facts)));
  const names = due.map(({ provider }) => provider).join(', ');
  return {
    group: 'providers',
    findings: found.flat(),
    passed: names ? `${names}: each accepts its key` : 'none of the keys that are set can be tried',
  };
}

/** Which of these variables have a key that its provider refuses, each with the finding. No answer means nothing. */
export async function refusedAmong(
  names: readonly string[],
  facts: Facts,
  { env }: Pick<Terminal, 'env'>,
  access: ProviderAccess,
): Promise<ReadonlyMap<string, Finding>> {
  const due = keyChecks.filter(row => names.includes(row.env) && isDue(row, facts));
  if (due.length > 0) checkNodeSettings('https://', env);
  const found = await Promise.all(due.map(async row => describe(row, await tryRow(row, facts, access), facts)));
  return new Map(
    due.flatMap((row, at) =>
      (found[at] ?? []).flatMap(one => (one.level === 'error' ? [[row.env, one] as const] : [])),
    ),
  );
}

/** Whether the project may use a key, and it is worth a request. */
function isDue({ env, id = env }: KeyCheck, facts: Facts): boolean {
  const isFlawed = [env, id].some(name => {
    const entry = facts.env.file.entries.get(name);
    return entry !== undefined && flawOf(entry) !== undefined;
  });
  const isSet = [env, id].every(name => valueFor(name, facts.env) !== undefined);
  return facts.requirements.known.has(env) && isSet && !isFlawed;
}

async function tryRow(row: KeyCheck, { env }: Facts, access: ProviderAccess): Promise<Trial> {
  // The key may belong to that server, and nobody else must see it.
  if (row.address && valueFor(row.address, env))
    return { result: 'unknown', why: `${row.address} names another server` };
  return tryKey(row, { key: valueFor(row.env, env) ?? '', id: row.id && valueFor(row.id, env) }, access);
}

function describe({ env, provider }: KeyCheck, { result, why }: Trial, { project }: Facts): Finding[] {
  if (result === 'accepted') return [];
  if (result === 'unknown') {
    const message = `botcli couldn't tell whether ${provider} accepts ${env}: ${why}`;
    return [{ code: 'key-unknown', level: 'warning', group: 'providers', message }];
  }
  const source = sourcesOf(project.config)(env);
  const advice = source.fix ? source : { hint: 'Copy it again, or create a new one.' };
  const message = `${provider} refuses ${env}: ${why}`;
  return [{ code: 'key-refused', level: 'error', group: 'providers', message, ...advice }];
}
