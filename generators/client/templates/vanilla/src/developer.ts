import { describeFigures, filterEntries, type Journal } from "./bot/journal";
import { isForDevelopers } from "./config";
import { append, find } from "./find";
import { followEnd } from "./page/follow-end";

const panel = find<HTMLDetailsElement>("developer");
const filter = find<HTMLInputElement>("filter");
const events = find("events");

panel.hidden = !isForDevelopers();
followEnd(events, () => {});

/** What the framework reports about the call, in a panel that is closed at first. */
export function showDeveloperPanel(journal: Journal): void {
  const show = () => {
    if (!panel.open) return;
    const { entries, figures } = journal.getState();
    const rows = describeFigures(figures).map(([name, value]) => {
      const row = document.createElement("div");
      append(row, "dt", name);
      append(row, "dd", value);
      return row;
    });
    find("figures").replaceChildren(...rows);
    const lines = filterEntries(entries, filter.value).map(({ at, name, data }) => {
      const line = document.createElement("li");
      append(line, "time", at.toFixed(2));
      append(line, "b", name);
      append(line, "span", data);
      return line;
    });
    events.replaceChildren(...lines);
  };
  journal.subscribe(show);
  panel.ontoggle = show;
  filter.oninput = show;
}
