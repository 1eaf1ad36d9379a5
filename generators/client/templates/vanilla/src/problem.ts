import { type MessagePart, splitMessage } from "./bot/words";
import { find } from "./find";

const ELEMENTS = { words: "span", code: "code", link: "a" } as const;

/** Shows a problem, or hides the last one. */
export function showProblem(problem: string | null): void {
  const parts = splitMessage(problem ?? "").map(elementOf);
  const text = find("problem-text");
  if (text.textContent !== parts.map(({ textContent }) => textContent).join("")) {
    text.replaceChildren(...parts);
  }
  find("problem").hidden = problem === null;
}

function elementOf({ kind, text }: MessagePart): HTMLElement {
  const element = document.createElement(ELEMENTS[kind]);
  element.textContent = text;
  if (element instanceof HTMLAnchorElement) {
    Object.assign(element, { href: text, target: "_blank", rel: "noreferrer" });
  }
  return element;
}
