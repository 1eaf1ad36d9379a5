import Joi from 'joi';

// The shapes of what the platform answers. joi's own messages and errors quote what they are about, which may be a
// secret: they never leave this file.

/** A set or a pull secret, as listed. */
export interface SecretRow {
  name: string;
  type: 'secret' | 'imagePullSecret';
  region: string;
  /** `ready`, `pending`, `failed`, or a word that we don't know yet. */
  status: string;
  errorMessage?: string;
}

/** A secret set, as shown. */
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

const text = Joi.string().allow('');
const status = text.default('unknown');
/** Answers may have more than we know. */
const item = (keys: Joi.PartialSchemaMap) => Joi.object(keys).unknown();
const answer = (keys: Joi.PartialSchemaMap) => item(keys).required();

/** The answers of the platform, as far as we read them. */
export const answers = {
  organizations: answer({
    organizations: Joi.array()
      .items(item({ name: Joi.string().required(), verboseName: text.default('') }))
      .required(),
  }),
  regions: answer({
    regions: Joi.array()
      .items(item({ code: Joi.string().required() }))
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

/** What the value comes to by the schema, or nothing where it doesn't fit. */
export function validated<Value>(schema: Joi.Schema, value: unknown): Value | undefined {
  const { error, value: fit } = schema.validate(value, { convert: false });
  return error ? undefined : (fit as Value);
}
