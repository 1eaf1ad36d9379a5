import { callSetups } from '../../catalog/call-setup.ts';
import { findTransport, type TransportRow, transports } from '../../catalog/index.ts';
import { plain, shortName } from '../../config/names.ts';
import { usageError } from '../../errors.ts';

/** The transports over which botcli can call a bot, the one that proves most first. */
const CALLABLE: readonly TransportRow[] = transports
  .filter(({ family, isPeerToPeer }) => family === 'stream' || (family === 'web' && !isPeerToPeer))
  .sort((one, other) => Number(other.family === 'stream') - Number(one.family === 'stream'));

/** Whether botcli can call a bot with these transports. */
export const isCallable = (own: readonly string[]): boolean => CALLABLE.some(({ id }) => own.includes(id));

/** The transports over which phones reach a bot. */
export const PHONES: readonly TransportRow[] = transports.filter(({ id }) => callSetups[id]);

/** Whether phones reach a bot with these transports. */
export const hasPhone = (own: readonly string[]): boolean => PHONES.some(({ id }) => own.includes(id));

/** The rows that a word names: by their id, their label, or another name from the row, as `botcli init` takes them. */
export function rowsNamed(word: string, rows: readonly TransportRow[]): TransportRow[] {
  const typed = plain(word);
  const namesOf = ({ id, label, generic = '', runnerKey, names = [] }: TransportRow) =>
    [id, label, shortName(label), generic, runnerKey, ...names].map(plain);
  const exact = rows.filter(({ id }) => plain(id) === typed);
  return exact.length > 0 || typed === '' ? exact : rows.filter(row => namesOf(row).includes(typed));
}

/** Rows as a hint names them. */
export const listOf = (rows: readonly TransportRow[]): string =>
  rows.map(({ id, label }) => `${id} (${label})`).join(', ');

/** The option that says how to reach the bot. */
export const transportOption = {
  flag: 'transport',
  short: 't',
  kind: 'text',
  placeholder: 'id',
  values: CALLABLE.map(({ id }) => id),
  help: "How to reach the bot (default: the project's, a phone provider first)",
} as const;

/**
 * Chooses how to call a bot.
 *
 * @param own The transports of the bot's project; empty if that isn't known.
 * @param watch The command that watches the bot.
 * @throws {UserError} Exit code 2: botcli can't call over any of them.
 */
export function chooseTransport(typed: string | undefined, own: readonly string[], watch: string): TransportRow {
  if (typed !== undefined) {
    const [found] = rowsNamed(typed, CALLABLE);
    if (found) return found;
    throw usageError('--transport must be one that botcli can call over', { hint: `One of: ${listOf(CALLABLE)}` });
  }
  const [first] = CALLABLE.filter(({ id }) => own.includes(id));
  if (first) return first;
  if (own.length === 0) {
    const hint = `Pass --transport with one of: ${listOf(CALLABLE)}`;
    throw usageError("How do people reach this bot? It isn't the one of the project in this directory", { hint });
  }
  const labels = own.map(id => findTransport(id).label).join(', ');
  throw usageError(`botcli can't call this bot: ${labels}`, {
    hint: `Calls through Daily numbers, and connections between two machines, need a person. Call it, and watch: ${watch}`,
  });
}
