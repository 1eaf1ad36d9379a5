import {
  type BotType,
  botTypeOf,
  type CallModeKey,
  COMPANIONS,
  type ServiceKind,
  services,
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

const NO_AVATAR: Choice = { value: 'none', label: 'No avatar' };

/** The services of a kind, recommended ones first. */
export function serviceChoices(kind: ServiceKind): Choice[] {
  return recommendedFirst(services[kind]).map(row => ({ value: row.id, label: row.label, id: row.id, ...hintOf(row) }));
}

export const avatarChoices = (): Choice[] => [NO_AVATAR, ...serviceChoices('video')];

/** The transports of a bot type. Those with two directions appear once. */
export function transportChoices(botType: BotType): Choice[] {
  const rows = recommendedFirst(transports.filter(row => botTypeOf(row) === botType));
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
  return recommendedFirst(rows.filter(row => botType === 'telephony' || botTypeOf(row) === 'web')).map(choiceOf);
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

/** In the order of the catalog, but with recommended rows first. */
function recommendedFirst<Row extends { recommended?: true }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => Number(other.recommended ?? 0) - Number(one.recommended ?? 0));
}
