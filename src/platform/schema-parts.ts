import Joi from 'joi';

// What the schemas of the platform's responses are made of.

export const text = Joi.string().allow('');
export const needed = Joi.string().required();

/** A detail that is missing or odd isn't worth an error: nobody would see the rest of the response. */
export const lenient = (instead: string) => Joi.string().failover(instead).default(instead);
export const optional = text.failover('');
export const item = (keys: Joi.PartialSchemaMap) => Joi.object(keys);
export const answer = (keys: Joi.PartialSchemaMap) => item(keys).required();
/** A detail that is dropped if it has another type. */
export const maybe = (schema: Joi.Schema) => schema.empty(null).failover(null);
/** A list, of which no item may be odd. */
export const every = (schema: Joi.Schema) => Joi.array().items(schema).required();
/** A list, whose odd items are dropped. */
export const listOf = (schema: Joi.Schema) =>
  Joi.array().items(schema, Joi.any().strip()).empty(null).failover([]).default([]);
/** A count or a size. The platform sends some as strings. */
export const count = Joi.any().custom((value: unknown, { error }) => {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : error('any.invalid');
});
/** A string, or a number as one. */
export const textOrNumber = Joi.any().custom((value: unknown, { error }) =>
  ['string', 'number'].includes(typeof value) ? String(value) : error('any.invalid'),
);
