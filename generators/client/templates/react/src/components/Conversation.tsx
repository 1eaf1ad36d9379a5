import { usePipecatConversation } from "@pipecat-ai/client-react";
import { type FormEvent, useState } from "react";
import type { BotConnection } from "../bot/connection";
import { Transcript } from "./Transcript";

/** What both sides say, and a field to type to the bot. */
export function Conversation({ connection }: { connection: BotConnection }) {
  const { messages, injectMessage } = usePipecatConversation();
  const [message, setMessage] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    const text = message.trim();
    if (!text || connection.getState().phase !== "talking") return;
    setMessage("");
    injectMessage({
      role: "user",
      parts: [{ text, final: true, createdAt: new Date().toISOString() }],
    });
    void connection.sendText(text);
  };
  return (
    <section className="conversation" aria-label="Conversation">
      <Transcript messages={messages} />
      <form className="composer" onSubmit={send}>
        <input
          aria-label="Message"
          placeholder="Type a message"
          autoComplete="off"
          enterKeyHint="send"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <button className="round" aria-label="Send" title="Send">
          <i className="icon icon-send" />
        </button>
      </form>
    </section>
  );
}
