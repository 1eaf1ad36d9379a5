import { Fragment } from "react";
import { type MessagePart, splitMessage } from "../bot/words";

interface Props {
  text: string;
  onDismiss?: () => void;
}

export function Problem({ text, onDismiss }: Props) {
  return (
    <p className="problem">
      <span>
        {splitMessage(text).map((part, index) => (
          <Fragment key={index}>{show(part)}</Fragment>
        ))}
      </span>
      {onDismiss && (
        <button type="button" className="round" aria-label="Dismiss" onClick={onDismiss}>
          <i className="icon icon-close" />
        </button>
      )}
    </p>
  );
}

function show({ kind, text }: MessagePart) {
  if (kind === "words") return text;
  if (kind === "code") return <code>{text}</code>;
  return (
    <a href={text} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}
