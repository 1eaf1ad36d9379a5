import { botTypeOf, findTransport, transports } from '../catalog/index.ts';
import { type UserError, usageError } from '../errors.ts';
import { unique } from '../std.ts';
import { firstOf } from '../text.ts';
import { type ConfigKey, type ConfigValues, defaults, type RawConfig, type ScaffoldConfig } from './options.ts';
import { rules } from './rules.ts';
import { type ConfigProblem, type ConfigSources, mergeSources, UNKNOWN_KEY, validateValues } from './values.ts';

export type { ScaffoldConfig } from './options.ts';

/**
 * Resolves a configuration: a flag, else the file, else the default. Pure: it reads and writes nothing.
 *
 * @throws {UserError} Exit code 2, with every problem of the configuration at once.
 */
export function resolveConfig(sources: ConfigSources): ScaffoldConfig {
  const { given, problems: unreadable } = mergeSources(sources);
  const { values, invalid, problems: misshapen } = validateValues(given);
  const draft = { given, values, invalid, transports: resolveTransports(values) };
  // An unread file may contain anything, so no option is reported as missing.
  const broken = sources.fileProblem ? [] : rules.flatMap(rule => rule(draft));
  const problems = [...unreadable, ...misshapen, ...broken];
  if (problems.length > 0) throw configError(problems);
  return complete(values, draft.transports);
}

/** The transports of a configuration without duplicates. Each generic id is replaced by the id for its call direction. */
function resolveTransports(values: ConfigValues): string[] {
  const resolve = (id: string) =>
    transports.find(row => row.generic === id && row.modeKey && row.direction === values[row.modeKey])?.id ?? id;
  return unique((values.transports ?? []).map(resolve));
}

/** Applies defaults to valid values, and derives the other values from them. */
function complete(values: ConfigValues, ids: string[]): ScaffoldConfig {
  const { bot_type: botType, client_framework: chosen = 'none' } = values;
  const framework = chosen === 'none' ? null : chosen;
  const rows = ids.map(findTransport);
  const isTelephony = rows.some(row => botTypeOf(row) === 'telephony');
  // The direction of the transport that a call mode belongs to.
  const callMode = (key: ConfigKey) => rows.find(({ modeKey }) => modeKey === key)?.direction ?? null;
  const config = {
    // Defaults come first because they set the order of the keys.
    ...defaults,
    ...values,
    bot_type: botType ?? (isTelephony ? 'telephony' : 'web'),
    transports: ids,
    generate_client: framework !== null,
    client_framework: framework,
    client_server: framework && (values.client_server ?? 'bundler'),
    daily_pstn_mode: callMode('daily_pstn_mode'),
    twilio_daily_sip_mode: callMode('twilio_daily_sip_mode'),
    video_output: values.video_output === true || values.video_service !== undefined,
  };
  // The rules have checked the values that can't be null.
  return config as ScaffoldConfig;
}

const LIST = 'botcli init --list-options';

function configError(problems: readonly ConfigProblem[]): UserError {
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  // With more, the input probably isn't a configuration.
  const shown = firstOf(problems.map(({ name, message }) => `${name} ${message}`));
  const isLost = problems.some(({ message }) => message === UNKNOWN_KEY);
  return usageError(`${count} with this configuration; nothing was written:`, {
    reason: 'invalid-configuration',
    problems: shown,
    // A problem may have named the list already. The quickstart's configuration has every key.
    hint: [
      ...(isLost ? ['All keys: botcli init quickstart --dry-run.'] : []),
      ...(shown.some(line => line.includes(LIST)) ? [] : [`All values: ${LIST}.`]),
      'All options: botcli init --help.',
    ].join(' '),
  });
}

/** What people put work into, and what they call it: it goes only if they say so. */
const PRECIOUS = [
  ['client_framework', 'web client'],
  ['video_service', 'avatar'],
] as const;

/** What of that a project had, and would lose with a new configuration. */
export function lostBetween(before: RawConfig, after: RawConfig) {
  const isChosen = (value: unknown) => typeof value === 'string' && value !== 'none';
  return PRECIOUS.filter(([key]) => isChosen(before[key]) && !isChosen(after[key]));
}
