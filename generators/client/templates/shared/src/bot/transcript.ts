import {
  type BotOutputData,
  type PipecatClient,
  RTVIEvent,
  type TranscriptData,
} from "@pipecat-ai/client-js";
import { Store } from "./store";
import { describeDuration, describeTime, SPEAKERS } from "./words";

/** Some words. The bot hasn't said the unspoken ones yet. */
interface Part {
  spoken: string;
  unspoken: string;
}

/** What one side says until the other one speaks, or a line between calls. */
export interface Turn {
  id: number;
  speaker: "person" | "bot" | "page";
  parts: readonly Part[];
  /** Whether the bot never said all of it. */
  isInterrupted: boolean;
}

interface OpenTurn {
  id: number;
  speaker: Turn["speaker"];
  parts: Part[];
  /** Whether the bot says no more of it. */
  isOver: boolean;
}

/** What both sides say: the turns with words. A turn is another object whenever it has changed. */
export class Transcript extends Store<readonly Turn[]> {
  private readonly turns: OpenTurn[] = [];
  /** The last turn of the call, and the last one of each side. */
  private last: OpenTurn | undefined;
  private person: OpenTurn | undefined;
  private bot: OpenTurn | undefined;
  private isBotSpeaking = false;
  private beganAt: number | undefined;
  /** What the person is saying, as recognized so far. It may still change. */
  private unsure: Part | undefined;
  private readonly segments = new Map<number, { turn: OpenTurn; part: Part }>();

  constructor(client: PipecatClient) {
    super([]);
    client.on(RTVIEvent.Connected, this.forgetCall);
    client.on(RTVIEvent.BotReady, this.beginCall);
    client.on(RTVIEvent.Disconnected, this.endCall);
    client.on(RTVIEvent.UserStartedSpeaking, this.startPerson);
    client.on(RTVIEvent.UserTranscript, this.addPerson);
    client.on(RTVIEvent.BotStartedSpeaking, () => this.followBot(true));
    client.on(RTVIEvent.BotStoppedSpeaking, () => this.followBot(false));
    client.on(RTVIEvent.BotOutput, this.addBot);
  }

  /** The bot restarts its segment numbers in each call. */
  private forgetCall = (): void => {
    this.last = this.person = this.bot = this.unsure = undefined;
    this.segments.clear();
  };

  private beginCall = (): void => {
    if (this.beganAt !== undefined) return;
    this.beganAt = Date.now();
    this.addLine(`New call, ${describeTime(new Date())}`);
  };

  private endCall = (): void => {
    if (this.beganAt === undefined) return;
    this.finishBot();
    this.addLine(`Call ended · ${describeDuration(Date.now() - this.beganAt)}`);
    this.beganAt = undefined;
  };

  private addLine(text: string): void {
    const line = this.addTurn("page");
    line.parts.push({ spoken: text, unspoken: "" });
    this.publish(line);
  }

  /** Keeps the place of the person's words: they may arrive after the bot has begun to answer. */
  private startPerson = (): void => {
    if (this.last?.speaker !== "person") this.unsure = undefined;
    this.person = this.turnOf("person");
    this.followBot(this.isBotSpeaking);
  };

  /** An interrupted bot stops after the person has begun to speak. */
  private followBot(isSpeaking: boolean): void {
    this.isBotSpeaking = isSpeaking;
    if (!isSpeaking && this.last === this.person) this.finishBot();
  }

  private finishBot(): void {
    if (!this.bot || this.bot.isOver) return;
    this.bot.isOver = true;
    this.publish(this.bot);
  }

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
    this.bot = this.turnOf("bot");
    const segment = { turn: this.bot, part: { spoken: "", unspoken: "" } };
    segment.turn.parts.push(segment.part);
    if (id !== undefined) this.segments.set(id, segment);
    return segment;
  }

  private turnOf(speaker: Turn["speaker"]): OpenTurn {
    return this.last?.speaker === speaker ? this.last : this.addTurn(speaker);
  }

  private addTurn(speaker: Turn["speaker"]): OpenTurn {
    this.last = { id: this.turns.length, speaker, parts: [], isOver: false };
    this.turns.push(this.last);
    return this.last;
  }

  private publish({ isOver, ...changed }: OpenTurn): void {
    const parts = isOver ? withoutUnspoken(changed.parts) : changed.parts.map(copyOf);
    const isInterrupted = isOver && changed.parts.some(hasUnspoken);
    const known = new Map(this.getState().map((turn) => [turn.id, turn]));
    known.set(changed.id, { ...changed, parts, isInterrupted });
    this.setState([...known.values()].sort((one, other) => one.id - other.id));
  }
}

const copyOf = (part: Part): Part => ({ ...part });
const hasUnspoken = ({ unspoken }: Part): boolean => unspoken.trim() !== "";

/** The words up to the interruption. Many services don't report how far they came in a sentence: then all of it stays. */
function withoutUnspoken(parts: readonly Part[]): Part[] {
  const at = parts.findIndex(hasUnspoken);
  if (at === -1) return parts.map(copyOf);
  const { spoken, unspoken } = parts[at]!;
  return [...parts.slice(0, at).map(copyOf), { spoken, unspoken: spoken ? "" : unspoken }];
}

/** The transcript as text, a line for each turn. */
export function describeTranscript(turns: readonly Turn[]): string {
  const lines = turns.map(({ speaker, parts, isInterrupted }) => {
    const words = parts.map(({ spoken, unspoken }) => spoken + unspoken).join("");
    const name = SPEAKERS[speaker];
    return `${name && `${name}: `}${words.trim()}${isInterrupted ? " (interrupted)" : ""}`;
  });
  return lines.join("\n");
}
