import { botTypeOf, type CallDirection, findTransport, transports } from '../catalog/index.ts';
import type { UserError } from '../errors.ts';
import { usageError } from '../errors.ts';
import { unique } from '../unique.ts';
import type { ConfigKey, ConfigValues } from './options.ts';
import { defaults, type ScaffoldConfig } from './resolved.ts';
import { checkRules } from './rules.ts';
import { type ConfigProblem, type ConfigSources, mergeSources } from './sources.ts';
import { validateValues } from './values.ts';

export type { ScaffoldConfig } from './resolved.ts';

/** So many problems are told; who has more has given something else than a configuration. */
const MOST_PROBLEMS = 20;

/**
 * Resolves a configuration: typed flag, else file, else default. Pure: nothing is read or written.
 *
 * @throws {UserError} Exit code 2, with every problem of the configuration at once.
 */
export function resolveConfig(sources: ConfigSources): ScaffoldConfig {
  const { given, problems: unreadable } = mergeSources(sources);
  const { values, invalid, problems: misshapen } = validateValues(given);
  const draft = { given, values, invalid, transports: resolveTransports(values) };
  // What an unread file would have said is unknown, so nothing is called missing.
  const broken = sources.fileProblem ? [] : checkRules(draft);
  const problems = [...unreadable, ...misshapen, ...broken];
  if (problems.length > 0) throw configError(problems);
  return complete(values, draft.transports);
}

/** The transports of a configuration, once each, every generic id replaced by the one of its call direction. */
function resolveTransports(values: ConfigValues): string[] {
  const resolve = (id: string) =>
    transports.find(row => row.generic === id && row.modeKey && row.direction === values[row.modeKey])?.id ?? id;
  return unique((values.transports ?? []).map(resolve));
}

/** The direction of the transport that a call mode is for, or nothing. */
function callMode(ids: readonly string[], key: ConfigKey): CallDirection | null {
  const row = ids.map(findTransport).find(one => one.modeKey === key);
  return row?.direction ?? null;
}

/** Applies defaults to valid values, and derives what follows from others. */
function complete(values: ConfigValues, ids: string[]): ScaffoldConfig {
  const { bot_type: botType, client_framework: chosen = 'none' } = values;
  const framework = chosen === 'none' ? null : chosen;
  const isTelephony = ids.some(id => botTypeOf(findTransport(id)) === 'telephony');
  const config = {
    // They come first: the order of the keys is theirs.
    ...defaults,
    ...values,
    bot_type: botType ?? (isTelephony ? 'telephony' : 'web'),
    transports: ids,
    generate_client: framework !== null,
    client_framework: framework,
    client_server: framework && (values.client_server ?? 'bundler'),
    daily_pstn_mode: callMode(ids, 'daily_pstn_mode'),
    twilio_daily_sip_mode: callMode(ids, 'twilio_daily_sip_mode'),
    video_output: values.video_output === true || values.video_service !== undefined,
  };
  // The rules have seen to what can't be null.
  return config as ScaffoldConfig;
}

function configError(problems: readonly ConfigProblem[]): UserError {
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  const told = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - told.length;
  return usageError(`${count} with this scaffold; nothing was written:`, {
    reason: 'invalid-configuration',
    problems: [...told.map(({ name, message }) => `${name} ${message}`), ...(more > 0 ? [`and ${more} more`] : [])],
    hint: 'Every value: botcli init --list-options. Every option: botcli init --help.',
  });
}
