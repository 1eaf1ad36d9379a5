import { describeDuration } from "../bot/words";

const LOOK_EVERY_MS = 250;

/** Shows how long a call has lasted. `since` is in milliseconds since 1970. Returns a function that stops that. */
export function followClock(since: number, show: (time: string) => void): () => void {
  const look = () => show(describeDuration(Date.now() - since));
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
