import Joi from 'joi';
import { usageError } from '../errors.ts';
import { KEY, KEY_SIGNS } from './input/secret.ts';
import { EXISTING_NAME } from './location.ts';

// Shapes of what comes in: typed words, the config file, answers of the platform. joi's own messages and errors quote
// what they are about, which may be a secret: they never leave this file.

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

export const configFile = Joi.object({ token: Joi.string(), organization: Joi.string(), apiUrl: Joi.string() })
  .unknown()
  .required();

/** What the value comes to by the schema, or nothing where it doesn't fit. */
export function fitting<Value>(schema: Joi.Schema, value: unknown): Value | undefined {
  const { error, value: fit } = schema.validate(value, { convert: false });
  return error ? undefined : (fit as Value);
}

const NAME = 'letters, digits and hyphens only, at most 128';
const EXISTING = 'letters, digits, -, _ and . only, at most 128';
const existing = Joi.string().pattern(EXISTING_NAME);

const HOST =
  /^(?:https:\/\/)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?(?:\/[\w.~/-]*)?$/i;

function checkPort(host: string, { error }: Joi.CustomHelpers): string | Joi.ErrorReport {
  const port = /^[^/]*(?:\/\/[^/]*)?:(\d+)/.exec(host)?.[1] ?? '1';
  return Number(port) >= 1 && Number(port) <= 65_535 ? host : error('any.invalid');
}

/** The words that commands take, each with the rule that a refusal tells. */
const inputs = {
  newName: [Joi.string().pattern(/^[A-Za-z0-9-]{1,128}$/), `<name> has ${NAME}`],
  name: [existing, `the name has ${EXISTING}`],
  key: [Joi.string().pattern(KEY), `<secret_key> has ${KEY_SIGNS}`],
  organization: [existing, `--organization is the name in its address: ${EXISTING}`],
  region: [Joi.string().pattern(/^[a-z0-9-]{1,64}$/), '--region is a code such as us-west'],
  host: [
    Joi.string().pattern(HOST).custom(checkPort),
    '<host> is an https URL or the name of a registry, without user and password, such as https://index.docker.io/v1/',
  ],
} as const satisfies Record<string, readonly [Joi.Schema, string]>;

type Typed = Partial<Record<keyof typeof inputs, string | undefined>>;

/** What is wrong with what was typed, those absent aside. Nothing is quoted. */
export function inputProblems(typed: Typed): string[] {
  const wrong = Object.entries(inputs).filter(([input, [schema]]) => {
    const value = typed[input as keyof typeof inputs];
    return value !== undefined && schema.required().validate(value).error;
  });
  return wrong.map(([, [, rule]]) => rule);
}

/** @throws {UserError} Exit code 2: every problem with what was typed, those in `more` included. */
export function checkInputs(typed: Typed, more: readonly string[] = []): void {
  const problems = [...inputProblems(typed), ...more];
  const [only] = problems;
  if (only === undefined) return;
  if (problems.length === 1) throw usageError(only.replace(/^./, letter => letter.toUpperCase()));
  throw usageError(`${problems.length} problems; nothing was sent:`, { problems });
}
