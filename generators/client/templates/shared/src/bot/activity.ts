import { type PipecatClient, RTVIEvent } from "@pipecat-ai/client-js";

/** What happens in a call. `hearing` is while the person speaks. */
export type Activity = "listening" | "hearing" | "thinking" | "speaking";

/** What each event leads to. One that ends an activity changes nothing if there is another one by then. */
const ACTIVITIES: readonly [event: RTVIEvent, to: Activity, from?: Activity][] = [
  [RTVIEvent.UserStartedSpeaking, "hearing"],
  [RTVIEvent.UserStoppedSpeaking, "thinking"],
  [RTVIEvent.BotLlmStarted, "thinking"],
  [RTVIEvent.BotStartedSpeaking, "speaking"],
  [RTVIEvent.BotStoppedSpeaking, "listening", "speaking"],
  [RTVIEvent.Error, "listening"],
  [RTVIEvent.Disconnected, "listening"],
];

/** Speech recognition may find no words in what the person said. Then the bot has nothing to think about. */
const THINKS_AT_MOST_MS = 15_000;

/** Reports what happens in the client's calls. */
export function followActivity(
  client: PipecatClient,
  current: () => Activity,
  report: (activity: Activity) => void,
): void {
  let giveUp: ReturnType<typeof setTimeout> | undefined;
  for (const [event, activity, from] of ACTIVITIES) {
    client.on(event, () => {
      if (from && from !== current()) return;
      clearTimeout(giveUp);
      if (activity === "thinking")
        giveUp = setTimeout(() => report("listening"), THINKS_AT_MOST_MS);
      report(activity);
    });
  }
}
