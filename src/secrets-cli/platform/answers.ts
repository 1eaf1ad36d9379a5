import Joi from 'joi';

// Schemas for the platform's responses. joi's own messages and errors quote the value, which may be a secret, so they
// never leave this file.

/** A secret set or an image pull secret, in a list. */
export interface SecretRow {
  name: string;
  type: 'secret' | 'imagePullSecret';
  region: string;
  /** `ready`, `pending`, `failed`, or a status that we don't know yet. */
  status: string;
  errorMessage?: string;
}

/** A secret set, with its keys. */
export interface SecretSet {
  region: string;
  status: string;
  errorMessage?: string;
  source?: string;
  keys: string[];
}

export interface Organization {
  name: string;
  verboseName: string;
}

/** A region, as the platform lists it. Older responses have no architectures. */
export interface Region {
  code: string;
  display_name?: string | null;
  supported_architectures?: string[] | null;
}

const text = Joi.string().allow('');
const status = text.default('unknown');
/** Responses may have keys that we don't know. */
const item = (keys: Joi.PartialSchemaMap) => Joi.object(keys).unknown();
const answer = (keys: Joi.PartialSchemaMap) => item(keys).required();

/** The parts of the platform's responses that we read. */
export const answers = {
  organizations: answer({
    organizations: Joi.array()
      .items(item({ name: Joi.string().required(), verboseName: text.default('') }))
      .required(),
  }),
  regions: answer({
    regions: Joi.array()
      .items(
        item({
          code: Joi.string().required(),
          display_name: text.allow(null),
          supported_architectures: Joi.array().items(text).allow(null),
        }),
      )
      .required(),
  }),
  properties: answer({ properties: answer({ defaultRegion: Joi.string() }) }),
  user: answer({
    user: answer({ userId: Joi.string(), emails: Joi.array().items(item({ emailAddress: text.required() })) }),
  }),
  sets: answer({
    sets: Joi.array()
      .items(
        item({
          name: Joi.string().required(),
          type: Joi.string().required(),
          region: text.default('unknown'),
          status,
          errorMessage: text.allow(null),
        }),
      )
      .required(),
  }),
  set: answer({
    region: text.default('unknown'),
    status,
    errorMessage: text.allow(null),
    source: text.allow(null),
    secrets: Joi.array()
      .items(item({ fieldName: Joi.string().required() }))
      .required(),
  }),
  done: answer({ status: Joi.string().valid('OK'), region: Joi.string(), error: Joi.forbidden() }),
} as const;

/** The value with the schema's defaults, or undefined if it doesn't match. */
export function validated<Value>(schema: Joi.Schema, value: unknown): Value | undefined {
  const { error, value: fit } = schema.validate(value, { convert: false });
  return error ? undefined : (fit as Value);
}
