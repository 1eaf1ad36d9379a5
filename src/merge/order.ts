/**
 * Inserts items into a list: after the item that they follow in a model, or in alphabetical order if the list is in that
 * order.
 */
export function insertInOrder(list: readonly string[], added: readonly string[], model: readonly string[]): string[] {
  const isSorted = list.length > 1 && list.slice(1).every((item, at) => item > (list[at] ?? ''));
  const result = [...list];
  for (const item of added) {
    if (result.includes(item)) continue;
    const before = model.slice(0, model.indexOf(item)).findLast(one => result.includes(one));
    const after = model.find(one => result.includes(one));
    const next = result.findIndex(one => one > item);
    if (isSorted) result.splice(next === -1 ? result.length : next, 0, item);
    else if (before !== undefined) result.splice(result.indexOf(before) + 1, 0, item);
    else if (after !== undefined) result.splice(result.indexOf(after), 0, item);
    else result.push(item);
  }
  return result;
}
