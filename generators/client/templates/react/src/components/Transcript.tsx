import {
  type ConversationMessage,
  type ConversationMessagePart,
  usePipecatConversation,
} from "@pipecat-ai/client-react";
import { useEffect, useRef } from "react";
import { BOT_NAME } from "../config";

const SPEAKERS = new Set(["user", "assistant"]);

export function Transcript() {
  const conversation = usePipecatConversation();
  // Show only what is said, not the bot's tool calls.
  const messages = conversation.messages.filter(({ role }) => SPEAKERS.has(role));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [conversation.messages]);

  // The bot is already audible: a screen reader reading along would talk over it.
  return (
    <div
      className="transcript"
      ref={list}
      role="log"
      aria-live="off"
      aria-label="Conversation"
      tabIndex={0}
    >
      {messages.length === 0 && <p className="empty">Your conversation will appear here.</p>}
      {messages.map((message) => (
        <Message key={`${message.role} ${message.createdAt}`} message={message} />
      ))}
    </div>
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
