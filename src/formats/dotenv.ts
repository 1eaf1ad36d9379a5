// The .env file of a project, as text. All of it is kept byte for byte, except the empty values that are filled in.

/**
 * An assignment: its name, and its value with any quotes. A quoted value may span lines, so lines in it that look like
 * assignments are none.
 */
const ASSIGNMENT =
  /^([ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=)([ \t]*?)('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?:\S[^\r\n]*?)?)(?=(?:[ \t]+#[^\r\n]*|[ \t]*)\r?$)/gm;

interface Assignment {
  name: string;
  /** Where its value begins and ends. */
  from: number;
  to: number;
  isEmpty: boolean;
}

/** The assignment of each name: the last one, which is the one that counts. */
function assignmentsIn(text: string): Map<string, Assignment> {
  const found = [...text.matchAll(ASSIGNMENT)].map(match => {
    const [, before = '', name = '', blanks = '', value = ''] = match;
    const from = match.index + before.length;
    // The blank before a comment stays: without it, the comment would be part of the value.
    const to = value === '' ? from : from + blanks.length + value.length;
    return { name, from, to, isEmpty: /^(?:''|"")?$/.test(value) };
  });
  return new Map(found.map(one => [one.name, one]));
}

/** The names that have no value in the text. */
export function emptyIn(text: string, names: readonly string[]): string[] {
  const assignments = assignmentsIn(text);
  return names.filter(name => assignments.get(name)?.isEmpty ?? true);
}

/** Fills in values where the text has none; names that it lacks are added at its end. */
export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  const assignments = assignmentsIn(text);
  const empty = emptyIn(text, [...values.keys()]);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = empty.flatMap(name => assignments.get(name) ?? []).sort((one, other) => other.from - one.from);
  let filled = text;
  for (const { name, from, to } of edits) filled = filled.slice(0, from) + quote(values.get(name)) + filled.slice(to);
  const missing = empty.filter(name => !assignments.has(name));
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
