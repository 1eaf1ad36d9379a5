import {
  botTypeOf,
  COMPANIONS,
  exampleTransport,
  findTransport,
  languageName,
  recommendedFirst,
  SERVICE_KINDS,
  services,
  speaks,
  transports,
} from '../catalog/index.ts';
import { unique } from '../std.ts';
import { listed } from '../text.ts';
import { type ConfigKey, type ConfigValues, flagOf } from './options.ts';

export interface ConfigProblem {
  /** The option as the user wrote it: `--stt`, or `"stt_service" in bot.json`. */
  name: string;
  message: string;
}

/** The options that were given: each value, and its name in messages. */
export type Given = Map<ConfigKey, { value: unknown; name: string }>;

/** A configuration before it is resolved: values that are valid on their own, and what was given. */
interface Draft {
  given: Given;
  /** Valid values only, with defaults applied. */
  values: ConfigValues;
  invalid: ReadonlySet<ConfigKey>;
  /** Resolved transports: the directional ids. */
  transports: string[];
}

const CASCADE_KEYS: ConfigKey[] = ['stt_service', 'llm_service', 'tts_service'];
const REALTIME_KEYS: ConfigKey[] = ['realtime_service'];
const WEB_KEYS: ConfigKey[] = ['video_service', 'client_framework', 'client_server', 'video_input', 'video_output'];
const MODE_KEYS = unique(transports.flatMap(({ modeKey }) => modeKey ?? []));

/** Whether a key was given, and is valid on its own. */
const has = ({ given, invalid }: Draft, key: ConfigKey) => given.has(key) && !invalid.has(key);

const isTelephonyBot = ({ values, transports: ids }: Draft) =>
  values.bot_type === 'telephony' || (values.bot_type === undefined && ids.some(isTelephonyTransport));

/** The row of a transport, or of the first direction of one without a direction. */
const rowOf = (id: string) => findTransport(transports.find(row => row.generic === id)?.id ?? id);

const isTelephonyTransport = (id: string): boolean => botTypeOf(rowOf(id)) === 'telephony';

/** An option as it was written; its flag if it wasn't given. */
const nameOf = ({ given }: Draft, key: ConfigKey): string => given.get(key)?.name ?? flagOf(key);

const problem = (draft: Draft, key: ConfigKey, message: string): ConfigProblem => ({
  name: nameOf(draft, key),
  message,
});

/** A problem for each missing key. */
const missing = (draft: Draft, keys: ConfigKey[], why: string): ConfigProblem[] =>
  keys.filter(key => !draft.given.has(key)).map(key => problem(draft, key, `is missing: ${why}`));

/** A problem for each key that was given but can't be used here. */
const unusable = (draft: Draft, keys: ConfigKey[], why: string): ConfigProblem[] =>
  keys.filter(key => has(draft, key)).map(key => problem(draft, key, why));

/** The rules between the values of a configuration. Each is independent of the others. */
export const rules: readonly ((draft: Draft) => ConfigProblem[])[] = [
  draft => missing(draft, ['transports'], `say how people reach the bot, for example -t ${exampleTransport('web')}`),
  draft => missing(draft, ['mode'], 'choose cascade or realtime'),

  // The services of the mode, and no others.
  draft => {
    const { mode } = draft.values;
    if (mode === undefined) return [];
    const [own, others] = mode === 'cascade' ? [CASCADE_KEYS, REALTIME_KEYS] : [REALTIME_KEYS, CASCADE_KEYS];
    return [
      ...missing(draft, own, `mode ${mode} needs it`),
      ...unusable(draft, others, `can't be used with mode ${mode}`),
    ];
  },

  // A call mode and its transport.
  draft =>
    MODE_KEYS.flatMap(key => {
      const row = transports.find(one => one.modeKey === key);
      const wanted = draft.values.transports?.includes(row?.generic ?? '');
      return wanted ? missing(draft, [key], `transport ${row?.generic} needs it (dial-in or dial-out)`) : [];
    }),
  draft => MODE_KEYS.flatMap(key => callModeWithoutTransport(draft, key)),
  incompatibleTransports,

  // Web and telephony.
  transportsOfOtherType,
  draft => {
    if (!isTelephonyBot(draft)) return [];
    const used = WEB_KEYS.filter(key => draft.values[key] !== false);
    return unusable(draft, used, 'is for web bots only, and this is a telephony bot');
  },

  // The client.
  draft => {
    const { client_framework: framework, client_server: server } = draft.values;
    if (!has(draft, 'client_server') || isTelephonyBot(draft) || draft.invalid.has('client_framework')) return [];
    if (framework === undefined) {
      return [problem(draft, 'client_server', 'needs a client: add --client-framework component')];
    }
    const why = 'is fullstack, which needs client framework component; with vanilla, use bundler';
    return framework === 'vanilla' && server === 'fullstack' ? [problem(draft, 'client_server', why)] : [];
  },

  // Features.
  draft =>
    has(draft, 'video_service') && draft.given.get('video_output')?.value === false
      ? [problem(draft, 'video_output', 'is off, but the video avatar needs it')]
      : [],
  unusableVideoInput,
  draft => {
    const { enable_noisecancel: isWanted, deploy_to_cloud: isDeployed } = draft.values;
    if (!isWanted || isDeployed !== false) return [];
    // A flag that is off is `--no-…`.
    const off = nameOf(draft, 'deploy_to_cloud').replace(/^--/, '--no-');
    return [problem(draft, 'enable_noisecancel', `needs cloud deployment: remove ${off}`)];
  },
  servicesWithoutLanguage,
];

/** Services to name in a message: with more, it says how many there are. */
const MOST_SERVICES = 8;

/** The services that don't know the bot's language, each with those that do. */
function servicesWithoutLanguage(draft: Draft): ConfigProblem[] {
  const { language } = draft.values;
  if (language === undefined) return [];
  return SERVICE_KINDS.flatMap(kind => {
    const key = `${kind}_service` as const;
    const row = services[kind].find(({ id }) => id === draft.values[key]);
    if (!row || speaks(row, language)) return [];
    const others = services[kind].filter(one => speaks(one, language)).sort(recommendedFirst);
    const these = others.map(({ id }) => id);
    const instead = these.length > 0 ? `These do: ${listed(these, MOST_SERVICES)}` : 'No service of this kind does';
    return [
      problem(draft, key, `can't be ${row.id}: it doesn't know ${languageName(language)} (${language}). ${instead}`),
    ];
  });
}

function callModeWithoutTransport(draft: Draft, key: ConfigKey): ConfigProblem[] {
  if (!has(draft, key) || draft.invalid.has('transports')) return [];
  const directions = draft.transports.map(rowOf).filter(row => row.modeKey === key);
  const generic = transports.find(row => row.modeKey === key)?.generic;
  if (directions.length === 0) return [problem(draft, key, `needs transport ${generic}`)];
  const mode = draft.values[key];
  return directions
    .filter(row => row.direction !== mode)
    .map(row => problem(draft, key, `is ${mode}, which contradicts transport ${row.id}`));
}

/** A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any. */
function unusableVideoInput(draft: Draft): ConfigProblem[] {
  const { mode, realtime_service: id, video_input: input } = draft.values;
  const service = services.realtime.find(row => row.id === id);
  if (mode !== 'realtime' || input !== true || !service || service.sees) return [];
  const seeing = services.realtime.filter(row => row.sees).map(row => row.id);
  return [
    problem(draft, 'video_input', `has no effect with ${id}, which can't see images. These can: ${seeing.join(', ')}`),
  ];
}

/** The first pair of transports that can't share a bot. */
function incompatibleTransports(draft: Draft): ConfigProblem[] {
  const pairs = draft.transports.flatMap((one, at) =>
    draft.transports.slice(at + 1).map(other => [one, other] as const),
  );
  const pair = pairs.find(([one, other]) => !COMPANIONS[rowOf(one).family].includes(rowOf(other).family));
  if (!pair) return [];
  const why = 'each starts it with a different kind of request';
  return [problem(draft, 'transports', `${pair.join(' and ')} can't share a bot: ${why}. Create one bot for each`)];
}

function transportsOfOtherType(draft: Draft): ConfigProblem[] {
  if (!draft.given.has('transports') || draft.invalid.has('transports')) return [];
  const telephony = draft.transports.filter(isTelephonyTransport);
  if (draft.values.bot_type === 'telephony' && telephony.length === 0) {
    const example = exampleTransport('telephony');
    return [
      problem(draft, 'transports', `needs a telephony transport, such as ${example}, because this is a telephony bot`),
    ];
  }
  if (draft.values.bot_type === 'web' && telephony.length > 0) {
    return [problem(draft, 'bot_type', `is web, which contradicts ${telephony.join(' and ')} (telephony)`)];
  }
  return [];
}
