/** What a reference stands for; undefined if it must stay as it is. */
type Lookup = (name: string, preset: string | undefined) => string | undefined;

/** Replaces `${X}` and `${X:-preset}`. What isn't closed isn't a reference. It passes over the text only once. */
export function replaceReferences(text: string, lookUp: Lookup): string {
  const parts: string[] = [];
  let [copied, end, colon] = [0, -1, -1];
  /** Where a sign is next; known from before, if that is still ahead. */
  const find = (sign: string, from: number, known: number) =>
    known >= from ? known : (text.indexOf(sign, from) + 1 || Number.POSITIVE_INFINITY) - 1;
  for (let from = text.indexOf('${'); from !== -1; ) {
    end = find('}', from, end);
    colon = find(':', from, colon);
    if (end === Number.POSITIVE_INFINITY) break;
    const hasColon = colon < end;
    const isReference = !hasColon || text[colon + 1] === '-';
    if (isReference) {
      const value = lookUp(
        text.slice(from + 2, Math.min(colon, end)),
        hasColon ? text.slice(colon + 2, end) : undefined,
      );
      parts.push(text.slice(copied, from), value ?? text.slice(from, end + 1));
      copied = end + 1;
    }
    // Every name that begins before this colon has it, too.
    from = text.indexOf('${', isReference ? end + 1 : colon);
  }
  return parts.join('') + text.slice(copied);
}
