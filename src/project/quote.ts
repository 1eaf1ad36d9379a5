/** A string literal of Python or JavaScript, as their formatters write it: in the quotes that need fewer escapes. */
export function py(text: string): string {
  const literal = JSON.stringify(text);
  if (text.split('"').length <= text.split("'").length) return literal;
  return `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** What templates write values with: every value passes through the function of the target language. */
export const QUOTING = {
  py,
  js: py,
  json: (value: unknown): string => JSON.stringify(value, null, 2),
  /** Text for an HTML page, in an element or in an attribute. */
  html: (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`),
  /** Text for the inside of a Python docstring. */
  pydoc: (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
  /** A TOML basic string. Every JSON string is one. */
  toml: (text: string): string => JSON.stringify(text),
  /** Text for a line of Markdown, with all markup escaped. */
  md: (text: string): string => text.replace(/[\\`*_[\]<>|&~$]/g, '\\$&').replace(/^[#+-]|#+$/g, '\\$&'),
};
