import type { Transport } from "@pipecat-ai/client-js";
import type { Pulse } from "./pulse";

/** A way to exchange audio and video with the bot. */
export interface BotTransport {
  /** Its name in the list that people choose from. */
  label: string;
  /** The body of POST /start: what to request from the bot's server. */
  startRequest: object;
  /** Loads its library, when it's first needed. */
  open(): Promise<OpenTransport>;
  /** Turns the server's response into what the library connects with. */
  connectParams(answer: StartAnswer): unknown;
}

export interface OpenTransport {
  transport: Transport;
  /** Turns the microphone off in any state of the transport. */
  release(): void;
  /** Watches whether the bot of this session is there, if the library doesn't. Returns a function that stops watching. */
  watch?(answer: StartAnswer, report: (pulse: Pulse) => void): () => void;
  /** Releases all browser resources for good: another transport replaces this one. */
  close(): void;
}

/** The response to POST /start. Its fields depend on the transport. */
export interface StartAnswer {
  sessionId?: string;
  iceConfig?: { iceServers?: RTCIceServer[] };
  dailyRoom?: string;
  dailyToken?: string;
}
