import type { EnvEntry } from './env-file.ts';

/** What is wrong with a value, after the variable's name, and what to do. Neither quotes the value. */
interface Flaw {
  problem: string;
  hint: string;
}

/** A line that has a value. */
type Written = Omit<EnvEntry, 'value'> & { value: string };

const SECRET = /KEY|SECRET|TOKEN|_SID$|AUTH_ID$/;

/** Whether a value is a key, which is a single word. Others, such as credentials in JSON, may contain anything. */
const isKey = ({ name, value }: Written): boolean => SECRET.test(name) && !value.startsWith('{');

const PLACEHOLDERS = [
  /^<.*>$/,
  /^\[.*\]$/,
  /^\{\{.*\}\}$/,
  /^(?:xxx+|\*{3,}|\.{3,}|…)$/i,
  /(?:\.\.\.|…)$/,
  /^(?:your|my|insert|enter|add|paste|put|replace)[-_ ]/i,
  /[-_ ](?:here|goes[-_ ]here)$/i,
  /^(?:change[-_ ]?me|to[-_ ]?do|tbd|fix[-_ ]?me|dummy|placeholder|example|none|null|undefined|secret|api[-_ ]?key|key|token)$/i,
];

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
    ({ name, value }) => value === name || PLACEHOLDERS.some(pattern => pattern.test(value)),
    { problem: 'is a placeholder', hint: 'Replace it with the real value.' },
  ],
  [
    ({ value }) => /^[\u2018-\u201F]|[\u2018-\u201F]$/.test(value),
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
    written => isKey(written) && /\s/.test(written.value),
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
