import { parseDotEnv } from './dotenv.ts';

/** The names that have no value in a text. A reference is a value, even if it refers to nothing. */
export function emptyIn(text: string, names: readonly string[]): string[] {
  const { entries } = parseDotEnv(text);
  return names.filter(name => entries.get(name)?.value === undefined || entries.get(name)?.gap);
}

/** Fills in values where the text has none; names that it lacks are added at its end. The rest stays, byte for byte. */
export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  const { entries } = parseDotEnv(text);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const empty = emptyIn(text, [...values.keys()]);
  const gaps = empty.flatMap(name => {
    const gap = entries.get(name)?.gap;
    return gap ? [{ name, gap }] : [];
  });
  let filled = text;
  // From the end, so that the places before stay where they are.
  for (const { name, gap } of gaps.sort((one, other) => other.gap[0] - one.gap[0])) {
    filled = filled.slice(0, gap[0]) + quote(values.get(name)) + filled.slice(gap[1]);
  }
  const missing = empty.filter(name => !entries.get(name)?.gap);
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
