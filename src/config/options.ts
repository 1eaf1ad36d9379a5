import { SERVICE_KINDS, type ServiceKind, serviceIds, services, transportIds, transports } from '../catalog/index.ts';

/** The key of a scaffold option, as the JSON configuration file has it. */
export type ConfigKey =
  | 'project_name'
  | 'bot_type'
  | 'transports'
  | 'mode'
  | `${ServiceKind}_service`
  | 'client_framework'
  | 'client_server'
  | 'daily_pstn_mode'
  | 'twilio_daily_sip_mode'
  | 'video_input'
  | 'video_output'
  | 'recording'
  | 'transcription'
  | 'deploy_to_cloud'
  | 'enable_noisecancel'
  | 'enable_observability'
  | 'enable_eval';

/** One scaffold option. Flags, generator options, configuration keys, help, JSON Schema and docs come from it. */
export interface ScaffoldOption {
  key: ConfigKey;
  /** The long flag without its dashes; with underscores it is accepted as a key of the file, too. */
  flag: string;
  short?: string;
  /** `list` may be repeated; a `boolean` has both forms, `--x` and `--no-x`. */
  kind: 'text' | 'list' | 'boolean';
  /** What stands for the value in help. */
  placeholder?: string;
  /** The allowed values; absent for free text. */
  values?: readonly string[];
  /** What people call the values. */
  names?: Readonly<Record<string, string>>;
  /** Whether the values by themselves say nothing of what they are. */
  isNeutral?: true;
  default?: boolean;
  group: string;
  help: string;
}

const DIRECTIONS = ['dial-in', 'dial-out'] as const;

/** What people call the transports; an id without a direction has the name of both. */
export const transportNames: Readonly<Record<string, string>> = Object.fromEntries(
  transports.flatMap(({ id, generic, label, direction }) => [
    [id, label],
    ...(generic ? [[generic, label.replace(`, ${direction}`, '')]] : []),
  ]),
);

/** A name without what explains it: `Daily` of `Daily, hosted WebRTC`. */
export const shortName = (name: string): string => name.replace(/,.*/, '');

/** The transports as help lists them: what is recommended first, those with a direction once. */
function listTransports(): string {
  const ids = transports.map(({ id, generic }) => generic ?? id);
  const first = transports.filter(({ recommended }) => recommended).map(({ id }) => id);
  return [...new Set([...first, ...ids])].map(id => `${id} (${shortName(transportNames[id] ?? '')})`).join(', ');
}

const service = (kind: ServiceKind, help: string): ScaffoldOption => ({
  key: `${kind}_service`,
  flag: kind,
  kind: 'text',
  placeholder: 'service',
  values: serviceIds(kind),
  names: Object.fromEntries(services[kind].map(({ id, label }) => [id, label])),
  group: 'AI services',
  help,
});

const feature = (key: ConfigKey, help: string, more: Partial<ScaffoldOption> = {}): ScaffoldOption => ({
  key,
  flag: key.replaceAll('_', '-'),
  kind: 'boolean',
  default: false,
  group: 'Features',
  help,
  ...more,
});

/** Every scaffold option, in the order of the resolved configuration. */
export const scaffoldOptions: readonly ScaffoldOption[] = [
  {
    key: 'project_name',
    flag: 'name',
    short: 'n',
    kind: 'text',
    placeholder: 'name',
    group: 'Project',
    help: "Project name; the target directory's name when left out",
  },
  {
    key: 'bot_type',
    flag: 'bot-type',
    short: 'b',
    kind: 'text',
    placeholder: 'type',
    values: ['web', 'telephony'],
    group: 'Project',
    help: 'web or telephony; inferred from the transports when left out',
  },
  {
    key: 'transports',
    flag: 'transport',
    short: 't',
    kind: 'list',
    placeholder: 'id',
    values: [...transportIds('web'), ...transportIds('telephony')],
    names: transportNames,
    isNeutral: true,
    group: 'Project',
    help: `How people reach the bot: ${listTransports()}`,
  },
  {
    key: 'mode',
    flag: 'mode',
    short: 'm',
    kind: 'text',
    placeholder: 'mode',
    values: ['cascade', 'realtime'],
    group: 'AI services',
    help: 'cascade (speech-to-text, language model, text-to-speech) or realtime (speech-to-speech)',
  },
  service('stt', 'Speech-to-text service (cascade), such as deepgram_stt'),
  service('llm', 'Language model (cascade), such as openai_llm'),
  service('tts', 'Text-to-speech service (cascade), such as cartesia_tts'),
  service('realtime', 'Speech-to-speech service (realtime), such as openai_realtime'),
  service('video', 'Video avatar service (web bots only)'),
  {
    key: 'client_framework',
    flag: 'client-framework',
    kind: 'text',
    placeholder: 'framework',
    values: ['component', 'vanilla', 'none'],
    names: { component: 'React', vanilla: 'TypeScript' },
    isNeutral: true,
    group: 'Web client',
    help: 'component (React), vanilla (TypeScript) or none (web bots only)',
  },
  {
    key: 'client_server',
    flag: 'client-server',
    kind: 'text',
    placeholder: 'server',
    values: ['bundler', 'fullstack'],
    names: { bundler: 'Vite', fullstack: 'Next.js' },
    isNeutral: true,
    group: 'Web client',
    help: 'bundler (Vite) or fullstack (Next.js), with client framework component',
  },
  {
    key: 'daily_pstn_mode',
    flag: 'daily-pstn-mode',
    kind: 'text',
    placeholder: 'direction',
    values: DIRECTIONS,
    group: 'Calls',
    help: 'dial-in or dial-out; required by transport rtc_hosted_pstn',
  },
  {
    key: 'twilio_daily_sip_mode',
    flag: 'twilio-daily-sip-mode',
    kind: 'text',
    placeholder: 'direction',
    values: DIRECTIONS,
    group: 'Calls',
    help: 'dial-in or dial-out; required by transport tel_a_rtc_sip',
  },
  feature('video_input', 'Video input (web bots only)'),
  feature('video_output', 'Video output (web bots only)'),
  feature('recording', 'Audio recording'),
  feature('transcription', 'Transcription logging'),
  feature('deploy_to_cloud', 'Cloud deployment: container-file and cloud-deploy.toml', { default: true }),
  feature('enable_noisecancel', 'Noise cancellation; requires cloud deployment'),
  feature('enable_observability', 'Observability', { flag: 'observability' }),
  feature('enable_eval', 'Evals: an eval transport, starter scenarios and what runs them', { flag: 'eval' }),
];

/** An option of the generators that is no part of a configuration. */
export interface RunOption {
  flag: string;
  kind: 'text' | 'boolean' | 'switch';
  group: string;
  help: string;
}

const RUN = 'This run';

/** What a generator takes beside a configuration: where to, and what becomes of files that are there. */
export const runOptions = {
  directory: { flag: 'directory', kind: 'text', group: RUN, help: 'Where to; . is this directory' },
  overwriteGuide: { flag: 'overwrite-guide', kind: 'boolean', group: RUN, help: 'Overwrite guide files that exist' },
  gettingStarted: {
    flag: 'getting-started',
    kind: 'boolean',
    group: RUN,
    help: 'Write GETTING_STARTED.md, too: for a person who builds with a coding agent',
  },
  force: { flag: 'force', kind: 'switch', group: RUN, help: 'Overwrite other files that exist' },
} as const satisfies Record<string, RunOption>;

/** A bot to show in help. */
export const EXAMPLE_BOT = '-t rtc_local -m cascade --stt deepgram_stt --llm openai_llm --tts cartesia_tts';

/** What help says of a scaffold option. */
export const describeOption = ({ help, default: preset }: ScaffoldOption): string =>
  preset ? `${help} (on by default)` : help;

/** What a person or program typed, or a file holds, not yet validated. An option that is absent was not given. */
export type RawConfig = Partial<Record<ConfigKey, unknown>>;

/** The row of a key. */
export function findOption(key: ConfigKey): ScaffoldOption {
  const row = scaffoldOptions.find(option => option.key === key);
  if (!row) throw new Error(`There is no option ${key}`);
  return row;
}

/** What `--list-options` prints: every value that a scaffold option takes, by kind. */
export function listOptions(): Record<string, unknown> {
  return {
    bot_type: findOption('bot_type').values,
    transports: { web: transportIds('web'), telephony: transportIds('telephony') },
    ...Object.fromEntries(SERVICE_KINDS.map(kind => [kind, serviceIds(kind)])),
  };
}
