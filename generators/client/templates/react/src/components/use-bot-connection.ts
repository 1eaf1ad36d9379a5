import { useEffect, useState, useSyncExternalStore } from "react";
import type { BotTransport } from "../bot/bot-transport";
import { BotConnection, type CallState } from "../bot/connection";
import { describeProblem } from "../bot/words";

interface Opening {
  connection?: BotConnection;
  /** Why there is no connection, in words. */
  failure?: string;
}

/** What holds while there is no connection. */
const NO_CALL: CallState = { phase: "idle", problem: null };
const getNoCall = () => NO_CALL;
const subscribeToNothing = () => () => {};

/** Opens a connection over this transport, and closes it when another is taken. */
export function useBotConnection(transport: BotTransport): Opening {
  const [opening, setOpening] = useState<Opening>({});
  useEffect(() => {
    let isOver = false;
    let opened: BotConnection | undefined;
    BotConnection.open(transport).then(
      (connection) => {
        // Another transport was taken in the meantime.
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

export function useCallState(connection?: BotConnection): CallState {
  return useSyncExternalStore(
    connection?.subscribe ?? subscribeToNothing,
    connection?.getState ?? getNoCall,
    getNoCall,
  );
}
