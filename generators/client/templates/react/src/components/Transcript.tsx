import type { ConversationMessage, ConversationMessagePart } from "@pipecat-ai/client-react";
import { useEffect, useRef, useState } from "react";
import { BOT_NAME } from "../config";
import { followEnd } from "../page/follow-end";

const SPEAKERS = new Set(["user", "assistant"]);

export function Transcript({ messages }: { messages: ConversationMessage[] }) {
  const list = useRef<HTMLDivElement>(null);
  const [hasNew, setNew] = useState(false);
  useEffect(() => followEnd(list.current!, setNew), []);
  // Show only what is said, not the bot's tool calls.
  const said = messages.filter(({ role }) => SPEAKERS.has(role));
  return (
    <>
      {/* The bot is already audible: a screen reader reading along would talk over it. */}
      <div
        className="transcript"
        ref={list}
        role="log"
        aria-live="off"
        aria-label="Transcript"
        tabIndex={0}
      >
        {said.map((message) => (
          <Message key={`${message.role} ${message.createdAt}`} message={message} />
        ))}
      </div>
      {hasNew && (
        <button
          type="button"
          className="newest"
          onClick={() => list.current?.scrollTo({ top: list.current.scrollHeight })}
        >
          ↓ New
        </button>
      )}
    </>
  );
}

function Message({ message: { role, parts } }: { message: ConversationMessage }) {
  const isPerson = role === "user";
  return (
    <p className={isPerson ? "person" : "bot"}>
      <b>{isPerson ? "You" : BOT_NAME}</b>
      {parts.map((part) => (
        <Part key={part.segment_id ?? part.createdAt} part={part} />
      ))}
    </p>
  );
}

/** Also shows what the bot hasn't said yet, or never will after an interruption. */
function Part({ part: { text, needsSeparator } }: { part: ConversationMessagePart }) {
  if (typeof text !== "object" || text === null || !("spoken" in text)) return text;
  return (
    <>
      {needsSeparator && " "}
      {text.spoken}
      <span className="unspoken">{text.unspoken}</span>
    </>
  );
}
