import { botTypeOf, findTransport } from '../catalog/index.ts';
import { resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import { type RawConfig, scaffoldOptions } from '../config/options.ts';
import { callModeOf, DEFAULT_LANGUAGE, featuresOf, idOf, PRESET_FEATURES } from './choices.ts';
import type { Answers, Situation } from './step.ts';

/** The answers in the form that flags give, so that the same rules validate both. */
export function rawConfigOf(answers: Answers): RawConfig {
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
  return made ? { ...config, transports: inOrderOf(made.transports, config.transports), ci: made.ci } : config;
}

/** How the bot was made that is in the directory of the answers; undefined if there is none, or if that isn't known. */
export const madeHere = ({ answers, madeAs }: Situation): ScaffoldConfig | undefined =>
  madeAs(answers.directory ?? '.');

/** How the bot was made that the answers change; undefined if they don't change one. */
export const madeBefore = (situation: Situation): ScaffoldConfig | undefined =>
  situation.answers.build === 'change' ? madeHere(situation) : undefined;

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

/** Transports in the order that a bot has them; new ones come last. */
const inOrderOf = (made: readonly string[], transports: readonly string[]): string[] => [
  ...made.filter(id => transports.includes(id)),
  ...transports.filter(id => !made.includes(id)),
];
