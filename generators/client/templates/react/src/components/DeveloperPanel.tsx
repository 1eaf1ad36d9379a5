import { useEffect, useRef, useState } from "react";
import { describeFigures, filterEntries, type Journal } from "../bot/journal";
import { followEnd } from "../page/follow-end";
import { useStore } from "./use-store";

/** What the framework reports about the call, in a panel that is closed at first. */
export function DeveloperPanel({ journal }: { journal: Journal }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="developer" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Developer</summary>
      {isOpen && <Panel journal={journal} />}
    </details>
  );
}

function Panel({ journal }: { journal: Journal }) {
  const { entries, figures } = useStore(journal);
  const [filter, setFilter] = useState("");
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => followEnd(list.current!, () => {}), []);
  return (
    <div className="panel">
      <dl className="figures">
        {describeFigures(figures).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <label className="filter">
        <span>Filter events</span>
        <input type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
      </label>
      <ol className="events" ref={list} tabIndex={0} aria-label="Events">
        {filterEntries(entries, filter).map(({ id, at, name, data }) => (
          <li key={id}>
            <time>{at.toFixed(2)}</time>
            <b>{name}</b>
            <span>{data}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
