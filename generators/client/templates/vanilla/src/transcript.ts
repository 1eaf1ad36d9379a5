import type { Transcript, Turn } from "./bot/transcript";
import { BOT_NAME } from "./config";
import { append, find } from "./find";
import { followEnd } from "./page/follow-end";

const list = find("transcript");
const newest = find("newest");

followEnd(list, (hasNew) => {
  newest.hidden = !hasNew;
});
newest.onclick = () => {
  list.scrollTop = list.scrollHeight;
};

/** Shows what both sides say. */
export function showTranscript(transcript: Transcript): void {
  const shown = new Map<number, { turn: Turn; paragraph: HTMLElement }>();
  list.replaceChildren();
  transcript.subscribe(() => {
    transcript.getState().forEach((turn, index) => {
      const known = shown.get(turn.id);
      if (known?.turn === turn) return;
      const paragraph = paragraphOf(turn);
      if (known) known.paragraph.replaceWith(paragraph);
      else list.insertBefore(paragraph, list.children[index] ?? null);
      shown.set(turn.id, { turn, paragraph });
    });
  });
}

/** Also shows what the bot hasn't said yet, or never will after an interruption. */
function paragraphOf({ speaker, parts }: Turn): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.className = speaker;
  append(paragraph, "b", speaker === "bot" ? BOT_NAME : "You");
  for (const { spoken, unspoken } of parts) {
    append(paragraph, "span", spoken);
    append(paragraph, "span", unspoken).className = "unspoken";
  }
  return paragraph;
}
