/** The items without duplicates, in the order of their first appearance. */
export const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** What some work returns, or something else if it fails, whatever the reason. */
export function orElse<Result, Other>(work: () => Result, other: Other): Result | Other {
  try {
    return work();
  } catch {
    return other;
  }
}

/** A function that computes the value of an object once. Neither the object nor the value may change. */
export function remembered<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return key => {
    const { value } = known.get(key) ?? { value: compute(key) };
    known.set(key, { value });
    return value;
  };
}

/** The value of a JSON text; undefined if it isn't JSON. Node's error would quote the text, which may be a secret. */
export const parsedJson = (text: string): unknown => orElse(() => JSON.parse(text), undefined);

/** Whether a value from JSON is an object, rather than a list or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const LARGEST_PORT = 65_535;

/** The port that a text names; undefined if nothing can listen on it. */
export function portIn(text = ''): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= LARGEST_PORT ? port : undefined;
}

/** The positive number that a text names, such as 10 or .5; undefined if it names none, or more than `most`. */
export function amountIn(text: string, most: number): number | undefined {
  const amount = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : 0;
  return amount > 0 && amount <= most ? amount : undefined;
}
