import {
  type BotType,
  botTypeOf,
  type CallModeKey,
  COMPANIONS,
  LANGUAGES,
  languageName,
  recommendedFirst,
  type ServiceKind,
  type ServiceRow,
  services,
  sharesAccount,
  speaks,
  type TransportRow,
  transports,
} from '../catalog/index.ts';
import { findOption, type LiteralOption, shortName, transportNames } from '../config/options.ts';
import type { Choice } from '../shell/terminal/question.ts';
import type { Answers, Feature } from './step.ts';

/** Options whose rows list their choices. */
type ChoiceKey = Extract<LiteralOption, { choices: unknown }>['key'];

/** The choices of an option, from its row. */
export function choicesOf(key: ChoiceKey): Choice[] {
  const { choices = [] } = findOption(key);
  return choices.map(({ value, name = value, label = name, hint }) => ({ value, label, ...(hint && { hint }) }));
}

/** The choice that leaves the language to the libraries. */
export const DEFAULT_LANGUAGE: Choice = { value: 'default', label: 'English', hint: 'default' };

/** The value of the choice of none. */
const NONE = 'none';

/** English, as the libraries have it by default, and every other language that such a bot can speak, by name. */
export const languageChoices = ({ mode }: Answers): Choice[] =>
  choicesIn[mode === 'realtime' ? 'realtime' : 'cascade']();

/** The choices are asked for again and again, and take a while to compute. */
const choicesIn = { cascade: once(() => languagesOf('stt', 'tts')), realtime: once(() => languagesOf('realtime')) };

function languagesOf(...kinds: ServiceKind[]): Choice[] {
  const isSpoken = (code: string) => kinds.every(kind => services[kind].some(row => speaks(row, code)));
  const others = LANGUAGES.filter(code => code !== 'en' && isSpoken(code));
  const choices = others.map(code => ({ value: code, label: languageName(code), id: code }));
  const { compare } = new Intl.Collator('en');
  return [DEFAULT_LANGUAGE, ...choices.sort((one, other) => compare(one.label, other.label))];
}

/** A function that computes its value on the first call. */
function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= compute());
}

/** The services of which a cascade has one each, in the order of the pipeline. */
const CASCADE = ['stt', 'llm', 'tts'] as const;

/**
 * The services of a kind that know the bot's language: first those of an account that the bot already needs, then the
 * recommended ones, then the others by name.
 */
export function serviceChoices(kind: ServiceKind, answers: Answers = {}): Choice[] {
  const { language = DEFAULT_LANGUAGE.value } = answers;
  const rows = services[kind].filter(row => language === DEFAULT_LANGUAGE.value || speaks(row, language));
  const chosen = CASCADE.filter(one => one !== kind).flatMap(one =>
    services[one].filter(({ id }) => id === answers[`${one}_service`]),
  );
  const known = new Set(rows.filter(row => chosen.some(one => sharesAccount(one, row))));
  const order = (row: ServiceRow, other: ServiceRow) =>
    Number(known.has(other)) - Number(known.has(row)) || recommendedFirst(row, other);
  return rows.sort(order).map(row => {
    const hints = [
      ...(row.recommended ? ['recommended'] : []),
      ...(known.has(row) ? ['same account'] : []),
      ...(kind === 'stt' && row.recommended && servesAll(row) ? ['one key for all three'] : []),
    ];
    return { value: row.id, label: row.label, id: row.id, ...(hints.length > 0 && { hint: hints.join(', ') }) };
  });
}

/** Whether one account is enough for a recommended cascade. */
const servesAll = (row: ServiceRow): boolean =>
  CASCADE.every(kind => services[kind].some(one => one.recommended && sharesAccount(row, one)));

/** Recommended settings, or every question. */
export function settingsChoices(): Choice[] {
  const [first] = [...services.stt].sort(recommendedFirst);
  return [
    { value: 'recommended', label: 'Recommended settings', hint: `talks with one ${first?.label} key` },
    { value: 'steps', label: 'Choose step by step', hint: 'services, language, client, features' },
  ];
}

/** No web client, and each framework with each server for it. */
export function clientChoices(): Choice[] {
  const [frameworks, servers] = [choicesOf('client_framework'), choicesOf('client_server')];
  const without = frameworks.filter(({ value }) => value === NONE);
  const pairs = frameworks.flatMap(framework =>
    servers
      .filter(server => canServe(framework.value, server.value))
      .map(server => ({
        value: `${framework.value} ${server.value}`,
        label: `${framework.label} with ${server.label}`,
      })),
  );
  return [...without, ...pairs];
}

const canServe = (framework: string, server: string): boolean =>
  framework !== NONE && (framework === 'component' || server === 'bundler');

/** The transports of a bot type. */
export function transportChoices(botType: BotType): Choice[] {
  const rows = transports.filter(row => botTypeOf(row) === botType).sort(recommendedFirst);
  // Those with two directions appear once.
  const choices = new Map(rows.map(row => [idOf(row), choiceOf(row)]));
  return [...choices.values()];
}

/** The transports that are compatible with the chosen one and with each other, so any of them may be added. */
export function companionChoices({ bot_type: botType, transport }: Answers): Choice[] {
  const family = transports.find(row => idOf(row) === transport)?.family;
  if (!family) return [];
  const together = COMPANIONS[family].filter(other => COMPANIONS[other].includes(other));
  const rows = transports.filter(row => together.includes(row.family) && idOf(row) !== transport);
  // A phone bot can also have web transports. A web bot that takes calls would be a phone bot.
  const allowed = rows.filter(row => botType === 'telephony' || botTypeOf(row) === 'web');
  return allowed.sort(recommendedFirst).map(choiceOf);
}

/** The option for the direction of calls, if the chosen transport has two. */
export const callModeOf = ({ transport }: Answers): CallModeKey | undefined =>
  transports.find(({ generic }) => generic !== undefined && generic === transport)?.modeKey;

/** The directions of the chosen transport. The ids are shown: they are clearer than the labels. */
export function directionChoices(answers: Answers): Choice[] {
  const key = callModeOf(answers);
  return key ? choicesOf(key).map(choice => ({ ...choice, id: choice.value })) : [];
}

const FEATURES: readonly (Choice & { value: Feature; when?: (answers: Answers) => boolean })[] = [
  { value: 'recording', label: 'Recording', hint: 'an audio file of each conversation' },
  { value: 'transcription', label: 'Transcription', hint: 'a log of what was said' },
  {
    value: 'video_input',
    label: 'Video input',
    hint: 'the bot sees the camera',
    when: answers => isWeb(answers) && sees(answers),
  },
  { value: 'video_output', label: 'Video output', hint: 'the bot shows a picture', when: isWeb },
  { value: 'avatar', label: 'Video avatar', hint: 'a face that speaks', when: isWeb },
  { value: 'enable_observability', label: 'Observability', hint: 'a debugger and metrics' },
  { value: 'enable_eval', label: 'Evals', hint: 'test conversations' },
  { value: 'deploy_to_cloud', label: 'Cloud deployment', hint: 'the files for it' },
  { value: 'enable_noisecancel', label: 'Noise cancellation', hint: 'in the cloud' },
];

/** The features that are on unless they're turned off. */
export const PRESET_FEATURES: readonly Feature[] = FEATURES.flatMap(({ value }) =>
  value !== 'avatar' && findOption(value).default === true ? [value] : [],
);

/** The transports that a bot has unless others are chosen: with them, it can be tried in a browser at once. */
export const PRESET_TRANSPORTS: readonly string[] = transports.flatMap(row => (row.recommended ? [idOf(row)] : []));

/** The features that this bot can have. */
export const featureChoices = (answers: Answers): Choice[] =>
  FEATURES.filter(({ when }) => when?.(answers) ?? true).map(({ when: _, ...choice }) => choice);

/** A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any. */
function sees({ mode, realtime_service: id }: Answers): boolean {
  return mode !== 'realtime' || services.realtime.some(row => row.id === id && row.sees);
}

export function isWeb({ bot_type: type }: Answers): boolean {
  return type === 'web';
}

export const isPhone = (answers: Answers): boolean => !isWeb(answers);

function idOf({ generic, id }: TransportRow): string {
  return generic ?? id;
}

const choiceOf = (row: TransportRow): Choice => ({
  value: idOf(row),
  label: transportNames[idOf(row)] ?? row.label,
  id: idOf(row),
  ...hintOf(row),
});

/** What a web transport needs. Phone providers all need an account. */
function hintOf(row: TransportRow): { hint?: string } {
  if (botTypeOf(row) === 'telephony') return {};
  const needs = row.ambient.some(({ required }) => required) ? `needs a ${shortName(row.label)} account` : 'no account';
  return { hint: row.recommended ? `recommended, ${needs}` : needs };
}
