import { isSecret, providerVariables } from '../../catalog/index.ts';
import { keyChecks } from '../../catalog/key-checks.ts';
import type { EnvEntry } from '../../formats/dotenv.ts';
import { portIn } from '../../std.ts';

/** What is wrong with a value, after the variable's name, and what to do. Neither quotes the value. */
interface Flaw {
  problem: string;
  hint: string;
  /** Whether a server of one's own may accept the value nevertheless. */
  mayServe?: true;
  /** Whether a program that starts the bot may replace the value. */
  isReference?: true;
}

/** A line that has a value. */
type Written = Omit<EnvEntry, 'value'> & { value: string };

type Valued = Pick<Written, 'name' | 'value'>;

/** What a key never is: JSON, a block such as a certificate, a path, or a reference such as `op://vault/item`. */
const NO_KEY = /^(?:\{|-----BEGIN|(?:~|\.{1,2})?\/.*\/|[A-Za-z]:[\\/]|[a-z][a-z+-]*:\/\/)/;

/** Whether a value is a key, which is a single word. Others may contain anything. */
const isKey = ({ name, value }: Valued): boolean => isSecret(name) && !NO_KEY.test(value);

/** The variables of all providers. */
const KNOWN = new Set([...providerVariables(), ...keyChecks.flatMap(({ address }) => address ?? [])]);

/** Whether a provider's variable has an address. Nobody knows what other code takes for one. */
export const isAddress = (name: string): boolean =>
  KNOWN.has(name) && /_(?:BASE_URL|API_BASE|URL|ENDPOINT)$/.test(name);

/** What a key of a provider never is. One of another service may be anything. */
const never =
  (pattern: RegExp) =>
  ({ name, value }: Valued): boolean =>
    KNOWN.has(name) && isSecret(name) && pattern.test(value);

const PLACEHOLDERS = [
  /^<[^<>]*>$/,
  /^[a-z]+:\/\/(?:[<{]|[Yy]our[-_]|YOUR[-_]|HOST(?![\w-]))/,
  /^\{\{.*\}\}$/,
  /^(?:xxx+|\*{3,}|\.{3,}|…)$/i,
  /^(?:your|insert|enter|paste|put|replace)[-_]\S*$/i,
  /^(?:change[-_ ]?me|to[-_ ]?do|tbd|fix[-_ ]?me|placeholder)$/i,
];

const KEY_PLACEHOLDERS = [
  /^\[.*\]$/,
  /(?:\.\.\.|…|x{6,})$/i,
  /^(?:your|my|insert|enter|add|paste|put|replace)[-_ ]/i,
  /[-_ ](?:here|goes[-_ ]here)$/i,
  /^(?:dummy|example|none|null|undefined|secret|api[-_ ]?key|key|token)$/i,
];

/** What servers of one's own are given as a key. */
const isUnused = never(
  /^(?:sk-)?(?:tests?|testing|fake|unused|empty|n\/?a|no[-_ ]?key(?:[-_ ]required)?|not[-_ ]?(?:needed|used|required))$/i,
);

const isPlaceholder = (written: Valued): boolean =>
  written.value === written.name ||
  isUnused(written) ||
  [...PLACEHOLDERS, ...(isKey(written) ? KEY_PLACEHOLDERS : [])].some(pattern => pattern.test(written.value));

/** Another variable, such as a whole line of a page that lists them. */
const VARIABLE = /^(?:export\s+)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\s*=\s*\S/;

/** The flaws, the likeliest one first. */
const FLAWS: readonly [isFlawed: (written: Written) => boolean, Flaw][] = [
  [
    ({ isOpen }) => isOpen,
    {
      problem: 'refers to a variable that is not set, with a dollar sign and braces',
      hint: 'Set that variable above it, or remove the dollar sign.',
    },
  ],
  [
    ({ name, value }) => name === 'PORT' && portIn(value) === undefined,
    { problem: 'is not a port', hint: 'Set it to a number from 1 to 65535, or remove it.' },
  ],
  [
    ({ name, value }) => isAddress(name) && !/^[a-z][a-z0-9+.-]*:\/\/./i.test(value) && !isPlaceholder({ name, value }),
    { problem: 'is not an address', hint: 'Begin it with http://, https://, ws://, or wss://.' },
  ],
  [
    never(/^(?:encrypted:|[a-z][a-z0-9+.-]*:\/\/)/i),
    {
      problem: 'is an address or a reference, which the bot sends as the key',
      hint: 'Set the key itself. Or leave it empty here, and set it in the shell: what is in the file wins.',
      isReference: true,
    },
  ],
  [
    never(/^(?:\$[A-Z_][A-Z0-9_]*|\$env:\w+|\$\(.*\)|%[A-Z_][A-Z0-9_]*%)$/i),
    {
      problem: 'is the name of a variable or a command, which only a shell replaces',
      hint: 'Set the value itself, or the name of another variable with a dollar sign and braces.',
    },
  ],
  [
    never(/^(?:\/|[A-Za-z]:\\).*[:;](?:\/|[A-Za-z]:\\)/),
    { problem: 'is a list of directories', hint: 'It may refer to PATH. Set the key itself.' },
  ],
  [never(/^#/), { problem: 'begins with #, which becomes part of it', hint: 'Remove it.' }],
  [
    never(/\\$/),
    { problem: 'ends with a backslash, which becomes part of it', hint: 'Put the whole key on one line, without it.' },
  ],
  [isPlaceholder, { problem: 'is a placeholder', hint: 'Replace it with the real value.', mayServe: true }],
  [
    ({ value }) => VARIABLE.test(value),
    { problem: 'begins with the name of a variable', hint: 'Keep only what is after the = in it.' },
  ],
  [
    written => isKey(written) && /^[\u2018-\u201F]|[\u2018-\u201F]$/.test(written.value),
    { problem: 'is in typographic quotes, which become part of it', hint: 'Use straight quotes, or none.' },
  ],
  [
    written => isKey(written) && !written.isQuoted && /["'`]$|^`/.test(written.value),
    { problem: 'has a quote at one end, which becomes part of it', hint: 'Remove it, or put one at both ends.' },
  ],
  [
    written => isKey(written) && written.isQuoted && /^["'`].*["'`]$/.test(written.value),
    { problem: 'has two pairs of quotes, and the inner pair is part of it', hint: 'Use one pair, or none.' },
  ],
  [
    written => isKey(written) && written.isQuoted && written.value !== written.value.trim(),
    { problem: 'begins or ends with a space, which the quotes keep', hint: 'Remove the space.' },
  ],
  [
    written => isKey(written) && /[,;]$/.test(written.value),
    { problem: 'ends with a comma or a semicolon, which becomes part of it', hint: 'Remove it.' },
  ],
  [
    written => isKey(written) && /[^\S\uFEFF]/.test(written.value),
    { problem: 'contains a space', hint: 'Keys have none: copy it again.' },
  ],
  [
    written => isKey(written) && /[^\x21-\x7e]/.test(written.value),
    {
      problem: 'contains a character that no key has, perhaps an invisible one',
      hint: 'Copy it again, as plain text.',
    },
  ],
];

/** Finds what makes a value useless, although it is set. */
export function flawOf({ value = '', ...entry }: EnvEntry): Flaw | undefined {
  if (value === '' && !entry.isOpen) return undefined;
  return FLAWS.find(([isFlawed]) => isFlawed({ ...entry, value }))?.[1];
}
