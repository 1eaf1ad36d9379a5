/** Whether the bot is heard: `fine`, `silent` for a while, or `gone` for good. */
export type Pulse = "fine" | "silent" | "gone";

/** A peer sends packets all the time, even while its bot is silent. */
const LOOK_EVERY_MS = 250;
const SILENT_AFTER_MS = 1_200;
/** How long to wait for packets or a refusal, before the bot counts as gone. */
const GONE_AFTER_MS = 20_000;

/**
 * Watches whether packets from the bot keep arriving. Browsers themselves take half a minute to notice that a peer is gone.
 * When packets stop, it asks the bot's server whether the session still exists. Returns a function that stops watching.
 */
export function watchPulse(
  peer: () => RTCPeerConnection | null,
  isAlive: () => Promise<boolean>,
  report: (pulse: Pulse) => void,
): () => void {
  let packets = -1;
  let heardAt = Date.now();
  let pulse: Pulse = "fine";
  let isAsking = false;
  const change = (next: Pulse) => {
    if (pulse === "gone" || next === pulse) return;
    pulse = next;
    if (next === "gone") clearInterval(timer);
    report(next);
  };
  const look = async () => {
    const received = await packetsFrom(peer());
    if (received !== packets) {
      packets = received;
      heardAt = Date.now();
      return change("fine");
    }
    const silentFor = Date.now() - heardAt;
    if (silentFor < SILENT_AFTER_MS) return;
    change("silent");
    if (isAsking) return;
    isAsking = true;
    if (silentFor > GONE_AFTER_MS || !(await isAlive())) change("gone");
    isAsking = false;
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => {
    pulse = "gone";
    clearInterval(timer);
  };
}

async function packetsFrom(peer: RTCPeerConnection | null): Promise<number> {
  let packets = 0;
  for (const report of (await peer?.getStats())?.values() ?? []) {
    if (report.type === "inbound-rtp") packets += report.packetsReceived ?? 0;
  }
  return packets;
}
