import {
  type BotType,
  botTypeOf,
  COMPANIONS,
  LANGUAGES,
  languageName,
  ownName,
  recommendedFirst,
  type ServiceKind,
  services,
  speaks,
  type TransportRow,
  transports,
} from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { shortName } from '../config/names.ts';
import { findOption, type LiteralOption, transportNames } from '../config/options.ts';
import { quickstart } from '../config/quickstart.ts';
import type { Choice } from '../shell/terminal/question.ts';
import { remembered } from '../std.ts';
import type { Answers } from './step.ts';

/** Options whose rows list their choices. */
type ChoiceKey = Extract<LiteralOption, { choices: unknown }>['key'];

export function choicesOf(key: ChoiceKey): Choice[] {
  const { choices = [] } = findOption(key);
  return choices.map(({ value, name = value, label = name, hint }) => ({ value, label, ...(hint && { hint }) }));
}

const NONE = 'none';

/** Each framework with each server for it, and no web client. */
export function clientChoices({ settings }: Answers): Choice[] {
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
  // The presets have none, so that nothing but the bot needs to run before the first word.
  if (settings === 'recommended' || settings === 'local') return without;
  return [...pairs, ...without].map((choice, at) => (at === 0 ? { ...choice, hint: 'recommended' } : choice));
}

const canServe = (framework: string, server: string): boolean =>
  framework !== NONE && (framework === 'component' || server === 'bundler');

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
export const callModeOf = ({ transport }: Answers): TransportRow['modeKey'] =>
  transports.find(({ generic }) => generic !== undefined && generic === transport)?.modeKey;

/** The directions of the chosen transport. The ids are shown: they are clearer than the labels. */
export function directionChoices(answers: Answers): Choice[] {
  const key = callModeOf(answers);
  return key ? choicesOf(key).map(choice => ({ ...choice, id: choice.value })) : [];
}

/** The transports that a bot has unless others are chosen: with them, it can be tried in a browser at once. */
export const PRESET_TRANSPORTS: readonly string[] = transports.flatMap(row => (row.recommended ? [idOf(row)] : []));

export function isWeb({ bot_type: type }: Answers): boolean {
  return type === 'web';
}

export const isPhone = (answers: Answers): boolean => !isWeb(answers);

/** The id of a transport among the choices: without its direction, which is a question of its own. */
export function idOf({ generic, id }: TransportRow): string {
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
  return row.isPeerToPeer
    ? { hint: 'free, no account, on this computer' }
    : { hint: `works anywhere, needs a ${shortName(row.label)} account` };
}

type Feature = NonNullable<Answers['features']>[number];

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
  { value: 'enable_observability', label: 'Observability', hint: 'a debugger, and traces' },
  { value: 'enable_eval', label: 'Evals', hint: 'test conversations' },
  { value: 'journal', label: 'Journal', hint: 'where the time of each call went' },
  { value: 'deploy_to_cloud', label: 'Cloud deployment', hint: 'the files for it' },
  { value: 'enable_noisecancel', label: 'Noise cancellation', hint: 'in the cloud' },
];

/** The features of a bot. An avatar brings its own video output. */
export function featuresOf(config: ScaffoldConfig): Feature[] {
  const hasAvatar = config.video_service !== null;
  const isOn = (value: Feature) =>
    value === 'avatar' ? hasAvatar : config[value] && !(value === 'video_output' && hasAvatar);
  return FEATURES.flatMap(({ value }) => (isOn(value) ? [value] : []));
}

/** The features that are on unless they're turned off. */
export const PRESET_FEATURES = featuresOf(quickstart);

export const featureChoices = (answers: Answers): Choice[] =>
  FEATURES.filter(({ when }) => when?.(answers) ?? true).map(({ when: _, ...choice }) => choice);

/** A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any. */
function sees({ mode, realtime_service: id }: Answers): boolean {
  return mode !== 'realtime' || services.realtime.some(row => row.id === id && row.sees);
}

/** The choice that leaves the language to the libraries. */
export const DEFAULT_LANGUAGE: Choice = { value: 'default', label: 'English', hint: 'default' };

/** English, as the libraries have it by default, and every other language that such a bot can speak, by name. */
export const languageChoices = ({ mode }: Answers): Choice[] => languagesOf(mode === 'realtime' ? REALTIME : CASCADE);

/** The services that hear and speak. */
const CASCADE: readonly ServiceKind[] = ['stt', 'tts'];
const REALTIME: readonly ServiceKind[] = ['realtime'];

/** The choices are asked for again and again, and take a while to compute. */
const languagesOf = remembered((kinds: readonly ServiceKind[]): Choice[] => {
  const isSpoken = (code: string) => kinds.every(kind => services[kind].some(row => speaks(row, code)));
  const others = LANGUAGES.filter(code => code !== 'en' && isSpoken(code));
  const choices = others.map(code => {
    return { value: code, label: languageName(code), id: code, alias: ownName(code) ?? '' };
  });
  const { compare } = new Intl.Collator('en');
  return [DEFAULT_LANGUAGE, ...choices.sort((one, other) => compare(one.label, other.label))];
});
