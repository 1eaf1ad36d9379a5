import Joi from 'joi';
import { usageError } from '../../errors.ts';
import { EXISTING_NAME, NAME_RULE, ORGANIZATION_RULE } from '../../platform/location.ts';
import { isKey, KEY_CHARACTERS } from '../../platform/secret.ts';

// joi's own messages and errors quote the value, which may be a secret, so they never leave this file.

const NAME = '1 to 128 letters, digits, or hyphens';
const existing = Joi.string().pattern(EXISTING_NAME);

const HOST =
  /^(?:https:\/\/)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?(?:\/[\w.~/-]*)?$/i;

function checkPort(host: string, { error }: Joi.CustomHelpers): string | Joi.ErrorReport {
  const port = /^[^/]*(?:\/\/[^/]*)?:(\d+)/.exec(host)?.[1] ?? '1';
  return Number(port) >= 1 && Number(port) <= 65_535 ? host : error('any.invalid');
}

/** The inputs of commands, each with the rule that error messages state. */
const inputs = {
  newName: [Joi.string().pattern(/^[A-Za-z0-9-]{1,128}$/), `<name> must be ${NAME}`],
  name: [existing, `the name must be ${NAME_RULE}`],
  organization: [existing, ORGANIZATION_RULE],
  region: [Joi.string().pattern(/^[a-z0-9-]{1,64}$/), '--region must be a code such as us-west'],
  host: [
    Joi.string().pattern(HOST).custom(checkPort),
    '<host> must be a registry name or an https URL without credentials, such as https://index.docker.io/v1/',
  ],
} as const satisfies Record<string, readonly [Joi.Schema, string]>;

type Typed = Partial<Record<keyof typeof inputs, string | undefined>>;

/** The problems with these inputs, ignoring absent ones. No value is quoted. */
export function inputProblems(typed: Typed): string[] {
  const wrong = Object.entries(inputs).filter(([input, [schema]]) => {
    const value = typed[input as keyof typeof inputs];
    return value !== undefined && schema.required().validate(value).error;
  });
  return wrong.map(([, [, rule]]) => rule);
}

/** The problem with a list of keys, which may be values in the wrong place. */
export const keyProblems = (keys: readonly string[]): string[] =>
  keys.every(isKey) ? [] : [`<secret_key> must be ${KEY_CHARACTERS}`];

/** @throws {UserError} Exit code 2: every problem with the inputs, including those in `more`. */
export function checkInputs(typed: Typed, more: readonly string[] = []): void {
  const problems = [...inputProblems(typed), ...more];
  const [only] = problems;
  if (only === undefined) return;
  if (problems.length === 1) throw usageError(only.replace(/^./, letter => letter.toUpperCase()));
  throw usageError(`${problems.length} problems; nothing was sent:`, { problems });
}
