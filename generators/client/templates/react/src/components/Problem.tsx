import { Fragment } from "react";
import { splitCode } from "../bot/words";

interface Props {
  text: string;
  onDismiss?: () => void;
}

export function Problem({ text, onDismiss }: Props) {
  return (
    <p className="problem">
      <span>
        {splitCode(text).map((part, index) =>
          part.isCode ? (
            <code key={index}>{part.text}</code>
          ) : (
            <Fragment key={index}>{part.text}</Fragment>
          ),
        )}
      </span>
      {onDismiss && (
        <button type="button" className="round" aria-label="Dismiss" onClick={onDismiss}>
          <i className="icon icon-close" />
        </button>
      )}
    </p>
  );
}
