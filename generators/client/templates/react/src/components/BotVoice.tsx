import { RTVIEvent } from "@pipecat-ai/client-js";
import { usePipecatClientMediaTrack, useRTVIClientEvent } from "@pipecat-ai/client-react";
import { useCallback, useEffect, useRef } from "react";

/** Plays the bot's voice, and sets its volume. */
export function BotVoice() {
  const voice = useRef<HTMLAudioElement>(null);
  const track = usePipecatClientMediaTrack("audio", "bot");
  useEffect(() => {
    if (voice.current && track) voice.current.srcObject = new MediaStream([track]);
  }, [track]);
  const useSpeaker = useCallback(({ deviceId }: MediaDeviceInfo) => {
    void voice.current?.setSinkId?.(deviceId);
  }, []);
  useRTVIClientEvent(RTVIEvent.SpeakerUpdated, useSpeaker);
  const setVolume = (volume: number) => {
    if (voice.current) voice.current.volume = volume;
  };
  return (
    <>
      <label>
        <span>Volume of the bot</span>
        <input
          type="range"
          min="0"
          max="1"
          step="0.05"
          defaultValue="1"
          onChange={(event) => setVolume(event.target.valueAsNumber)}
        />
      </label>
      <audio ref={voice} autoPlay />
    </>
  );
}
