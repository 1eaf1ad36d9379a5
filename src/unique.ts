/** The items without duplicates, in the order of their first appearance. */
export const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
