import type { AxiosResponse } from 'axios';
import { keyTrials } from '../catalog/key-trials.ts';
import { askProvider, type ProviderAccess } from '../network/ask-provider.ts';
import { checkNodeSettings } from '../network/requests.ts';
import type { Terminal } from '../shell/terminal.ts';
import { parsedJson } from '../std.ts';
import { type Facts, valueFor } from './checks/facts.ts';
import type { Finding, GroupResult } from './checks/finding.ts';
import { sourceOf } from './checks/keys.ts';
import { flawOf } from './checks/value-flaws.ts';

type KeyTrial = (typeof keyTrials)[number];

const DIRECT: ProviderAccess = { deadlineMs: 10_000 };

/** Tries the keys of a project at their providers, all at once. */
export async function tryProviders(
  facts: Facts,
  { env }: Pick<Terminal, 'env'>,
  access = DIRECT,
): Promise<GroupResult> {
  const tried = await tryAll(keyTrials, facts, env, access);
  const names = tried.map(([{ provider }]) => provider).join(', ');
  return {
    group: 'providers',
    findings: tried.flatMap(([, findings]) => findings),
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
  const rows = keyTrials.filter(row => names.includes(row.env));
  const tried = await tryAll(rows, facts, env, access);
  const refused = tried.flatMap(([row, findings]) => findings.map(one => [row.env, one] as const));
  return new Map(refused.filter(([, { level }]) => level === 'error'));
}

/** Tries the keys that are worth a request. */
function tryAll(rows: readonly KeyTrial[], facts: Facts, env: Terminal['env'], access: ProviderAccess) {
  const due = rows.filter(row => isDue(row, facts));
  if (due.length > 0) checkNodeSettings('https://', env);
  return Promise.all(due.map(async row => [row, await tryRow(row, facts, access)] as const));
}

/** Whether the project may use a key, and it is worth a request. */
function isDue({ env, id = env }: KeyTrial, facts: Facts): boolean {
  const isFlawed = [env, id].some(name => {
    const entry = facts.env.file.entries.get(name);
    return entry !== undefined && flawOf(entry) !== undefined;
  });
  const isSet = [env, id].every(name => valueFor(name, facts.env) !== undefined);
  return facts.requirements.known.has(env) && isSet && !isFlawed;
}

/** Sends the request that tries a key. */
async function tryRow(row: KeyTrial, { project, env }: Facts, access: ProviderAccess): Promise<Finding[]> {
  const { provider } = row;
  const problem = await problemWith(row, env, access);
  if (!problem) return [];
  const { isRefused, why } = problem;
  if (isRefused) {
    const source = sourceOf(row.env, project.config);
    const advice = source.fix ? source : { hint: 'Copy it again, or create a new one.' };
    const message = `${provider} refuses ${row.env}: ${why}`;
    return [{ code: 'key-refused', level: 'error', group: 'providers', message, ...advice }];
  }
  const message = `botcli couldn't tell whether ${provider} accepts ${row.env}: ${why}`;
  return [{ code: 'key-unknown', level: 'warning', group: 'providers', message }];
}

/** Why a key isn't known to be accepted. */
type Problem = { isRefused?: boolean; why: string } | undefined;

async function problemWith(row: KeyTrial, env: Facts['env'], access: ProviderAccess): Promise<Problem> {
  // The key may belong to that server, and nobody else must see it.
  if (row.address && valueFor(row.address, env)) return { why: `${row.address} names another server` };
  const key = valueFor(row.env, env) ?? '';
  const id = (row.id && valueFor(row.id, env)) ?? '';
  const basic = Buffer.from(`${id}:${key}`).toString('base64');
  const fill = (value: string) => value.replace(/<(key|basic)>/, (_, what) => (what === 'key' ? key : basic));
  const headers = Object.fromEntries(Object.entries(row.headers).map(([name, value]) => [name, fill(value)]));
  const reply = await askProvider({ url: row.url.replace('<id>', encodeURIComponent(id)), headers }, access);
  return typeof reply === 'string' ? { why: reply } : problemIn(reply, row);
}

/** A key that may do less than others: the provider knows it, and it may do all that the bot needs. */
const RESTRICTED = /permission|scope/i;

/** Judges a response. Its text is never shown, since it may quote the key. */
function problemIn({ status, data }: AxiosResponse<string>, { refusal }: KeyTrial): Problem {
  const why = `HTTP ${status}`;
  if (status === 429) return { why: `it received too many requests (${why})` };
  if (status >= 300 && status < 400) return { why: `something redirects the request (${why})` };
  if (/^\s*</.test(data)) return { why: 'the response is a web page, perhaps of a network that you must log in to' };
  if (status === 401 || status === 403) {
    return RESTRICTED.test(data)
      ? { why: `the key may not be used for this check (${why})` }
      : { isRefused: true, why };
  }
  if (status < 200 || status >= 300) return { isRefused: status === 400 && refusal?.test(data) === true, why };
  // A provider sends an object or a list.
  return typeof parsedJson(data) === 'object' ? undefined : { why: "the response isn't JSON" };
}
