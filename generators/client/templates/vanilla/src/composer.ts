import type { BotConnection } from "./bot/connection";
import { find } from "./find";

/** The field for typed messages. */
export function showComposer(connection: BotConnection): void {
  const message = find<HTMLInputElement>("message");
  find<HTMLFormElement>("composer").onsubmit = (event) => {
    event.preventDefault();
    const text = message.value.trim();
    if (!text || connection.getState().phase !== "talking") return;
    message.value = "";
    void connection.sendText(text);
  };
}
