import { isObject } from '../json.ts';
import { oneLine } from './plain-text.ts';

/** `error` and `message`, as in the platform's refusals and those of other servers. */
function fieldsOf(data: unknown): unknown[] {
  return isObject(data) ? [data.error, data.message] : [];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Whether this is a refusal by the platform, which has an `error`, and mostly a `code`. */
export const isRefusal = (data: unknown): boolean => isText(fieldsOf(data)[0]);

/** The reason in a refusal, at the top or one level down. */
export function reasonIn(data: unknown): string | undefined {
  const reason = fieldsOf(data)
    .flatMap(field => [field, ...fieldsOf(field)])
    .find(isText);
  return reason && oneLine(reason).trim();
}
