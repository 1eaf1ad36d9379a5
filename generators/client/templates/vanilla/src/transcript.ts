import {
  type BotOutputData,
  type PipecatClient,
  RTVIEvent,
  type TranscriptData,
} from "@pipecat-ai/client-js";
import { BOT_NAME } from "./config";
import { append, find } from "./find";
import { followEnd } from "./page/follow-end";

const list = find("transcript");
const newest = find("newest");

followEnd(list, (hasNew) => {
  newest.hidden = !hasNew;
});
newest.onclick = () => {
  list.scrollTop = list.scrollHeight;
};

/** Shows what both sides say, with a new paragraph whenever the speaker changes. */
export function showTranscript(client: PipecatClient): void {
  const transcript = new Transcript();
  client.on(RTVIEvent.Connected, () => transcript.beginCall());
  client.on(RTVIEvent.UserTranscript, (data) => transcript.addPerson(data));
  client.on(RTVIEvent.BotOutput, (data) => transcript.addBot(data));
}

class Transcript {
  private speaker = "";
  private paragraph!: HTMLElement;
  /** What the person is saying, as recognized so far. It may still change. */
  private unsure: HTMLElement | null = null;
  private readonly segments = new Map<number, Segment>();

  /** The bot restarts its segment numbers in each call. */
  beginCall(): void {
    this.speaker = "";
    this.unsure = null;
    this.segments.clear();
  }

  addPerson({ text, final }: TranscriptData): void {
    this.letSpeak("person");
    this.unsure ??= append(this.paragraph, "span");
    this.unsure.textContent = `${text} `;
    if (final) this.unsure = null;
  }

  /** Also shows what the bot hasn't said yet, or never will after an interruption. */
  addBot({ text, segment_id: id, spoken_progress: progress }: BotOutputData): void {
    const segment = this.segments.get(id ?? -1) ?? this.addSegment(id);
    segment.spoken.textContent = progress?.accumulated_text ?? "";
    segment.unspoken.textContent = `${progress?.remaining_text ?? text} `;
  }

  /** The bot reports its progress in a segment several times. */
  private addSegment(id?: number): Segment {
    this.letSpeak("bot");
    const spoken = append(this.paragraph, "span");
    const unspoken = append(this.paragraph, "span");
    unspoken.className = "unspoken";
    const segment = { spoken, unspoken };
    if (id !== undefined) this.segments.set(id, segment);
    return segment;
  }

  private letSpeak(speaker: "person" | "bot"): void {
    if (this.speaker === speaker) return;
    this.speaker = speaker;
    this.unsure = null;
    this.paragraph = append(list, "p");
    this.paragraph.className = speaker;
    append(this.paragraph, "b", speaker === "bot" ? BOT_NAME : "You");
  }
}

interface Segment {
  spoken: HTMLElement;
  unspoken: HTMLElement;
}
