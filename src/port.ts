export const LARGEST_PORT = 65_535;

/** The port that a text names; undefined if nothing can listen on it. */
export function portIn(text = ''): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= LARGEST_PORT ? port : undefined;
}
