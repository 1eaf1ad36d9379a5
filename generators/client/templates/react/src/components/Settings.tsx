import type { ReactNode } from "react";
import { BotVoice } from "./BotVoice";
import { Devices } from "./Devices";

/** The settings, in a panel that the browser itself opens and closes. */
export function Settings({ children }: { children?: ReactNode }) {
  return (
    <>
      <button
        type="button"
        className="round"
        popoverTarget="settings"
        aria-label="Settings"
        title="Settings"
      >
        <i className="icon icon-settings" />
      </button>
      <section className="settings" id="settings" popover="auto" aria-label="Settings">
        <h2>Settings</h2>
        {children}
        <Devices />
        <BotVoice />
      </section>
    </>
  );
}
