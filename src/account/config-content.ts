import { explainJsonFault } from '../formats/json-position.ts';

/** What the config file stores about an account. Unknown keys, perhaps from a newer release, are kept. */
export interface UserConfig {
  token?: string;
  organization?: string;
  /** The API that the token was checked with. */
  apiUrl?: string;
  [other: string]: unknown;
}

const KEYS = ['token', 'organization', 'apiUrl'] as const;

/** The content of a file that may be a config file. */
export interface Content {
  /** Absent if the content is invalid. */
  config?: UserConfig;
  /** Why it is invalid, as a message that doesn't quote it. */
  problem?: string;
  /** Whether it looks like botcli wrote it. Any other file could be anything. */
  isTypical: boolean;
}

/** Reads the content of a config file. */
export function parseConfig(bytes: Uint8Array): Content {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { problem: "it isn't UTF-8 text", isTypical: mentionsKey(Buffer.from(bytes).toString('latin1')) };
  }
  if (text.trim() === '') return { config: {}, isTypical: true };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { problem: explainJsonFault(text), isTypical: mentionsKey(text) };
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { problem: "it isn't a JSON object", isTypical: false };
  }
  return checkKeys(content as Record<string, unknown>);
}

function checkKeys(content: Record<string, unknown>): Content {
  const known = KEYS.filter(key => Object.hasOwn(content, key));
  const wrong = known.filter(key => typeof content[key] !== 'string' || content[key] === '');
  const isTypical = known.length > 0 || Object.keys(content).length === 0;
  if (wrong.length === 0) return { config: content, isTypical };
  return { problem: `${wrong.map(key => JSON.stringify(key)).join(', ')} must be a non-empty string`, isTypical };
}

/** Whether this could be the rest of a config file, such as one that a full disk cut off. */
const mentionsKey = (text: string): boolean => new RegExp(`^\\s*\\{[^]*"(?:${KEYS.join('|')})"\\s*:`).test(text);
