/** A file of ours has four levels at most. Far more of them could overflow the stack. */
export const MOST_LEVELS = 10;

/** Whether a value from JSON has more levels of lists and objects. */
export const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1)));
