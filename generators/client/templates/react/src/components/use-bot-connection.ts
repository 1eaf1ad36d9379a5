import { useEffect, useState } from "react";
import type { BotTransport } from "../bot/bot-transport";
import { BotConnection, type CallState, NO_CALL } from "../bot/connection";
import { Store } from "../bot/store";
import { describeProblem } from "../bot/words";
import { useStore } from "./use-store";

interface Opening {
  connection?: BotConnection;
  /** Why there is no connection, as a message for the person. */
  failure?: string;
}

const noConnection = new Store(NO_CALL);

/** Opens a connection over this transport, and closes it when another one is chosen. */
export function useBotConnection(transport: BotTransport): Opening {
  const [opening, setOpening] = useState<Opening>({});
  useEffect(() => {
    let isOver = false;
    let opened: BotConnection | undefined;
    BotConnection.open(transport).then(
      (connection) => {
        // Another transport was chosen in the meantime.
        if (isOver) return void connection.close();
        opened = connection;
        setOpening({ connection });
      },
      (error) => {
        if (!isOver) setOpening({ failure: describeProblem(error) });
      },
    );
    return () => {
      isOver = true;
      setOpening({});
      void opened?.close();
    };
  }, [transport]);
  return opening;
}

export const useCallState = (connection?: BotConnection): CallState =>
  useStore(connection ?? noConnection);
