import { type EnvEntry, parseDotEnv } from './dotenv.ts';

/** The names that have no value in a text. */
export function emptyIn(text: string, names: readonly string[]): string[] {
  const { entries } = parseDotEnv(text);
  return names.filter(name => isEmpty(text, entries.get(name)));
}

/** A reference is a value, even if it refers to nothing. */
const isEmpty = (text: string, entry: EnvEntry | undefined): boolean =>
  entry?.value === undefined || /^\s*(?:''|"")?$/.test(text.slice(...entry.span));

/** Fills in values where the text has none; names that it lacks are added at its end. The rest stays, byte for byte. */
export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  const { entries } = parseDotEnv(text);
  const empty = emptyIn(text, [...values.keys()]);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = empty.flatMap(name => (entries.get(name)?.value === undefined ? [] : (entries.get(name) ?? [])));
  let filled = text;
  for (const { name, span } of edits.sort((one, other) => other.span[0] - one.span[0])) {
    filled = filled.slice(0, span[0]) + quote(values.get(name)) + filled.slice(span[1]);
  }
  const missing = empty.filter(name => entries.get(name)?.value === undefined);
  const separator = missing.length > 0 && filled !== '' && !filled.endsWith('\n') ? end : '';
  return filled + separator + missing.map(name => `${name}=${quote(values.get(name))}${end}`).join('');
}

/** A value that every reader of .env files takes literally. */
const quote = (value = ''): string => (/^[\w./:+=@,%-]*$/.test(value) ? value : `'${value}'`);

/** Why a value can't be written so that all readers take it literally; undefined if it can. */
export function valueProblem(value: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(value)) return 'This has a character that no key has. Copy the key again';
  return /['\\]|\$\{/.test(value)
    ? 'Not all programs read quotes, backslashes and ${ alike. Put this into .env yourself'
    : undefined;
}
