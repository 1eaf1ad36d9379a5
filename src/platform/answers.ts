import Joi from 'joi';
import { remembered } from '../std.ts';
import {
  agentAnswers,
  answer,
  every,
  type Fit,
  item,
  lenient,
  list,
  needed,
  optional,
  perhaps,
  text,
} from './agent-schemas.ts';
import { UNKNOWN } from './cloud-error.ts';
import { lines, oneLine } from './plain-text.ts';

// Schemas for the platform's responses. joi's own messages and errors quote the value, which may be a secret, so they
// never leave this file.

/** Instead of a missing name. No name contains parentheses. */
const UNNAMED = '(unnamed)';
const name = lenient(UNNAMED);
const detail = lenient(UNKNOWN);
const oddRow = { name: UNNAMED, type: UNKNOWN, region: UNKNOWN, status: UNKNOWN };

/** A secret set (`secret`) or an image pull secret (`imagePullSecret`), in a list. */
export type SecretRow = Fit<ReturnType<typeof row>>;

/** The status is `ready`, `pending`, `failed`, `unknown`, or one that we don't know yet. */
const row = () => item({ name, type: detail, region: detail, status: detail, errorMessage: optional });

/** The parts of the platform's responses that we read. A schema is slow to create, so each is created once, when needed. */
export const answers = {
  organizations: () => answer({ organizations: every(item({ name: needed, verboseName: lenient('') })) }),
  regions: () => {
    // Older responses have no architectures.
    const architectures = list(text).failover([]).default([]);
    const region = { code: needed, display_name: lenient(''), supported_architectures: architectures };
    return answer({ regions: every(item(region)) });
  },
  properties: () => answer({ properties: answer({ defaultRegion: perhaps(Joi.string()) }) }),
  user: () => answer({ user: answer({ emails: perhaps(list(item({ emailAddress: text.required() }))) }) }),
  sets: () => answer({ sets: every(row().failover(oddRow)) }),
  set: () =>
    answer({
      region: detail,
      status: detail,
      errorMessage: optional,
      source: optional,
      secrets: list(item({ fieldName: name }).failover({ fieldName: UNNAMED }))
        .empty(null)
        .default([])
        // The keys of a referenced set are in another cluster.
        .when('source', { is: 'referenced', otherwise: Joi.required() }),
    }),
  ...agentAnswers,
  /** A change that was made. */
  done: () => answer({ status: Joi.valid('OK').required(), error: Joi.forbidden() }),
} as const;

export type Answer<Kind extends keyof typeof answers> = Fit<ReturnType<(typeof answers)[Kind]>>;
export type SecretSet = Omit<Answer<'set'>, 'secrets'> & { keys: string[] };
/** An existing secret: a set with its keys, or an image pull secret, whose content is never returned. */
export type Found = { type: 'secret'; set: SecretSet } | { type: 'imagePullSecret'; row: SecretRow };

const schemaOf = remembered((create: () => Joi.AnySchema) => create());

/**
 * The part of the value that the schema describes, with its defaults. Undefined if the value doesn't match. Parts that
 * we don't know are dropped: they may be nested deeply enough to break recursive code.
 *
 * @param show What to show of a text with this key.
 * @param hasLines Whether texts keep their lines, as in logs.
 */
export function validated<Value>(
  schema: () => Joi.AnySchema<Value>,
  value: unknown,
  show: (text: string, key: string) => string,
  { hasLines = false } = {},
): Value | undefined {
  const { error, value: fit } = schemaOf(schema).validate(value, { convert: false, stripUnknown: true });
  if (error) return undefined;
  const tidy = hasLines ? lines : oneLine;
  // A reviver that returns undefined drops the detail.
  const revive = (key: string, part: unknown) =>
    typeof part === 'string' ? show(tidy(part), key) : (part ?? undefined);
  return JSON.parse(JSON.stringify(fit), revive) as Value;
}
