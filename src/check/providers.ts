import type { AxiosResponse } from 'axios';
import { type KeyTrial, keyTrials } from '../catalog/key-trials.ts';
import { askProvider, type ProviderAccess } from '../network/ask-provider.ts';
import { checkNodeSettings } from '../network/requests.ts';
import type { Terminal } from '../shell/terminal.ts';
import { parsedJson } from '../std.ts';
import { type Facts, valueFor } from './checks/facts.ts';
import type { Finding } from './checks/finding.ts';
import { sourcesOf } from './checks/keys.ts';
import { flawOf } from './checks/value-flaws.ts';
import type { GroupResult } from './report.ts';

type Trial = { result: 'accepted'; why?: undefined } | { result: 'refused' | 'unknown'; why: string };

interface Credentials {
  key: string;
  id: string | undefined;
}

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
  return Promise.all(due.map(async row => [row, describe(row, await tryRow(row, facts, access), facts)] as const));
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

async function tryRow(row: KeyTrial, { env }: Facts, access: ProviderAccess): Promise<Trial> {
  // The key may belong to that server, and nobody else must see it.
  if (row.address && valueFor(row.address, env))
    return { result: 'unknown', why: `${row.address} names another server` };
  return tryKey(row, { key: valueFor(row.env, env) ?? '', id: row.id && valueFor(row.id, env) }, access);
}

function describe({ env, provider }: KeyTrial, { result, why }: Trial, { project }: Facts): Finding[] {
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

/** Sends the request that tries a key. */
async function tryKey(row: KeyTrial, credentials: Credentials, access: ProviderAccess): Promise<Trial> {
  const url = row.url.replace('<id>', encodeURIComponent(credentials.id ?? ''));
  const reply = await askProvider({ url, headers: headersOf(row, credentials) }, access);
  return typeof reply === 'string' ? unknown(reply) : resultOf(row, reply);
}

function headersOf({ headers }: KeyTrial, { key, id }: Credentials): Record<string, string> {
  const basic = Buffer.from(`${id}:${key}`).toString('base64');
  const fill = (text: string) => text.replace(/<(key|basic)>/, (_, what) => (what === 'key' ? key : basic));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

const unknown = (why: string): Trial => ({ result: 'unknown', why });

/** A key that may do less than others: the provider knows it, and it may do all that the bot needs. */
const RESTRICTED = /permission|scope/i;

/** Judges a response. Its text is never shown, since it may quote the key. */
function resultOf({ refusal }: KeyTrial, { status, data }: AxiosResponse<string>): Trial {
  if (status === 429) return unknown('it received too many requests (HTTP 429)');
  if (status >= 300 && status < 400) return unknown(`something redirects the request (HTTP ${status})`);
  if (/^\s*</.test(data)) return unknown(`the response is a web page, perhaps of a network that you must log in to`);
  if (status === 401 || status === 403) {
    return RESTRICTED.test(data)
      ? unknown(`the key may not be used for this check (HTTP ${status})`)
      : { result: 'refused', why: `HTTP ${status}` };
  }
  if (status === 400 && refusal?.test(data)) return { result: 'refused', why: `HTTP ${status}` };
  if (status >= 200 && status < 300) {
    // A provider sends an object or a list.
    return typeof parsedJson(data) === 'object' ? { result: 'accepted' } : unknown("the response isn't JSON");
  }
  return unknown(`HTTP ${status}`);
}
