import { type BotType, botTypeOf, type CallDirection, findTransport, transports } from '../catalog/index.ts';
import type { UserError } from '../errors.ts';
import { usageError } from '../errors.ts';
import type { ConfigKey, RawConfig } from './options.ts';
import { checkRules } from './rules.ts';
import { type ConfigSources, mergeSources, type Problem } from './sources.ts';
import { validateShape } from './values.ts';

/** So many problems are told; who has more has given something else than a configuration. */
const MOST_PROBLEMS = 20;

type Mode = 'cascade' | 'realtime';

/** A resolved scaffold: valid, with every default applied. The keys are those of the JSON, in its order. */
export interface ScaffoldConfig {
  project_name: string;
  bot_type: BotType;
  /** Resolved ids: where calls have a direction, the id carries it. */
  transports: string[];
  mode: Mode;
  stt_service: string | null;
  llm_service: string | null;
  tts_service: string | null;
  realtime_service: string | null;
  video_service: string | null;
  generate_client: boolean;
  client_framework: 'component' | 'vanilla' | null;
  client_server: 'bundler' | 'fullstack' | null;
  daily_pstn_mode: CallDirection | null;
  twilio_daily_sip_mode: CallDirection | null;
  video_input: boolean;
  video_output: boolean;
  recording: boolean;
  transcription: boolean;
  deploy_to_cloud: boolean;
  enable_noisecancel: boolean;
  enable_observability: boolean;
  enable_eval: boolean;
}

/**
 * Resolves a configuration: typed flag, else file, else default. Pure: nothing is read or written.
 *
 * @throws {UserError} Exit code 2, with every problem of the configuration at once.
 */
export function resolveConfig(sources: ConfigSources): ScaffoldConfig {
  const { given, problems: unreadable } = mergeSources(sources);
  const { values, invalid, problems: misshapen } = validateShape(given);
  const draft = { given, values, invalid, transports: resolveTransports(values) };
  // What an unread file would have said is unknown, so nothing is called missing.
  const broken = sources.fileProblem ? [] : checkRules(draft);
  const problems = [...unreadable, ...misshapen, ...broken];
  if (problems.length > 0) throw configError(problems);
  return complete(values, draft.transports);
}

/** The transports of a configuration, once each, every generic id replaced by the one of its call direction. */
function resolveTransports(values: RawConfig): string[] {
  const ids = (values.transports ?? []) as string[];
  const resolve = (id: string) =>
    transports.find(row => row.generic === id && row.modeKey && row.direction === values[row.modeKey])?.id ?? id;
  return [...new Set(ids.map(resolve))];
}

/** The direction of the transport that a call mode is for, or nothing. */
function callMode(ids: readonly string[], key: ConfigKey): CallDirection | null {
  const row = ids.map(findTransport).find(one => one.modeKey === key);
  return row?.direction ?? null;
}

function complete(values: RawConfig, ids: string[]): ScaffoldConfig {
  const framework = values.client_framework === 'none' ? undefined : values.client_framework;
  const isTelephony = ids.some(id => botTypeOf(findTransport(id)) === 'telephony');
  const setting = <Key extends keyof ScaffoldConfig>(key: Key & ConfigKey) =>
    (values[key] ?? null) as ScaffoldConfig[Key];
  return {
    project_name: setting('project_name'),
    bot_type: setting('bot_type') ?? (isTelephony ? 'telephony' : 'web'),
    transports: ids,
    mode: setting('mode'),
    stt_service: setting('stt_service'),
    llm_service: setting('llm_service'),
    tts_service: setting('tts_service'),
    realtime_service: setting('realtime_service'),
    video_service: setting('video_service'),
    generate_client: framework !== undefined,
    client_framework: (framework ?? null) as ScaffoldConfig['client_framework'],
    client_server: framework ? ((values.client_server ?? 'bundler') as ScaffoldConfig['client_server']) : null,
    daily_pstn_mode: callMode(ids, 'daily_pstn_mode'),
    twilio_daily_sip_mode: callMode(ids, 'twilio_daily_sip_mode'),
    video_input: setting('video_input'),
    video_output: setting('video_output') || values.video_service !== undefined,
    recording: setting('recording'),
    transcription: setting('transcription'),
    deploy_to_cloud: setting('deploy_to_cloud'),
    enable_noisecancel: setting('enable_noisecancel'),
    enable_observability: setting('enable_observability'),
    enable_eval: setting('enable_eval'),
  };
}

function configError(problems: readonly Problem[]): UserError {
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  const told = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - told.length;
  return usageError(`${count} with this scaffold; nothing was written:`, {
    reason: 'invalid-configuration',
    problems: [...told.map(({ name, message }) => `${name} ${message}`), ...(more > 0 ? [`and ${more} more`] : [])],
    hint: 'Every value: botcli init --list-options. Every option: botcli init --help.',
  });
}
