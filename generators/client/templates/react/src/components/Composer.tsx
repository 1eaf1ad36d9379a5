import { type FormEvent, useState } from "react";

/** The field for typed messages. */
export function Composer({ onSend }: { onSend: (text: string) => void }) {
  const [message, setMessage] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    const text = message.trim();
    if (!text) return;
    setMessage("");
    onSend(text);
  };
  return (
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
  );
}
