import Joi from 'joi';

const text = Joi.string();
const shape = Joi.object({ token: text, organization: text, apiUrl: text }).unknown().required();

/**
 * The keys of a config file whose value isn't a non-empty string, or undefined if the content isn't an object. joi's
 * own messages are discarded, because they quote the content.
 */
export function wrongKeys(content: unknown): string[] | undefined {
  const { error } = shape.validate(content, { convert: false, abortEarly: false });
  const paths = error?.details.map(({ path }) => path) ?? [];
  return paths.some(path => path.length === 0) ? undefined : paths.map(([key]) => String(key));
}
