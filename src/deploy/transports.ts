import { callSetups } from '../catalog/call-setup.ts';
import { findTransport, type TransportRow, transports } from '../catalog/index.ts';
import { plain, shortName } from '../config/options.ts';
import { type UserError, usageError } from '../errors.ts';
import { isName } from '../platform/names.ts';
import { textOption } from '../shell/command-line.ts';

/** The transports over which botcli can call a bot, the one that proves most first. */
export const CALLABLE: readonly TransportRow[] = transports
  .filter(({ family, isPeerToPeer }) => family === 'stream' || (family === 'web' && !isPeerToPeer))
  .sort((one, other) => Number(other.family === 'stream') - Number(one.family === 'stream'));

/** The transports over which phones reach a bot. */
export const PHONES: readonly TransportRow[] = transports.filter(({ id }) => callSetups[id]);

export const transportOption = (rows: readonly TransportRow[], help: string) =>
  ({ ...textOption('transport', 'id', help), short: 't', values: rows.map(({ id }) => id) }) as const;

/** The rows that a word names: by their id, their label, or another name from the row, as `botcli init` takes them. */
function rowsNamed(word: string, rows: readonly TransportRow[]): TransportRow[] {
  const typed = plain(word);
  const namesOf = ({ id, label, generic = '', runnerKey, names = [] }: TransportRow) =>
    [id, label, shortName(label), generic, runnerKey, ...names].map(plain);
  const exact = rows.filter(({ id }) => plain(id) === typed);
  return exact.length > 0 || typed === '' ? exact : rows.filter(row => namesOf(row).includes(typed));
}

/**
 * The ones of these that were typed, or that the project has: `own` is empty if that isn't known, undefined if any will
 * do. `none` is the error if it has none of them; its hint may list them.
 */
export function chooseTransports(
  rows: readonly TransportRow[],
  typed: string | undefined,
  own: readonly string[] | undefined,
  what: string,
  none: (list: string) => UserError,
): readonly [TransportRow, ...TransportRow[]] {
  const list = rows.map(({ id, label }) => `${id} (${label})`).join(', ');
  const [first, ...others] =
    typed === undefined ? rows.filter(({ id }) => !own || own.includes(id)) : rowsNamed(typed, rows);
  if (first) return [first, ...others];
  if (typed === undefined) throw none(list);
  throw usageError(`--transport must be ${what}`, { hint: `One of: ${list}` });
}

/** Chooses how to call a bot. `organization` is the one that was typed. */
export const chooseCallable = (
  typed: string | undefined,
  own: readonly string[] | undefined,
  agent: string | undefined,
  organization = '',
): TransportRow =>
  chooseTransports(CALLABLE, typed, own, 'one that botcli can call over', list => {
    const unknown = "No project in this directory deploys this agent, so botcli doesn't know how people reach it";
    if (!own?.length) return usageError(unknown, { hint: `Pass --transport with one of: ${list}` });
    return usageError(`botcli can't call this bot: ${own.map(id => findTransport(id).label).join(', ')}`, {
      hint: `Calls through Daily numbers, and connections between two machines, need a person. Call it, and watch: botcli cloud logs ${agent} --follow${isName(organization) ? ` -o ${organization}` : ''}`,
    });
  })[0];
