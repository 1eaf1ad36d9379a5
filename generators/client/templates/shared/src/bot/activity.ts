import { type PipecatClient, RTVIEvent } from "@pipecat-ai/client-js";

/** What happens in a call. `hearing` is while the person speaks, `failing` once a service has failed. */
export type Activity = "listening" | "hearing" | "thinking" | "speaking" | "failing";

/** The activities of a bot that works, as far as the page knows. */
const WORKING: readonly Activity[] = ["listening", "hearing", "thinking", "speaking"];

/** What each event leads to, and from where. A bot that fails does so until it thinks or speaks again. */
const ACTIVITIES: readonly [event: RTVIEvent, to: Activity, from?: readonly Activity[]][] = [
  [RTVIEvent.UserStartedSpeaking, "hearing", WORKING],
  [RTVIEvent.UserStoppedSpeaking, "thinking", WORKING],
  [RTVIEvent.BotLlmStarted, "thinking"],
  [RTVIEvent.BotStartedSpeaking, "speaking"],
  [RTVIEvent.BotStoppedSpeaking, "listening", ["speaking"]],
  [RTVIEvent.Error, "failing"],
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
      if (from && !from.includes(current())) return;
      clearTimeout(giveUp);
      if (activity === "thinking")
        giveUp = setTimeout(() => report("listening"), THINKS_AT_MOST_MS);
      report(activity);
    });
  }
}
