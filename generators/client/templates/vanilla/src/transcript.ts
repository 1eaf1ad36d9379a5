import { describeTranscript, type Transcript, type Turn } from "./bot/transcript";
import { SPEAKERS } from "./bot/words";
import { append, find } from "./find";
import { COPY, copyText } from "./page/copy";
import { followEnd } from "./page/follow-end";

const list = find("transcript");
const newest = find("newest");
const copy = find("copy");

followEnd(list, (hasNew) => {
  newest.hidden = !hasNew;
});
newest.onclick = () => {
  list.scrollTop = list.scrollHeight;
};

const showCopied = (label: string) => {
  copy.textContent = label;
};
showCopied(COPY);

/** Shows what both sides say. */
export function showTranscript(transcript: Transcript): void {
  const shown = new Map<number, { turn: Turn; paragraph: HTMLElement }>();
  list.replaceChildren();
  copy.onclick = () => copyText(describeTranscript(transcript.getState()), showCopied);
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

/** Also shows what the bot hasn't said yet. */
function paragraphOf({ speaker, parts, isInterrupted }: Turn): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.className = speaker;
  if (SPEAKERS[speaker]) append(paragraph, "b", SPEAKERS[speaker]);
  for (const { spoken, unspoken } of parts) {
    append(paragraph, "span", spoken);
    append(paragraph, "span", unspoken).className = "unspoken";
  }
  if (isInterrupted) append(paragraph, "em", "interrupted");
  return paragraph;
}
