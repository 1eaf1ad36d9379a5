import Joi from 'joi';

const text = Joi.string();
const shape = Joi.object({ token: text, organization: text, apiUrl: text }).unknown().required();

/**
 * The keys of a configuration that hold anything but a text with something in it; nothing when it isn't an object at
 * all. Its content is never quoted, as joi's own messages would.
 */
export function wrongKeys(content: unknown): string[] | undefined {
  const { error } = shape.validate(content, { convert: false, abortEarly: false });
  const paths = error?.details.map(({ path }) => path) ?? [];
  return paths.some(path => path.length === 0) ? undefined : paths.map(([key]) => String(key));
}
