import { Fragment, useEffect, useRef, useState } from "react";
import type { Transcript as Words, Turn } from "../bot/transcript";
import { SPEAKERS } from "../bot/words";
import { followEnd } from "../page/follow-end";
import { useStore } from "./use-store";

/** What both sides say. */
export function Transcript({ words }: { words: Words }) {
  const turns = useStore(words);
  const list = useRef<HTMLDivElement>(null);
  const [hasNew, setNew] = useState(false);
  useEffect(() => followEnd(list.current!, setNew), []);
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
        {turns.map((turn) => (
          <Paragraph key={turn.id} turn={turn} />
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

/** Also shows what the bot hasn't said yet. */
function Paragraph({ turn: { speaker, parts, isInterrupted } }: { turn: Turn }) {
  const name = SPEAKERS[speaker];
  return (
    <p className={speaker}>
      {name && <b>{name}</b>}
      {parts.map(({ spoken, unspoken }, index) => (
        <Fragment key={index}>
          {spoken}
          <span className="unspoken">{unspoken}</span>
        </Fragment>
      ))}
      {isInterrupted && <em>interrupted</em>}
    </p>
  );
}
