/** JSON in which every object and list without objects inside takes one line: rows stay rows. */
export function denseJson(value: unknown, indent = ''): string {
  if (!isNested(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map(one => denseJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${denseJson(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map(line => inner + line).join(',\n')}\n${indent}${close}`;
}

/** Whether a value is a list with objects, or an object with more than one level below it. */
function isNested(value: unknown): value is object {
  return depthOf(value) > (Array.isArray(value) ? 1 : 2);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
