import Joi from 'joi';
import { agentAnswers } from './agent-schemas.ts';
import { lines, oneLine } from './plain-text.ts';
import { answer, every, item, lenient, needed, optional, text } from './schema-parts.ts';
import { UNKNOWN } from './status.ts';

// Schemas for the platform's responses. joi's own messages and errors quote the value, which may be a secret, so they
// never leave this file.

/** A secret set or an image pull secret, in a list. */
export interface SecretRow {
  name: string;
  type: 'secret' | 'imagePullSecret';
  region: string;
  /** `ready`, `pending`, `failed`, `unknown`, or a status that we don't know yet. */
  status: string;
  errorMessage?: string;
}

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
  display_name: string;
  supported_architectures: string[];
}

/** Instead of a missing name. No name contains parentheses. */
const UNNAMED = '(unnamed)';
const name = lenient(UNNAMED);
const detail = lenient(UNKNOWN);
const oddRow = { name: UNNAMED, type: UNKNOWN, region: UNKNOWN, status: UNKNOWN };

/** The parts of the platform's responses that we read. A schema is slow to create, so each is created when needed. */
export const answers = {
  organizations: () => answer({ organizations: every(item({ name: needed, verboseName: lenient('') })) }),
  regions: () => {
    const architectures = Joi.array().items(text).failover([]).default([]);
    const region = { code: needed, display_name: lenient(''), supported_architectures: architectures };
    return answer({ regions: every(item(region)) });
  },
  properties: () => answer({ properties: answer({ defaultRegion: Joi.string() }) }),
  user: () => answer({ user: answer({ emails: Joi.array().items(item({ emailAddress: text.required() })) }) }),
  sets: () => {
    const row = item({ name, type: detail, region: detail, status: detail, errorMessage: optional });
    return answer({ sets: every(row.failover(oddRow)) });
  },
  set: () =>
    answer({
      region: detail,
      status: detail,
      errorMessage: optional,
      source: optional,
      secrets: Joi.array()
        .items(item({ fieldName: name }).failover({ fieldName: UNNAMED }))
        .empty(null)
        .default([])
        // The keys of a referenced set are in another cluster.
        .when('source', { is: 'referenced', otherwise: Joi.required() }),
    }),
  ...agentAnswers,
  /** A change that was made. */
  done: () => answer({ status: Joi.valid('OK').required(), error: Joi.forbidden() }),
} as const;

export type AnswerKind = keyof typeof answers;

/**
 * The part of the value that the schema describes, with its defaults. Undefined if the value doesn't match. Parts that
 * we don't know are dropped: they may be nested deeply enough to break recursive code.
 *
 * @param show What to show of a text.
 * @param hasLines Whether texts keep their lines, as in logs.
 */
export function validated<Value>(
  schema: Joi.Schema,
  value: unknown,
  show: (text: string) => string,
  { hasLines = false } = {},
): Value | undefined {
  const { error, value: fit } = schema.validate(value, { convert: false, stripUnknown: true });
  if (error) return undefined;
  const tidy = hasLines ? lines : oneLine;
  // A reviver that returns undefined drops the detail.
  const revive = (_: string, part: unknown) => (typeof part === 'string' ? show(tidy(part)) : (part ?? undefined));
  return JSON.parse(JSON.stringify(fit), revive) as Value;
}
