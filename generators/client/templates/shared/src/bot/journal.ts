import { type PipecatClient, RTVIEvent } from "@pipecat-ai/client-js";
import { Store } from "./store";

/** One event of a call, for developers. */
export interface Entry {
  id: number;
  /** Seconds since the call began. */
  at: number;
  name: string;
  /** The data of the event, as JSON. */
  data: string;
}

/** Measurements of the call so far. */
export interface Figures {
  /** Milliseconds between the end of the person's last words and the start of the bot's. */
  firstWord: number | null;
  tokens: number;
  characters: number;
  /** How long each service took to its first response, in milliseconds. */
  services: Record<string, number>;
}

export interface JournalState {
  entries: readonly Entry[];
  figures: Figures;
}

/** What the bot reports about its services. The library's types leave out the tokens. */
interface Metrics {
  ttfb?: { processor: string; value: number }[];
  tokens?: { total_tokens?: number }[];
  characters?: { value: number }[];
}

const MOST = 300;
const LONGEST = 300;
/** Levels come many times a second. The others are deprecated, and repeat what is in newer events. */
const IGNORED = new Set<string>([
  RTVIEvent.LocalAudioLevel,
  RTVIEvent.RemoteAudioLevel,
  RTVIEvent.BotTranscript,
  RTVIEvent.LLMFunctionCall,
]);
/** The events after which the person waits for the bot. */
const WAITS = new Set<string>([RTVIEvent.BotReady, RTVIEvent.UserStoppedSpeaking]);

const NO_ENTRIES: JournalState = {
  entries: [],
  figures: { firstWord: null, tokens: 0, characters: 0, services: {} },
};

/** Records the latest call for developers. */
export class Journal extends Store<JournalState> {
  private beganAt = 0;
  private waitsSince: number | null = null;
  private nextId = 0;

  constructor(client: PipecatClient) {
    super(NO_ENTRIES);
    for (const event of Object.values(RTVIEvent)) {
      if (!IGNORED.has(event)) client.on(event, (data?: unknown) => this.note(event, data));
    }
  }

  /** Adds an event. The first one of a call removes those of the call before. */
  private note = (name: string, data?: unknown): void => {
    const now = performance.now();
    const isNew = name === RTVIEvent.TransportStateChanged && data === "initializing";
    if (isNew) this.beganAt = now;
    const { entries, figures } = isNew ? NO_ENTRIES : this.getState();
    if (WAITS.has(name)) this.waitsSince = now;
    const entry = { id: this.nextId++, at: (now - this.beganAt) / 1000, name, data: textOf(data) };
    this.setState({
      entries: [...entries.slice(-MOST), entry],
      figures: this.measure(figures, name, data, now),
    });
  };

  private measure(figures: Figures, name: string, data: unknown, now: number): Figures {
    if (name === RTVIEvent.BotStartedSpeaking && this.waitsSince !== null) {
      const firstWord = Math.round(now - this.waitsSince);
      this.waitsSince = null;
      return { ...figures, firstWord };
    }
    if (name !== RTVIEvent.Metrics) return figures;
    const { ttfb = [], tokens = [], characters = [] } = data as Metrics;
    const measured = ttfb.filter(({ value }) => value > 0);
    const services = measured.map(({ processor, value }) => [processor, Math.round(value * 1000)]);
    return {
      ...figures,
      tokens: figures.tokens + sum(tokens.map(({ total_tokens = 0 }) => total_tokens)),
      characters: figures.characters + sum(characters.map(({ value }) => value)),
      services: { ...figures.services, ...Object.fromEntries(services) },
    };
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Tracks and participants have parts that JSON can't express. */
function textOf(data: unknown): string {
  if (data === undefined) return "";
  if (data instanceof MediaStreamTrack) return data.kind;
  try {
    return JSON.stringify(data).slice(0, LONGEST);
  } catch {
    return String(data);
  }
}

/** The figures as rows of words. */
export function describeFigures({ firstWord, tokens, characters, services }: Figures) {
  const rows = Object.entries(services).map(([name, value]) => [serviceName(name), `${value} ms`]);
  return [
    ["First word", firstWord === null ? "–" : `${firstWord} ms`],
    ["Tokens", tokens.toLocaleString("en")],
    ["Characters spoken", characters.toLocaleString("en")],
    ...rows,
  ] as [name: string, value: string][];
}

/** The framework numbers its processors: "OpenAILLMService#0". */
const serviceName = (processor: string): string => processor.replace(/(Service)?#\d+$/, "");

/** The entries that contain a text. */
export function filterEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return entries;
  return entries.filter(({ name, data }) => `${name} ${data}`.toLowerCase().includes(wanted));
}
