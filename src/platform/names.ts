import { allOf, type UserError, usageError } from '../errors.ts';
import { capitalize, didYouMean, isRandom, isUuid } from '../text.ts';

/** What we say for a status or a region that the platform doesn't name. */
export const UNKNOWN = 'unknown';

/** Where a secret is stored. The region defaults to the existing set's, or to the organization's for a new set. */
export interface Location {
  organization: string;
  name: string;
  region?: string | undefined;
}

/** An existing name, which may follow other rules than ours. Dots alone would change the URL's path. */
const EXISTING_NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,128}$/;
const NAME_RULE = '1 to 128 letters, digits, hyphens, underscores, or dots (but not only dots)';

export const isName = (text: string): boolean => EXISTING_NAME.test(text);

/** Whether this is a region's code, which may become part of an address. */
export const isRegion = (text: string): boolean =>
  text !== UNKNOWN && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);

/** Why an organization can't have anything in a region, and what to do; undefined if it has it. */
export function regionProblem(region: string, regions: readonly string[], organization: string) {
  if (regions.includes(region)) return undefined;
  const meant = didYouMean(region, regions);
  const text = `Organization ${organization} has no region "${region}"${meant ? `. ${meant}` : ''}`;
  return { text, hint: `Its regions: ${regions.join(', ')}` };
}

type Place = { readonly region: string };

/** Where the platform has a secret. */
export const regionOf = (found: { type: 'secret'; set: Place } | { type: 'imagePullSecret'; row: Place }): string =>
  (found.type === 'secret' ? found.set : found.row).region;

/** The command that lists a secret. It works whichever organization is selected. */
export const listCommand = ({ organization, name }: Location): string =>
  `botcli cloud secrets list ${name} -o ${organization}`;

export const describeLocation = ({ organization, name }: Location): string => `${name} in organization ${organization}`;

export const describeStatus = (status: string): string =>
  status === UNKNOWN ? 'Its status is unknown.' : `It is ${status}.`;

/** A key of a secret set, and its value. Secrets are kept in lists, not objects, because `__proto__` is a legal key. */
export interface Secret {
  key: string;
  value: string;
  /** Its key and line, if a bot that reads the same file itself gets another value. */
  readOtherwise?: string;
}

const KEY = /^[A-Za-z0-9_-]{1,64}$/;
export const KEY_RULE = 'a key must be 1 to 64 letters, digits, underscores, or hyphens';

export const isKey = (text: string): boolean => KEY.test(text);

/** How keys are usually written. */
const USUAL_KEY = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Names a key in a problem, if it's in capitals with an underscore: any other one may be a part of a value. */
export const nameKey = (key: string): string => (USUAL_KEY.test(key) ? ` (${key})` : '');

/** Whether what should be a key is rather a value, or a part of one: long, and not made of words. */
export function looksLikeValue(key: string): boolean {
  if (USUAL_KEY.test(key)) return false;
  const isMixed = /[a-z]/.test(key) && /[A-Z]/.test(key) && /\d/.test(key);
  // Random texts in the alphabet of URLs have separators, too, and names with some are in one case.
  const runs = [...key.split(/[_-]/), ...(isMixed ? [key.replaceAll(/[_-]/g, '')] : [])];
  return isUuid(key) || runs.some(isRandom);
}

/** Warnings about an env file: of values that bots read otherwise, and of keys without one. They have no value. */
export function warnAboutFile(secrets: readonly Secret[], blank: readonly { key: string; line: number }[]): string[] {
  const odd = secrets.flatMap(({ readOtherwise = [] }) => readOtherwise);
  // An unusual key may be the end of the value above it.
  const unset = blank.map(({ key, line }) =>
    USUAL_KEY.test(key) || /^(?:[A-Z_]+|[a-z_-]+)$/.test(key) ? `${key} (line ${line})` : `line ${line}`,
  );
  return [
    ...(odd.length > 0
      ? [
          `The platform gets these values as written: ${odd.join(', ')}. A bot that reads the file itself gets others, because python-dotenv replaces \${…} and trims all kinds of spaces.`,
        ]
      : []),
    ...(unset.length > 0 ? [`Not set, because the file has no value: ${unset.join(', ')}`] : []),
  ];
}

/** The longest environment variable on Linux, including `KEY=` and the terminating NUL. In bytes. */
const LONGEST_VARIABLE = 128 * 1024;

/** Why a value can't be stored; undefined if it can. */
export function valueProblem({ key, value }: Secret): string | undefined {
  if (!value.isWellFormed()) return 'the value contains half of a surrogate pair, which is no character';
  if (value === '') return 'the value is empty; to remove a key, use unset';
  if (value.includes('\0')) return "the value contains a NUL character, which an environment variable can't";
  if (Buffer.byteLength(`${key}=${value}`) >= LONGEST_VARIABLE) {
    return 'the value is too long: KEY=VALUE must be under 128 KiB to fit in an environment variable';
  }
  return undefined;
}

const HOST =
  /^(?:https:\/\/)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::(\d{1,5}))?(?:\/[\w.~/-]*)?$/i;

function isRegistry(host: string): boolean {
  const [found, port = '1'] = HOST.exec(host) ?? [];
  return found !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}

type Rule = readonly [isValid: (text: string) => boolean, rule: string];

/** The inputs of commands, each with the rule that error messages state. */
const INPUTS = {
  newName: [text => /^[A-Za-z0-9-]{1,128}$/.test(text), '<name> must be 1 to 128 letters, digits, or hyphens'],
  name: [isName, `the name must be ${NAME_RULE}`],
  organization: [isName, `--organization must be the name in the organization's URL: ${NAME_RULE}`],
  agent: [isName, `the name of the agent must be ${NAME_RULE}`],
  region: [text => /^[a-z0-9-]{1,64}$/.test(text), '--region must be a code such as us-west'],
  host: [
    isRegistry,
    '<host> must be a registry name or an https URL without credentials, such as https://index.docker.io/v1/',
  ],
} as const satisfies Record<string, Rule>;

type Typed = { readonly [Input in keyof typeof INPUTS]?: string | undefined };

/** The problems with these inputs, ignoring absent ones. No value is quoted: it may be a secret in the wrong place. */
export const inputProblems = (typed: Typed): string[] =>
  Object.entries(INPUTS).flatMap(([input, [isValid, rule]]) => {
    const value = typed[input as keyof typeof INPUTS];
    return value === undefined || isValid(value) ? [] : [rule];
  });

/** What follows the number of problems in a command line. */
export const NOTHING_SENT = { heading: '; nothing was sent:' };

/** @throws {UserError} Exit code 2: every problem with the inputs, including those in `more`. Nothing was sent. */
export function checkInputs(typed: Typed, more: readonly (string | UserError)[] = []): void {
  const problems = [...inputProblems(typed), ...more];
  const [only] = problems;
  if (problems.length === 1 && typeof only === 'string') throw usageError(capitalize(only));
  if (problems.length > 0) throw allOf(problems, NOTHING_SENT);
}
