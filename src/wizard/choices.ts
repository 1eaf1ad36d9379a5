import {
  type BotType,
  botTypeOf,
  type CallModeKey,
  COMPANIONS,
  LANGUAGES,
  languageName,
  recommendedFirst,
  type ServiceKind,
  services,
  speaks,
  type TransportRow,
  transports,
} from '../catalog/index.ts';
import { findOption, type LiteralOption, transportNames } from '../config/options.ts';
import type { Choice } from '../shell/terminal/question.ts';
import type { Answers, FeatureKey } from './step.ts';

/** Options whose rows list their choices. */
type ChoiceKey = Extract<LiteralOption, { choices: unknown }>['key'];

/** The choices of an option, from its row. */
export function choicesOf(key: ChoiceKey): Choice[] {
  const { choices = [] } = findOption(key);
  return choices.map(({ value, name = value, label = name, hint }) => ({ value, label, ...(hint && { hint }) }));
}

/** The choice that leaves the language to the libraries. */
export const DEFAULT_LANGUAGE: Choice = { value: 'default', label: 'English', hint: 'default' };

const NO_AVATAR: Choice = { value: 'none', label: 'No avatar' };

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

/** The services of a kind that know the bot's language, recommended ones first. */
export function serviceChoices(kind: ServiceKind, { language = DEFAULT_LANGUAGE.value }: Answers = {}): Choice[] {
  const rows = services[kind].filter(row => language === DEFAULT_LANGUAGE.value || speaks(row, language));
  return rows.sort(recommendedFirst).map(row => ({ value: row.id, label: row.label, id: row.id, ...hintOf(row) }));
}

export const avatarChoices = (): Choice[] => [NO_AVATAR, ...serviceChoices('video')];

/** The transports of a bot type. Those with two directions appear once. */
export function transportChoices(botType: BotType): Choice[] {
  const rows = transports.filter(row => botTypeOf(row) === botType).sort(recommendedFirst);
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

const FEATURES: readonly (Choice & { value: FeatureKey; when?: (answers: Answers) => boolean })[] = [
  { value: 'recording', label: 'Record the audio' },
  { value: 'transcription', label: 'Log the transcript' },
  { value: 'video_input', label: 'See the camera', when: answers => isWeb(answers) && sees(answers) },
  { value: 'video_output', label: 'Show a picture', when: answers => isWeb(answers) && !hasAvatar(answers) },
  { value: 'enable_observability', label: 'Observability', hint: 'a debugger, metrics' },
];

/** The features that this bot can have. */
export const featureChoices = (answers: Answers): Choice[] =>
  FEATURES.filter(({ when }) => when?.(answers) ?? true).map(({ when: _, ...choice }) => choice);

export const isWeb = ({ bot_type: type }: Answers): boolean => type === 'web';

const hasAvatar = ({ video_service: avatar = 'none' }: Answers): boolean => avatar !== 'none';

/** A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any. */
const sees = ({ mode, realtime_service: id }: Answers): boolean =>
  mode !== 'realtime' || services.realtime.some(row => row.id === id && row.sees);

const idOf = ({ generic, id }: TransportRow): string => generic ?? id;

const choiceOf = (row: TransportRow): Choice => ({
  value: idOf(row),
  label: transportNames[idOf(row)] ?? row.label,
  id: idOf(row),
  ...hintOf(row),
});

const hintOf = ({ recommended }: { recommended?: true }) => (recommended ? { hint: 'recommended' } : {});
