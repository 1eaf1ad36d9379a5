import {
  type BotOutputData,
  type PipecatClient,
  RTVIEvent,
  type TranscriptData,
} from "@pipecat-ai/client-js";
import { Store } from "./store";

/** Some words. The bot hasn't said the unspoken ones yet, or never will after an interruption. */
interface Part {
  spoken: string;
  unspoken: string;
}

/** What one side says until the other one speaks. */
export interface Turn {
  id: number;
  speaker: "person" | "bot";
  parts: readonly Part[];
}

type OpenTurn = Turn & { parts: Part[] };

/** What both sides say: the turns with words. A turn is another object whenever it has changed. */
export class Transcript extends Store<readonly Turn[]> {
  private readonly turns: OpenTurn[] = [];
  /** The last turn of the call, and the last one of the person. */
  private last: OpenTurn | undefined;
  private person: OpenTurn | undefined;
  /** What the person is saying, as recognized so far. It may still change. */
  private unsure: Part | undefined;
  private readonly segments = new Map<number, { turn: OpenTurn; part: Part }>();

  constructor(client: PipecatClient) {
    super([]);
    client.on(RTVIEvent.Connected, this.beginCall);
    client.on(RTVIEvent.UserStartedSpeaking, this.startPerson);
    client.on(RTVIEvent.UserTranscript, this.addPerson);
    client.on(RTVIEvent.BotOutput, this.addBot);
  }

  /** The bot restarts its segment numbers in each call. */
  private beginCall = (): void => {
    this.last = this.person = this.unsure = undefined;
    this.segments.clear();
  };

  /** Keeps the place of the person's words: they may arrive after the bot has begun to answer. */
  private startPerson = (): void => {
    if (this.last?.speaker !== "person") this.unsure = undefined;
    this.person = this.turnOf("person");
  };

  private addPerson = ({ text, final }: TranscriptData): void => {
    this.person ??= this.turnOf("person");
    if (!this.unsure) {
      this.unsure = { spoken: "", unspoken: "" };
      this.person.parts.push(this.unsure);
    }
    this.unsure.spoken = `${text} `;
    if (final) this.unsure = undefined;
    this.publish(this.person);
  };

  /** The bot reports its progress in a sentence several times, but not if its service speaks by itself. */
  private addBot = ({ text, segment_id: id, spoken_progress: progress }: BotOutputData): void => {
    const segment = this.segments.get(id ?? -1) ?? this.addSegment(id);
    segment.part.spoken = progress ? progress.accumulated_text : text;
    segment.part.unspoken = progress ? `${progress.remaining_text} ` : "";
    this.publish(segment.turn);
  };

  private addSegment(id?: number) {
    const segment = { turn: this.turnOf("bot"), part: { spoken: "", unspoken: "" } };
    segment.turn.parts.push(segment.part);
    if (id !== undefined) this.segments.set(id, segment);
    return segment;
  }

  private turnOf(speaker: Turn["speaker"]): OpenTurn {
    if (this.last?.speaker === speaker) return this.last;
    this.last = { id: this.turns.length, speaker, parts: [] };
    this.turns.push(this.last);
    return this.last;
  }

  private publish(changed: OpenTurn): void {
    const known = new Map(this.getState().map((turn) => [turn.id, turn]));
    known.set(changed.id, { ...changed, parts: changed.parts.map((part) => ({ ...part })) });
    this.setState([...known.values()].sort((one, other) => one.id - other.id));
  }
}
