/** Human speech is rarely louder than this, on a scale from 0 to 1. */
const LOUD = 0.25;
/** The meter rises at once, and falls to zero in this time. */
const FALL_MS = 400;

let context: AudioContext | undefined;

/**
 * Measures the loudness of a track, and passes it to `show` once per frame, from 0 to 1. Returns a function that stops
 * measuring.
 */
export function followLevel(track: MediaStreamTrack, show: (level: number) => void): () => void {
  context ??= new AudioContext();
  void context.resume();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let level = 0;
  let frame = 0;
  let shownAt = performance.now();
  const measure = () => {
    analyser.getFloatTimeDomainData(samples);
    const loudness = Math.sqrt(
      samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length,
    );
    const now = performance.now();
    level = Math.max(Math.min(loudness / LOUD, 1), level - (now - shownAt) / FALL_MS);
    shownAt = now;
    show(level);
    frame = requestAnimationFrame(measure);
  };
  measure();
  return () => {
    cancelAnimationFrame(frame);
    source.disconnect();
    show(0);
  };
}

/** Whose voice a level belongs to: styles.css reads both from custom properties. */
export type Voice = "bot" | "person";

/** Shows the loudness of a voice on an element. */
export const showLevel = (
  element: HTMLElement,
  voice: Voice,
  track: MediaStreamTrack,
): (() => void) =>
  followLevel(track, (level) => element.style.setProperty(`--${voice}`, level.toFixed(3)));
