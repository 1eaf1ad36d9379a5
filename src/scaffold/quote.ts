/** A Python string literal, as `ruff format` would write it: in the quotes that need fewer escapes. */
export function py(text: string): string {
  const literal = JSON.stringify(text);
  if (text.split('"').length <= text.split("'").length) return literal;
  return `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Text for inside a Python docstring. */
export const pydoc = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

/** A TOML basic string. Every JSON string is one. */
export const toml = (text: string): string => JSON.stringify(text);

/** Text for a line of Markdown: nothing in it is markup. */
export const md = (text: string): string => text.replace(/[\\`*_[\]<>|&~$]/g, '\\$&').replace(/^[#+-]|#+$/g, '\\$&');
