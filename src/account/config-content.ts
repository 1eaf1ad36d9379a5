import { explainJsonFault } from '../formats/json-position.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { isObject, parsedJson } from '../json.ts';

/** What the config file stores about an account. Unknown keys, perhaps from a newer release, are kept. */
export interface UserConfig {
  token?: string;
  organization?: string;
  /** The API that the token was checked with. */
  apiUrl?: string;
  [other: string]: unknown;
}

const KEYS = ['token', 'organization', 'apiUrl'] as const;

/** Reads the content of a config file. If it is invalid, `problem` says why, without quoting it. */
export function parseConfig(
  bytes: Uint8Array,
): { config: UserConfig; problem?: undefined } | { problem: string; config?: undefined } {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { problem: "it isn't UTF-8 text" };
  if (text.trim() === '') return { config: {} };
  const config = parsedJson(text);
  if (config === undefined) return { problem: explainJsonFault(text) };
  if (!isObject(config)) return { problem: "it isn't a JSON object" };
  const wrong = knownKeys(config).filter(key => typeof config[key] !== 'string' || config[key] === '');
  if (wrong.length === 0) return { config };
  return { problem: `${wrong.map(key => JSON.stringify(key)).join(', ')} must be a non-empty string` };
}

/** Whether botcli may have written this. Any other object could be anything. */
export const isTypical = (config: UserConfig): boolean =>
  knownKeys(config).length > 0 || Object.keys(config).length === 0;

const knownKeys = (config: UserConfig) => KEYS.filter(key => Object.hasOwn(config, key));
