import { orElse } from './or-else.ts';

/** The value of a JSON text; undefined if it isn't JSON. Node's own error would quote the text, which may be a secret. */
export const parsedJson = (text: string): unknown => orElse(() => JSON.parse(text), undefined);

/** Whether a value from JSON is an object, rather than a list or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
