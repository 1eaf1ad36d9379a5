/** A reader this close to the end, in pixels, is reading along. */
const CLOSE = 48;

/**
 * Keeps the end of a growing list in view, until the reader scrolls up. Calls `show` when there is something new below that
 * the reader can't see, and when they have reached it. Returns a function that stops that.
 */
export function followEnd(list: HTMLElement, show: (hasNew: boolean) => void): () => void {
  let isFollowing = true;
  let top = 0;
  const isAtEnd = () => list.scrollHeight - list.scrollTop - list.clientHeight < CLOSE;
  const read = () => {
    // While the page changes its layout, the end moves away from a reader who doesn't.
    isFollowing = isAtEnd() || (isFollowing && list.scrollTop >= top);
    top = list.scrollTop;
    if (isFollowing) show(false);
  };
  const grow = () => {
    if (isFollowing) list.scrollTop = list.scrollHeight;
    else if (!isAtEnd()) show(true);
  };
  const growth = new MutationObserver(grow);
  growth.observe(list, { childList: true, subtree: true, characterData: true });
  // On a smaller page, the end is elsewhere.
  const size = new ResizeObserver(() => isFollowing && grow());
  size.observe(list);
  list.addEventListener("scroll", read, { passive: true });
  return () => {
    growth.disconnect();
    size.disconnect();
    list.removeEventListener("scroll", read);
  };
}
