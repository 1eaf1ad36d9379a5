import { RTVIEvent } from "@pipecat-ai/client-js";
import { useRTVIClientEvent } from "@pipecat-ai/client-react";
import { useCallback, useState } from "react";

type Source = "bot" | "person";

/** Whether there is video from the bot, or from the person's camera. */
export function useVideo(source: Source): boolean {
  const [isOn, setOn] = useState(false);
  const start = useCallback(
    (track: MediaStreamTrack, from?: { local: boolean }) => {
      if (isVideoOf(source, track, from)) setOn(true);
    },
    [source],
  );
  const stop = useCallback(
    (track: MediaStreamTrack, from?: { local: boolean }) => {
      if (isVideoOf(source, track, from)) setOn(false);
    },
    [source],
  );
  useRTVIClientEvent(RTVIEvent.TrackStarted, start);
  useRTVIClientEvent(RTVIEvent.TrackStopped, stop);
  return isOn;
}

function isVideoOf(source: Source, { kind }: MediaStreamTrack, from?: { local: boolean }): boolean {
  return kind === "video" && (source === "person") === Boolean(from?.local);
}
