import { PipecatClientProvider } from "@pipecat-ai/client-react";
import type { ReactNode } from "react";
import type { BotConnection } from "../bot/connection";
import { BotVoice } from "./BotVoice";
import { Devices } from "./Devices";

interface Props {
  connection?: BotConnection;
  children?: ReactNode;
}

/**
 * The settings, in a panel that the browser itself opens and closes. They are there even without a connection, so that
 * people can choose another one.
 */
export function Settings({ connection, children }: Props) {
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
        {connection && (
          <PipecatClientProvider client={connection.client}>
            <Devices />
            <BotVoice />
          </PipecatClientProvider>
        )}
      </section>
    </>
  );
}
