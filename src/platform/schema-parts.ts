import Joi from 'joi';

// What the schemas of the platform's responses are made of.

/** What fits a schema. */
export type Fit<Schema> = Schema extends Joi.AnySchema<infer Value> ? Value : never;

type Parts = Readonly<Record<string, Joi.AnySchema>>;
type Absent<Keys extends Parts> = {
  [Key in keyof Keys]: undefined extends Fit<Keys[Key]> ? Key : never;
}[keyof Keys];
type Item<Keys extends Parts> = { [Key in Exclude<keyof Keys, Absent<Keys>>]: Fit<Keys[Key]> } & {
  [Key in Absent<Keys>]?: Fit<Keys[Key]>;
};

export const text = Joi.string().allow('');
export const needed = Joi.string().required();

/** A detail that is missing or odd isn't worth an error: nobody would see the rest of the response. */
export const lenient = (instead: string) => Joi.string().failover(instead).default(instead);
export const item = <Keys extends Parts>(keys: Keys): Joi.ObjectSchema<Item<Keys>> => Joi.object(keys);
export const answer = <Keys extends Parts>(keys: Keys) => item(keys).required();
/** What may be absent, but not odd. */
export const perhaps = <Value>(schema: Joi.AnySchema<Value>): Joi.AnySchema<Value | undefined> => schema;
export const optional = perhaps(text.failover(''));
/** A detail that is dropped if it has another type. */
export const maybe = <Value>(schema: Joi.AnySchema<Value>) => perhaps(schema.empty(null).failover(null));
/** A list, of which no item may be odd. */
export const list = <Value>(schema: Joi.AnySchema<Value>): Joi.ArraySchema<Value[]> => Joi.array().items(schema);
export const every = <Value>(schema: Joi.AnySchema<Value>) => list(schema).required();
/** A list, whose odd items are dropped. */
export const listOf = <Value>(schema: Joi.AnySchema<Value>): Joi.ArraySchema<Value[]> =>
  Joi.array().items(schema, Joi.any().strip()).empty(null).failover([]).default([]);
/** A count or a size. The platform sends some as strings. */
export const count: Joi.AnySchema<number> = Joi.any().custom((value: unknown, { error }) => {
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : error('any.invalid');
});
/** A string, or a number as one. */
export const textOrNumber: Joi.AnySchema<string> = Joi.any().custom((value: unknown, { error }) =>
  ['string', 'number'].includes(typeof value) ? String(value) : error('any.invalid'),
);
