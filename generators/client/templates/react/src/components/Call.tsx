import { usePipecatClientMediaTrack } from "@pipecat-ai/client-react";
import { type RefObject, useEffect, useRef } from "react";
import type { BotConnection, CallState } from "../bot/connection";
import { showLevel, type Voice } from "../page/level";
import { Controls } from "./Controls";
import { Conversation } from "./Conversation";
import { DeveloperPanel } from "./DeveloperPanel";
import { Stage } from "./Stage";

interface Props {
  connection: BotConnection;
  state: CallState;
}

export function Call({ connection, state }: Props) {
  const call = useRef<HTMLDivElement>(null);
  useLevel(call, "bot", usePipecatClientMediaTrack("audio", "bot"));
  useLevel(call, "person", usePipecatClientMediaTrack("audio", "local"));
  return (
    <>
      <div className="call" ref={call}>
        <Stage state={state} />
        <Controls connection={connection} state={state} />
        <Conversation connection={connection} />
      </div>
      <DeveloperPanel journal={connection.journal} />
    </>
  );
}

/** Shows how loud a voice is. This doesn't render anything, because it changes in each frame. */
function useLevel(
  call: RefObject<HTMLDivElement | null>,
  voice: Voice,
  track: MediaStreamTrack | null,
): void {
  useEffect(() => {
    if (call.current && track) return showLevel(call.current, voice, track);
  }, [call, voice, track]);
}
