import { type DeviceError, PipecatClient, RTVIEvent } from "@pipecat-ai/client-js";
import { type Activity, followActivity } from "./activity";
import type { BotTransport, OpenTransport } from "./bot-transport";
import { Journal } from "./journal";
import type { Pulse } from "./pulse";
import { startSession } from "./start-session";
import { BOT_GONE, BOT_HUNG_UP, describeProblem } from "./words";

/** The progress of a call. */
export type Phase = "idle" | "microphone" | "starting" | "connecting" | "talking" | "reconnecting";

/** Whether a call in this phase has begun, and can go on. */
export const isInCall = (phase: Phase): boolean => phase === "talking" || phase === "reconnecting";

export interface CallState {
  phase: Phase;
  activity: Activity;
  isMuted: boolean;
  /** The last problem, as a message for the person. */
  problem: string | null;
}

/** The state before the first call. */
export const NO_CALL: CallState = {
  phase: "idle",
  activity: "listening",
  isMuted: false,
  problem: null,
};

const START_TIMEOUT_MS = 30_000;

/** The connection to the bot over one transport. Call and hang up as often as you like. */
export class BotConnection {
  readonly client: PipecatClient;
  readonly journal: Journal;
  private readonly transport: BotTransport;
  private readonly library: OpenTransport;
  private call = new AbortController();
  private stopWatching = () => {};
  private state: CallState = NO_CALL;
  private readonly listeners = new Set<() => void>();

  static async open(transport: BotTransport): Promise<BotConnection> {
    const library = await transport.open();
    const client = new PipecatClient({
      transport: library.transport,
      enableMic: true,
      enableCam: false,
      disconnectOnBotDisconnect: false,
    });
    return new BotConnection(client, transport, library);
  }

  private constructor(client: PipecatClient, transport: BotTransport, library: OpenTransport) {
    this.client = client;
    this.journal = new Journal(client);
    this.transport = transport;
    this.library = library;
    followActivity(
      client,
      () => this.state.activity,
      (activity) => this.change({ activity }),
    );
    client.on(RTVIEvent.Error, this.report);
    client.on(RTVIEvent.DeviceError, this.report);
    client.on(RTVIEvent.BotDisconnected, () => this.endUnasked(BOT_HUNG_UP));
    client.on(RTVIEvent.TransportStateChanged, (state) => {
      // Before the call is connected, connect() reports what failed.
      if (state === "error" && isInCall(this.state.phase)) this.endUnasked(BOT_GONE);
    });
  }

  /** Calls `listener` after each state change. Returns a function that stops that. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getState = (): CallState => this.state;

  dismissProblem = (): void => this.change({ problem: null });

  /** Calls the bot. Settles once the bot is listening, or the call has failed or been canceled. */
  connect = async (): Promise<void> => {
    const call = new AbortController();
    this.call = call;
    this.change({ phase: "microphone", activity: "listening", problem: null });
    try {
      await this.openMicrophone();
      call.signal.throwIfAborted();
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
      this.change({ phase: "starting" });
      const answer = await startSession(this.transport.startRequest, signal);
      this.change({ phase: "connecting" });
      const ready = this.client.connect(this.transport.connectParams(answer));
      await Promise.race([ready, failWhenAborted(signal)]);
      this.change({ phase: "talking" });
      this.stopWatching = this.library.watch?.(answer, this.followPulse) ?? this.stopWatching;
    } catch (error) {
      // If another call has begun, the microphone belongs to it.
      if (call !== this.call) return;
      if (!call.signal.aborted) this.report(error);
      await this.disconnect();
    }
  };

  /** Hangs up, or cancels a call that is being set up. Either way, the microphone turns off. */
  disconnect = async (): Promise<void> => {
    this.call.abort();
    this.stopWatching();
    this.change({ phase: "idle" });
    this.library.release();
    await this.client.disconnect();
  };

  /** Hangs up for good: another connection replaces this one. */
  close = async (): Promise<void> => {
    this.library.close();
    await this.disconnect();
  };

  mute = (isMuted: boolean): void => {
    this.client.enableMic(!isMuted);
    this.change({ isMuted });
  };

  /** Sends a typed message. The bot stops speaking, and answers it aloud. */
  sendText = async (text: string): Promise<void> => {
    this.journal.note("sendText", text);
    this.change({ activity: "thinking" });
    await this.client.sendText(text).catch(this.report);
  };

  /** The libraries report a microphone that can't be used through an event. */
  private async openMicrophone(): Promise<void> {
    let problem: DeviceError | undefined;
    const remember = (error: DeviceError) => {
      problem = error;
    };
    this.client.on(RTVIEvent.DeviceError, remember);
    await this.client.initDevices().finally(() => this.client.off(RTVIEvent.DeviceError, remember));
    if (problem) throw problem;
  }

  private followPulse = (pulse: Pulse): void => {
    if (pulse === "gone") this.endUnasked(BOT_GONE);
    else this.change({ phase: pulse === "fine" ? "talking" : "reconnecting" });
  };

  private endUnasked(problem: string): void {
    if (this.state.phase === "idle") return;
    this.change({ problem });
    void this.disconnect();
  }

  private report = (error: unknown): void => this.change({ problem: describeProblem(error) });

  private change(changes: Partial<CallState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }
}

function failWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
