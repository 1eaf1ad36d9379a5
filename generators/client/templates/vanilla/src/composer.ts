import type { BotConnection } from "./bot/connection";
import { find } from "./find";
import type { Transcript } from "./transcript";

/** The field for typed messages. */
export function showComposer(connection: BotConnection, transcript: Transcript): void {
  const message = find<HTMLInputElement>("message");
  find<HTMLFormElement>("composer").onsubmit = (event) => {
    event.preventDefault();
    const text = message.value.trim();
    if (!text || connection.getState().phase !== "talking") return;
    message.value = "";
    transcript.addPerson({ text, final: true });
    void connection.sendText(text);
  };
}
