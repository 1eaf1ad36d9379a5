import { isSecret, providerVariables } from '../../catalog/index.ts';
import { keyTrials } from '../../catalog/key-trials.ts';
import { revealedBy } from '../../deploy/context/contents.ts';
import type { EnvEntry } from '../../formats/dotenv.ts';
import { portIn } from '../../std.ts';

/** What is wrong with a value, after the variable's name, and what to do. Neither quotes the value. */
interface Flaw {
  problem: string;
  hint: string;
  /** Who may accept the value: a server of one's own, only another provider, or the bot once a program replaced it. */
  unless?: 'server' | 'elsewhere' | 'replaced';
}

/** A line that has a value. */
type Written = Omit<EnvEntry, 'value'> & { value: string };

type Valued = Pick<Written, 'name' | 'value'>;

/** What a key never is: JSON, a block such as a certificate, a path, or a reference such as `op://vault/item`. */
const NO_KEY = /^(?:\{|-----BEGIN|(?:~|\.{1,2})?\/.*\/|[A-Za-z]:[\\/]|[a-z][a-z+-]*:\/\/)/;

/** Whether a value is a key, which is a single word. Others may contain anything. */
const isKey = ({ name, value }: Valued): boolean => isSecret(name) && !NO_KEY.test(value);

/** The variables of all providers. */
const KNOWN = new Set([...providerVariables(), ...keyTrials.flatMap(({ address }) => address ?? [])]);

/** Whether a provider's variable has an address. Nobody knows what other code takes for one. */
export const isAddress = (name: string): boolean =>
  KNOWN.has(name) && /_(?:BASE_URL|API_BASE|URL|ENDPOINT)$/.test(name);

/** What a key of a provider never is. One of another service may be anything. */
const never =
  (pattern: RegExp) =>
  ({ name, value }: Valued): boolean =>
    KNOWN.has(name) && isSecret(name) && pattern.test(value);

/** The same, of a key that is a single word. Credentials of Google Cloud are JSON, or in a file. */
const neverWord = (pattern: RegExp) => (written: Valued) =>
  never(pattern)(written) && !/CREDENTIALS/.test(written.name);

/** What is wrong with any value that is a key. */
const inKey =
  (pattern: RegExp, isQuoted?: boolean) =>
  (written: Written): boolean =>
    isKey(written) && written.isQuoted === (isQuoted ?? written.isQuoted) && pattern.test(written.value);

// A pattern that ignores case is slow to compile if it has characters such as an ellipsis.
const PLACEHOLDERS = [
  /^<[^<>]*>$/,
  /^[a-z]+:\/\/(?:[<{]|[Yy]our[-_]|YOUR[-_]|HOST(?![\w-]))/,
  /^\{\{.*\}\}$/,
  /^(?:[xX]{3,}|\*{3,}|\.{3,}|…)$/,
  /^(?:your|insert|enter|paste|put|replace)[-_]\S*$/i,
  /^(?:change[-_ ]?me|to[-_ ]?do|tbd|fix[-_ ]?me|placeholder)$/i,
];

const KEY_PLACEHOLDERS = [
  /^\[.*\]$/,
  /(?:\.\.\.|…|[xX]{6,})$/,
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

/** Files on other machines, too. A key may have slashes, also at its beginning, but no lowercase words between them. */
const PATH =
  /^(?:~|\.{1,2})\/|^[A-Za-z]:\\|^(?:\/[a-z._-]+){2,}$|^\/(?:app|etc|home|mnt|opt|root|run|secrets|srv|tmp|Users|usr|var)\//;

const REAL = 'Replace it with the real value.';

/** The flaws, the likeliest one first: the problem, the hint, and who may accept the value. */
const FLAWS: readonly [(written: Written) => boolean, problem: string, hint: string, unless?: Flaw['unless']][] = [
  [
    ({ isOpen }) => isOpen,
    'refers to a variable that is not set, with a dollar sign and braces',
    'Set that variable above it, or remove the dollar sign.',
  ],
  [
    inKey(/\$\{/),
    'has a dollar sign and braces that nothing replaces',
    'Between the braces, python-dotenv knows only a name, or a name with a default after :- and without braces.',
    'server',
  ],
  [
    ({ name, value }) => name === 'PORT' && portIn(value) === undefined,
    'is not a port',
    'Set it to a number from 1 to 65535, or remove it.',
  ],
  [
    ({ name, value }) => isAddress(name) && !/^[a-z][a-z0-9+.-]*:\/\/./i.test(value) && !isPlaceholder({ name, value }),
    'is not an address',
    'Begin it with http://, https://, ws://, or wss://.',
  ],
  [
    never(/^(?:encrypted:|[a-z][a-z0-9+.-]*:\/\/)/i),
    'is an address or a reference, which the bot sends as the key',
    'Set the key itself. Or leave it empty here, and set it in the shell: what is in the file wins.',
    'replaced',
  ],
  [
    never(/^(?:\$[A-Z_][A-Z0-9_]*|\$env:\w+|\$\(.*\)|%[A-Z_][A-Z0-9_]*%)$/i),
    'is the name of a variable or a command, which only a shell replaces',
    'Set the value itself, or the name of another variable with a dollar sign and braces.',
  ],
  [never(/^#/), 'begins with #, which becomes part of it', 'Remove it.'],
  [never(/\\$/), 'ends with a backslash, which becomes part of it', 'Put the whole key on one line, without it.'],
  [isPlaceholder, 'is a placeholder', REAL, 'server'],
  [({ value }) => VARIABLE.test(value), 'begins with the name of a variable', 'Keep only what is after the = in it.'],
  [
    neverWord(/\*{3}|[•●∙·]{2}|…|\.{3}|[xX]{6}/),
    'is masked, as dashboards show keys',
    'Copy the whole key. If the provider no longer shows it, create a new one.',
    'server',
  ],
  [neverWord(/^(?:true|false|yes|no|on|off)$/i), 'is a setting such as true, not a key', REAL, 'server'],
  [neverWord(/^[^\s@:/]+@[\w-]+(?:\.[\w-]+)+$/), 'is an email address', REAL, 'server'],
  [neverWord(PATH), 'is the path of a file, which the bot sends as the key', 'Set the key itself.', 'server'],
  [
    neverWord(/\\[nr]|%(?:0[AD]|20|2B|2F|3D)/i),
    'has an escape such as \\n or %0A, which becomes part of it',
    'Copy the key again, as plain text.',
    'server',
  ],
  [
    inKey(/^[\u2018-\u201F]|[\u2018-\u201F]$/),
    'is in typographic quotes, which become part of it',
    'Use straight quotes, or none.',
  ],
  [
    inKey(/["'`]$|^`/, false),
    'has a quote at one end, which becomes part of it',
    'Remove it, or put one at both ends.',
  ],
  [
    inKey(/^["'`].*["'`]$/, true),
    'has two pairs of quotes, and the inner pair is part of it',
    'Use one pair, or none.',
  ],
  [inKey(/^\s|\s$/, true), 'begins or ends with a space, which the quotes keep', 'Remove the space.'],
  [inKey(/[,;]$/), 'ends with a comma or a semicolon, which becomes part of it', 'Remove it.'],
  [inKey(/[^\S\uFEFF]/), 'contains a space', 'Keys have none: copy it again.'],
  [
    inKey(/[^\x21-\x7e]/),
    'contains a character that no key has, perhaps an invisible one',
    'Copy it again, as plain text.',
  ],
];

/** Finds what makes a value useless, although it is set. */
export function flawOf({ value = '', ...entry }: EnvEntry): Flaw | undefined {
  if (value === '' && !entry.isOpen) return undefined;
  const [, problem, hint, unless] = FLAWS.find(([isFlawed]) => isFlawed({ ...entry, value })) ?? [];
  return problem && hint ? { problem, hint, ...(unless && { unless }) } : ownerFlaw({ ...entry, value });
}

/** Beginnings of keys that several providers have. */
const SHARED = /^(?:sk-(?!ant-|proj-|svcacct-|admin-)|[rs]k_(?!car_))/;

/** The flaw of a key that looks like another provider's. */
function ownerFlaw({ name, value }: Valued): Flaw | undefined {
  if (!KNOWN.has(name) || !isSecret(name) || SHARED.test(value)) return undefined;
  const what = revealedBy(value, '')?.what ?? '';
  const [, owner = ''] = /^has a token of (.+?)(?: or a service like it)?$/.exec(what) ?? [];
  const [word = ''] = owner.toLowerCase().split(' ');
  // Those of Gradium begin like Groq's.
  const users = word === 'groq' ? [word, 'gradium'] : [word];
  if (users.some(one => name.toLowerCase().includes(one))) return undefined;
  return { problem: `is a key of ${owner}`, hint: 'Replace it with a key of the right provider.', unless: 'elsewhere' };
}
