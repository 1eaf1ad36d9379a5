import type { Transport } from "@pipecat-ai/client-js";

/** A way for media to reach the bot. */
export interface BotTransport {
  /** What people choose it by. */
  label: string;
  /** The body of POST /start: what to ask the bot's server for. */
  startRequest: object;
  /** Loads the library behind it, when it is first needed. */
  open(): Promise<OpenTransport>;
  /** From the server's answer to what the library connects with. */
  connectParams(answer: StartAnswer): unknown;
}

export interface OpenTransport {
  transport: Transport;
  /** Switches the microphone off, whatever state the transport is in. */
  release(): void;
  /** Lets go of the browser for good: another transport takes this one's place. */
  close(): void;
}

/** What POST /start answers; which fields are there depends on the transport. */
export interface StartAnswer {
  sessionId?: string;
  iceConfig?: { iceServers?: RTCIceServer[] };
  dailyRoom?: string;
  dailyToken?: string;
}
