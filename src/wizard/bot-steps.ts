import {
  type BotType,
  botTypeOf,
  COMPANIONS,
  findTransport,
  LANGUAGES,
  languageName,
  ownName,
  recommendedFirst,
  type ServiceKind,
  type ServiceRow,
  services,
  sharesAccount,
  speaks,
  type TransportRow,
  transports,
} from '../catalog/index.ts';
import { problemOf, resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import {
  type ConfigKey,
  type ConfigValues,
  findOption,
  type LiteralOption,
  type RawConfig,
  scaffoldOptions,
  shortName,
  transportName,
} from '../config/options.ts';
import { quickstart } from '../config/quickstart.ts';
import type { Choice } from '../shell/terminal/question.ts';
import { remembered, unique } from '../std.ts';

/** What the list of features offers: options that are on or off, and an avatar, whose service is asked for next. */
type Feature = Extract<LiteralOption, { kind: 'boolean' }>['key'] | 'avatar';

/** The answers so far: options by their keys, and answers that only the wizard needs. An unanswered key is absent. */
export interface Answers extends Omit<ConfigValues, 'transports'> {
  directory?: string;
  /** Whether to replace guides from an older botcli. */
  refresh?: boolean;
  /**
   * With a coding agent, or with the questions of this wizard, for a new bot or the one that is there; `decided` if there
   * is nothing left to ask.
   */
  build?: 'agent' | 'bot' | 'change' | 'decided';
  /** Whether to ask only what has no right answer for most people. */
  settings?: 'recommended' | 'local' | 'steps';
  /** The web client: a framework, and the server for it. */
  client?: string;
  /** The phone provider, as the generic id of its transport. */
  transport?: string;
  /** The direction of calls, if the transport has two. */
  direction?: NonNullable<ScaffoldConfig['daily_pstn_mode']>;
  /** The transports of a web bot, or those of a phone bot in addition to its provider's. */
  more_transports?: readonly string[];
  features?: readonly Feature[];
  /** The last answer: whether to create the bot. */
  make?: boolean;
}

/** What the questions need to know about the disk and the terminal. */
export interface Surroundings {
  columns?: number;
  /** Why a directory can't be used; undefined if it can. */
  problemOf(directory: string): string | undefined;
  /** The name of a directory: the default project name. */
  nameOf(directory: string): string;
  hasBot(directory: string): boolean;
  /** Whether a directory has files. */
  hasFiles(directory: string): boolean;
  /** The guides for coding agents that a directory lacks. */
  missingGuides(directory: string): readonly string[];
  /** How botcli made the bot in a directory; undefined if it didn't, or if that isn't known. */
  madeAs(directory: string): ScaffoldConfig | undefined;
  /** The guides in a directory that an older botcli wrote. */
  olderGuides(directory: string): readonly string[];
}

/** What a step depends on: the earlier answers, and the surroundings. */
export interface Situation extends Surroundings {
  answers: Answers;
}

interface StepFields {
  key: keyof Answers;
  /** The answer's name in the summary. Without it, the summary omits the answer. */
  title?: string;
  question: string | ((situation: Situation) => string);
  /** Whether the question is relevant after the earlier answers. Default: always. */
  when?(situation: Situation): boolean;
  /** Whether it's asked even with the recommended settings, because only the user knows the answer. */
  isPersonal?: true;
}

/** A question of the wizard, as a row. `initial` is the answer that Enter alone gives; of one choice, it's the first. */
export type Step =
  | (StepFields & {
      kind: 'text';
      initial(situation: Situation): string;
      validate(answer: string, situation: Situation): string | undefined;
      /** The answer in the summary. Default: as it was typed. */
      describe?(answer: string, situation: Situation): string;
    })
  | (StepFields & { kind: 'one'; choices(situation: Situation): readonly Choice[] })
  | (StepFields & {
      kind: 'some';
      choices(situation: Situation): readonly Choice[];
      initial: readonly string[];
      validate?(answer: readonly string[], situation: Situation): string | undefined;
    })
  | (StepFields & { kind: 'yes-no'; initial(situation: Situation): boolean });

function choicesOf(key: ConfigKey): Choice[] {
  const { choices = [] } = findOption(key);
  return choices.map(({ value, name = value, label = name, hint }) => ({ value, label, ...(hint && { hint }) }));
}

const NONE = 'none';

/** Each framework with each server for it, and no web client. */
function clientChoices({ settings }: Answers): Choice[] {
  const [frameworks, servers] = [choicesOf('client_framework'), choicesOf('client_server')];
  const without = frameworks.filter(({ value }) => value === NONE);
  const pairs = frameworks.flatMap(framework =>
    servers
      .filter(({ value }) => framework.value === 'component' || (framework.value !== NONE && value === 'bundler'))
      .map(server => ({
        value: `${framework.value} ${server.value}`,
        label: `${framework.label} with ${server.label}`,
      })),
  );
  // The presets have none, so that nothing but the bot needs to run before the first word.
  if (settings === 'recommended' || settings === 'local') return without;
  return [...pairs, ...without].map((choice, at) => (at === 0 ? { ...choice, hint: 'recommended' } : choice));
}

function transportChoices(botType: BotType): Choice[] {
  const rows = transports.filter(row => botTypeOf(row) === botType).sort(recommendedFirst);
  // Those with two directions appear once.
  const choices = new Map(rows.map(row => [idOf(row), choiceOf(row)]));
  return [...choices.values()];
}

/** The transports that are compatible with the chosen one and with each other, so any of them may be added. */
function companionChoices({ bot_type: botType, transport }: Answers): Choice[] {
  const family = transports.find(row => idOf(row) === transport)?.family;
  if (!family) return [];
  const together = COMPANIONS[family].filter(other => COMPANIONS[other].includes(other));
  const rows = transports.filter(row => together.includes(row.family) && idOf(row) !== transport);
  // A phone bot can also have web transports. A web bot that takes calls would be a phone bot.
  const allowed = rows.filter(row => botType === 'telephony' || botTypeOf(row) === 'web');
  return allowed.sort(recommendedFirst).map(choiceOf);
}

/** The option for the direction of calls, if the chosen transport has two. */
const callModeOf = ({ transport }: Answers): TransportRow['modeKey'] =>
  transports.find(({ generic }) => generic !== undefined && generic === transport)?.modeKey;

/** The directions of the chosen transport. The ids are shown: they are clearer than the labels. */
function directionChoices(answers: Answers): Choice[] {
  const key = callModeOf(answers);
  return key ? choicesOf(key).map(choice => ({ ...choice, id: choice.value })) : [];
}

/** The transports that a bot has unless others are chosen: with them, it can be tried in a browser at once. */
const PRESET_TRANSPORTS: readonly string[] = transports.flatMap(row => (row.recommended ? [idOf(row)] : []));

const isWeb = ({ bot_type: type }: Answers): boolean => type === 'web';
const isPhone = (answers: Answers): boolean => !isWeb(answers);

/** The id of a transport among the choices: without its direction, which is a question of its own. */
function idOf({ generic, id }: TransportRow): string {
  return generic ?? id;
}

function choiceOf(row: TransportRow): Choice {
  const choice = { value: idOf(row), label: transportName(idOf(row)), id: idOf(row) };
  // Phone providers all need an account.
  if (botTypeOf(row) === 'telephony') return choice;
  const account = `works anywhere, needs a ${shortName(row.label)} account`;
  return { ...choice, hint: row.isPeerToPeer ? 'free, no account, on this computer' : account };
}

const FEATURES: readonly (Choice & { value: Feature; when?: (answers: Answers) => boolean })[] = [
  { value: 'recording', label: 'Recording', hint: 'an audio file of each conversation' },
  { value: 'transcription', label: 'Transcription', hint: 'a log of what was said' },
  { value: 'video_input', label: 'Video input', hint: 'the bot sees the camera', when: showsCamera },
  { value: 'video_output', label: 'Video output', hint: 'the bot shows a picture', when: isWeb },
  { value: 'avatar', label: 'Video avatar', hint: 'a face that speaks', when: isWeb },
  { value: 'enable_observability', label: 'Observability', hint: 'a debugger, and traces' },
  { value: 'enable_eval', label: 'Evals', hint: 'test conversations' },
  { value: 'journal', label: 'Journal', hint: 'where the time of each call went' },
  { value: 'deploy_to_cloud', label: 'Cloud deployment', hint: 'the files for it' },
  { value: 'enable_noisecancel', label: 'Noise cancellation', hint: 'in the cloud' },
];

/** The features of a bot. An avatar brings its own video output. */
function featuresOf(config: ScaffoldConfig): Feature[] {
  const hasAvatar = config.video_service !== null;
  const isOn = (value: Feature) =>
    value === 'avatar' ? hasAvatar : config[value] && !(value === 'video_output' && hasAvatar);
  return FEATURES.flatMap(({ value }) => (isOn(value) ? [value] : []));
}

/** The features that are on unless they're turned off. */
const PRESET_FEATURES = featuresOf(quickstart);

/** A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any. */
function showsCamera(answers: Answers): boolean {
  const { mode, realtime_service: id } = answers;
  return isWeb(answers) && (mode !== 'realtime' || services.realtime.some(row => row.id === id && row.sees));
}

/** The choice that leaves the language to the libraries. */
const DEFAULT_LANGUAGE: Choice = { value: 'default', label: 'English', hint: 'default' };

/** The services that hear and speak. */
const SPEECH: Readonly<Record<string, readonly ServiceKind[]>> = { cascade: ['stt', 'tts'], realtime: ['realtime'] };

const languageChoices = ({ mode = 'cascade' }: Answers): Choice[] => languagesOf(SPEECH[mode] ?? []);

/**
 * English, as the libraries have it by default, and every other language that such a bot can speak, by name. They are
 * asked for again and again, and take a while to compute.
 */
const languagesOf = remembered((kinds: readonly ServiceKind[]): Choice[] => {
  const isSpoken = (code: string) => kinds.every(kind => services[kind].some(row => speaks(row, code)));
  const others = LANGUAGES.filter(code => code !== 'en' && isSpoken(code));
  const choices = others.map(code => ({
    value: code,
    label: languageName(code),
    id: code,
    alias: ownName(code) ?? '',
  }));
  const { compare } = new Intl.Collator('en');
  return [DEFAULT_LANGUAGE, ...choices.sort((one, other) => compare(one.label, other.label))];
});

/** A question with one answer, which depends on earlier answers alone. */
const one = (
  key: Step['key'],
  title: string | undefined,
  question: string,
  choices: (answers: Answers) => readonly Choice[],
  { when, isPersonal }: { when?: (answers: Answers) => boolean; isPersonal?: true } = {},
): Step => ({
  key,
  kind: 'one',
  question,
  choices: ({ answers }) => choices(answers),
  ...(title && { title }),
  ...(when && { when: ({ answers }) => when(answers) }),
  ...(isPersonal && { isPersonal }),
});

const service = (kind: Exclude<ServiceKind, 'video'>, mode: string, title: string, question: string): Step =>
  one(`${kind}_service`, title, question, answers => serviceChoices(kind, answers), {
    when: answers => answers.mode === mode,
  });

const isNew = ({ build }: Answers): boolean => build !== 'change';

export const botSteps: readonly Step[] = [
  one('settings', undefined, 'Quick start, or choose everything?', settingsChoices, { when: isNew }),
  {
    key: 'project_name',
    kind: 'text',
    title: 'Name',
    question: 'Project name',
    // The name is the directory's, unless that can't be one.
    when: ({ answers, nameOf }) =>
      isNew(answers) && problemOf('project_name', nameOf(answers.directory ?? '.')) !== undefined,
    initial: () => 'bot',
    validate: answer => problemOf('project_name', answer),
    isPersonal: true,
  },
  one('bot_type', 'Access', 'How will people talk to it?', () => choicesOf('bot_type'), { isPersonal: true }),
  one('client', 'Web client', 'Which web client?', clientChoices, { when: isWeb }),
  one('transport', 'Phone provider', 'Which phone provider?', () => transportChoices('telephony'), {
    when: isPhone,
    isPersonal: true,
  }),
  one('direction', 'Calls', 'Who calls whom?', directionChoices, { isPersonal: true }),
  {
    key: 'more_transports',
    kind: 'some',
    title: 'Transports',
    question: 'How should audio travel?',
    when: ({ answers }) => isWeb(answers),
    choices: () => transportChoices('web'),
    initial: quickstart.transports,
    validate: values => (values.length === 0 ? 'Choose at least one' : undefined),
  },
  {
    key: 'more_transports',
    kind: 'some',
    title: 'Also over',
    question: 'Also reachable another way?',
    when: ({ answers }) => isPhone(answers),
    choices: ({ answers }) => companionChoices(answers),
    initial: PRESET_TRANSPORTS,
  },
  one('mode', 'Pipeline', 'How should it think?', () => choicesOf('mode')),
  one('language', 'Language', 'Which language does it speak?', languageChoices),
  service('stt', 'cascade', 'Speech-to-text', 'Which service listens?'),
  service('llm', 'cascade', 'Language model', 'Which service writes the answers?'),
  service('tts', 'cascade', 'Text-to-speech', 'Which service speaks?'),
  service('realtime', 'realtime', 'Speech-to-speech', 'Which service listens and speaks?'),
  {
    key: 'features',
    kind: 'some',
    title: 'Features',
    question: 'Which features?',
    choices: ({ answers }) => FEATURES.flatMap(({ when, ...choice }) => (when?.(answers) === false ? [] : [choice])),
    initial: PRESET_FEATURES,
    validate: values =>
      values.includes('enable_noisecancel') && !values.includes('deploy_to_cloud')
        ? 'Noise cancellation needs Cloud deployment'
        : undefined,
  },
  one('video_service', 'Avatar', 'Which avatar service?', answers => serviceChoices('video', answers), {
    when: ({ features = [] }) => features.includes('avatar'),
  }),
];

/** The services of which a cascade has one each, in the order of the pipeline. */
const CASCADE = ['stt', 'llm', 'tts'] as const;

/**
 * The services of a kind that know the bot's language: first those of an account that the bot already needs, then the
 * recommended ones, then the others by name. Those that have ended are last.
 */
function serviceChoices(kind: ServiceKind, answers: Answers): Choice[] {
  const { language = DEFAULT_LANGUAGE.value } = answers;
  const rows = services[kind].filter(row => language === DEFAULT_LANGUAGE.value || speaks(row, language));
  const chosen = CASCADE.filter(one => one !== kind).flatMap(one =>
    services[one].filter(({ id }) => id === answers[`${one}_service`]),
  );
  const known = new Set(rows.filter(row => chosen.some(one => sharesAccount(one, row))));
  // Whether one account is enough for a recommended cascade.
  const servesAll = (row: ServiceRow) =>
    CASCADE.every(one => services[one].some(other => other.recommended && sharesAccount(row, other)));
  const order = (row: ServiceRow, other: ServiceRow) =>
    Number(row.ended !== undefined) - Number(other.ended !== undefined) ||
    Number(known.has(other)) - Number(known.has(row)) ||
    recommendedFirst(row, other);
  return rows.sort(order).map(row => {
    const hints = [
      ...(row.ended ? [`ended on ${row.ended.on}`] : []),
      ...(row.recommended === 1 ? ['recommended'] : []),
      ...(known.has(row) ? ['same account'] : []),
      ...(kind === 'stt' && row.recommended && servesAll(row) ? ['one key for all three'] : []),
    ];
    return { value: row.id, label: row.label, id: row.id, ...(hints.length > 0 && { hint: hints.join(', ') }) };
  });
}

function settingsChoices(): Choice[] {
  const [first] = [...services.stt].sort(recommendedFirst);
  return [
    { value: 'recommended', label: 'Quick start', hint: `needs only an ${first?.label} key` },
    { value: 'local', label: 'Everything on this computer', hint: 'no account, 3 GB of models' },
    { value: 'steps', label: 'Customize', hint: 'services, language, web client, features' },
  ];
}

/** The answers in the form that flags give, so that the same rules validate both. */
function rawConfigOf(answers: Answers): RawConfig {
  const { client = '', transport, direction, more_transports: more = [], features = [], language } = answers;
  const answered: RawConfig = answers;
  const callMode = callModeOf(answers);
  const [framework, server] = client.split(' ');
  return {
    ...Object.fromEntries(scaffoldOptions.map(({ key }) => [key, answered[key]])),
    transports: transport === undefined ? more : [transport, ...more],
    ...(callMode ? { [callMode]: direction } : {}),
    client_framework: framework || undefined,
    client_server: server,
    language: language === DEFAULT_LANGUAGE.value ? undefined : language,
    ...Object.fromEntries(PRESET_FEATURES.map(key => [key, false])),
    ...Object.fromEntries(features.filter(key => key !== 'avatar').map(key => [key, true])),
  };
}

export function configOf(situation: Situation): ScaffoldConfig {
  const { answers, nameOf } = situation;
  // A bot that changes keeps its name, the order of its transports, and what nobody was asked about.
  const made = madeBefore(situation);
  const directoryName = made?.project_name ?? nameOf(answers.directory ?? '.');
  const config = resolveConfig({ flags: rawConfigOf(answers), directoryName });
  if (!made) return config;
  const transports = [...made.transports.filter(id => config.transports.includes(id)), ...config.transports];
  return { ...config, transports: unique(transports), ci: made.ci };
}

/** How the bot was made that the answers change; undefined if they don't change one. */
export const madeBefore = ({ answers, madeAs }: Situation): ScaffoldConfig | undefined =>
  answers.build === 'change' ? madeAs(answers.directory ?? '.') : undefined;

/** The answers that give this configuration: the defaults for changing a bot. */
export function presentAnswers(config: ScaffoldConfig): Answers {
  const { bot_type: type, transports, client_framework: framework, client_server: server, ...rest } = config;
  const rows = transports.map(findTransport);
  const phones = type === 'telephony' ? rows.filter(row => botTypeOf(row) === type) : [];
  // Only the provider's question is followed by one about the direction.
  const provider = phones.find(row => row.direction) ?? phones[0];
  const given = Object.entries(rest).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(given),
    bot_type: type,
    client: framework ? `${framework} ${server}` : 'none',
    ...(provider && { transport: idOf(provider) }),
    ...(provider?.direction && { direction: provider.direction }),
    more_transports: rows.filter(row => row !== provider).map(idOf),
    features: featuresOf(config),
  };
}
