import { findService, services, variablesOf } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { type BotService, inLanguage } from './service-language.ts';

/**
 * The language model that judges a bot's evals and plays the person in simulations. A cascade has one. A
 * speech-to-speech service can do neither, but its provider may have a language model for the same key.
 */
export function judgeOf({ language, llm_service, realtime_service }: ScaffoldConfig): BotService | undefined {
  if (llm_service !== null) return inLanguage(findService('llm', llm_service), language);
  if (realtime_service === null) return undefined;
  const known = variablesOf(inLanguage(findService('realtime', realtime_service), language)).map(({ env }) => env);
  const models = services.llm.map(row => inLanguage(row, language));
  const candidates = models.filter(row => {
    const variables = variablesOf(row);
    return variables.every(({ env, required }) => !required || known.includes(env)) && shares(variables, known);
  });
  const row = candidates.find(({ recommended }) => recommended) ?? candidates[0];
  // Its optional settings could be variables of the other service, such as the name of a speech-to-speech model.
  return row && { ...row, settings: [] };
}

/** Whether they include a credential that is known. A model's name isn't one. */
const shares = (variables: ReturnType<typeof variablesOf>, known: readonly string[]) =>
  variables.some(({ env, name }) => name !== 'model' && known.includes(env));
