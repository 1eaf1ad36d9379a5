import { botTypeOf, findTransport } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { idOf } from './choices.ts';
import { featuresOf } from './features.ts';
import type { Answers, Situation } from './step.ts';

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
export const inOrderOf = (made: readonly string[], transports: readonly string[]): string[] => [
  ...made.filter(id => transports.includes(id)),
  ...transports.filter(id => !made.includes(id)),
];
