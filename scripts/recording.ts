/** A piece of a line in one style. */
export interface Run {
  column: number;
  text: string;
  /** The color is one of the terminal's sixteen. */
  style: { colour?: number; isDim: boolean; isBold: boolean };
}

/** What a terminal shows at one moment, row by row. */
export type Frame = readonly (readonly Run[])[];

const CELL = { width: 8.4, height: 18 };
const PADDING = 16;
/** How long each frame stays, and the last one, in seconds. */
const STAY = 1.4;
const LAST_STAY = 8;

/** The terminal's colors by number, for a dark page and a light one. */
const COLOURS: readonly [number: number, dark: string, light: string][] = [
  [1, '#ff7b72', '#cf222e'],
  [2, '#3fb950', '#1a7f37'],
  [3, '#d29922', '#9a6700'],
  [6, '#39c5cf', '#1b7c83'],
  [8, '#8b949e', '#6e7781'],
];

/** Draws frames one after another, in a loop. Readers who prefer reduced motion see only the last frame. */
export function drawRecording(
  frames: readonly Frame[],
  { columns, rows, title }: { columns: number; rows: number; title: string },
): string {
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = rows * CELL.height + 2 * PADDING;
  const length = (frames.length - 1) * STAY + LAST_STAY;
  const groups = frames.map((frame, at) => {
    const isLast = at === frames.length - 1;
    return `<g class="f${isLast ? ' last' : ''}" style="animation-name:f${at}">${frame.map(drawRow).join('')}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${styles(length)}${frames.map((_, at) => keyframes(at, frames.length, length)).join('')}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...groups,
    '</svg>\n',
  ].join('\n');
}

function styles(length: number): string {
  const colours = (light: boolean) =>
    COLOURS.map(([number, dark, bright]) => `.c${number}{fill:${light ? bright : dark}}`).join('');
  return [
    'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6edf3;white-space:pre}',
    `.page{fill:#0d1117}.d{opacity:.6}.b{font-weight:700}${colours(false)}`,
    `.f{visibility:hidden;animation:${length}s step-end infinite}`,
    `@media(prefers-color-scheme:light){text{fill:#1f2328}.page{fill:#f6f8fa}${colours(true)}}`,
    '@media(prefers-reduced-motion){.f{animation:none}.last{visibility:visible}}',
  ].join('');
}

/** Each frame is visible until the next one appears. */
function keyframes(at: number, count: number, length: number): string {
  const percent = (index: number) => `${((index * STAY * 100) / length).toFixed(2)}%`;
  const from = at === 0 ? '' : '0%{visibility:hidden}';
  const to = at === count - 1 ? '' : `${percent(at + 1)}{visibility:hidden}`;
  return `@keyframes f${at}{${from}${percent(at)}{visibility:visible}${to}}`;
}

function drawRow(runs: readonly Run[], row: number): string {
  const y = PADDING + (row + 0.75) * CELL.height;
  return runs
    .map(({ column, text, style }) => {
      const names = [style.colour !== undefined && `c${style.colour}`, style.isDim && 'd', style.isBold && 'b'];
      const name = names.filter(Boolean).join(' ');
      const x = (PADDING + column * CELL.width).toFixed(1);
      return `<text x="${x}" y="${y}"${name ? ` class="${name}"` : ''}>${escapeXml(text.trimEnd())}</text>`;
    })
    .join('');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
