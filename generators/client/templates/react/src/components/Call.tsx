import { PipecatClientAudio } from "@pipecat-ai/client-react";
import type { BotConnection, Phase } from "../bot/connection";
import { Controls } from "./Controls";
import { Devices } from "./Devices";
import { Stage } from "./Stage";
import { Transcript } from "./Transcript";

export function Call({ connection, phase }: { connection: BotConnection; phase: Phase }) {
  return (
    <>
      <div className="call">
        <Stage phase={phase} />
        <Controls connection={connection} phase={phase} />
        <Transcript />
        <Devices />
      </div>
      <PipecatClientAudio />
    </>
  );
}
