import { useEffect, useRef } from "react";
import { followClock } from "../page/clock";

/** How long the call has lasted. `since` is in milliseconds since 1970. */
export function Clock({ since }: { since: number }) {
  const clock = useRef<HTMLParagraphElement>(null);
  useEffect(
    () =>
      followClock(since, (time) => {
        clock.current!.textContent = time;
      }),
    [since],
  );
  return <p className="clock" role="timer" ref={clock} />;
}
