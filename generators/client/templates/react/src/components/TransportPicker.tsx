import type { BotTransport } from "../bot/bot-transport";
import { TRANSPORTS } from "../config";

interface Props {
  chosen: BotTransport;
  onChoose: (transport: BotTransport) => void;
  disabled: boolean;
}

export function TransportPicker({ chosen, onChoose, disabled }: Props) {
  return (
    <label>
      <span>Connection</span>
      <select
        value={TRANSPORTS.indexOf(chosen)}
        disabled={disabled}
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
