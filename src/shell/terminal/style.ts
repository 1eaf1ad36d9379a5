import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** The colors of a stream. Each function returns its text unchanged if the stream doesn't support color. */
export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  cyan: Paint;
}

const COLORS = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Creates a style with colors, or without them if `enabled` is false. */
export function createStyle(enabled: boolean): Style {
  // By default, `styleText` only checks stdout.
  const paint = (name: (typeof COLORS)[number], text: string) => styleText(name, text, { validateStream: false });
  const paints = COLORS.map(name => [name, (text: string) => (enabled ? paint(name, text) : text)]);
  return Object.fromEntries(paints) as Style;
}
