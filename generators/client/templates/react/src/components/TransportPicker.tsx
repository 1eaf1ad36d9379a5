import type { BotTransport } from "../bot/bot-transport";
import type { BotConnection } from "../bot/connection";
import { TRANSPORTS } from "../config";
import { useCallState } from "./use-bot-connection";

interface Props {
  connection: BotConnection;
  chosen: BotTransport;
  onChoose: (transport: BotTransport) => void;
}

export function TransportPicker({ connection, chosen, onChoose }: Props) {
  const { phase } = useCallState(connection);
  return (
    <label className="transport">
      <span>Connection</span>
      <select
        value={TRANSPORTS.indexOf(chosen)}
        disabled={phase !== "idle"}
        onChange={(event) => onChoose(TRANSPORTS[Number(event.target.value)])}
      >
        {TRANSPORTS.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
