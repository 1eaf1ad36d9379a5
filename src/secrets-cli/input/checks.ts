import Joi from 'joi';
import { usageError } from '../../errors.ts';
import { EXISTING_NAME } from './location.ts';
import { KEY, KEY_SIGNS } from './secret.ts';

// joi's own messages and errors quote what they are about, which may be a secret: they never leave this file.

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
