/** The items once each, in the order of their first appearance. */
export const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
