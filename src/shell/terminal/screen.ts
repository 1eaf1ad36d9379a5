/** Line feeds and vertical cursor moves: everything in a prompt's output that changes the row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: cursor moves are control sequences.
const ROW_CHANGE = /\n|\u001b\[(\d*)([AB])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control sequences.
const COLOR = /\u001b\[[\d;]*m/g;

/** A question on the screen: its height, and the terminal's width when it was drawn. */
interface Frame {
  rows: number;
  columns: number;
}

/** Draws questions and remembers the height of each, so that a question can be erased and asked again. */
export class Screen {
  /** The stream for questions: the terminal, without colors if it doesn't support them. */
  readonly stream: NodeJS.WriteStream;
  readonly #output: NodeJS.WriteStream;
  readonly #frames: Frame[] = [];
  #row = 0;

  constructor(output: NodeJS.WriteStream, color: boolean) {
    const write = (text: string) => {
      this.#follow(text);
      return output.write(color ? text : text.replaceAll(COLOR, ''));
    };
    this.#output = output;
    this.stream = Object.create(output, { write: { value: write } });
  }

  /** Call this before a question is drawn. */
  begin(): void {
    this.#row = 0;
  }

  /** Call this after a question was drawn for the last time. */
  end(): void {
    this.#frames.push({ rows: this.#row, columns: this.#output.columns });
  }

  /** Erases the last questions. If the width has changed, their height is unknown, so they stay. */
  takeBack(count: number): void {
    const frames = this.#frames.splice(-count);
    if (frames.some(({ columns }) => columns !== this.#output.columns)) return;
    const rows = frames.reduce((sum, frame) => sum + frame.rows, 0);
    this.#output.write(`${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[J`);
  }

  #follow(text: string): void {
    for (const [, count = '', direction] of text.matchAll(ROW_CHANGE)) {
      const rows = Number(count || 1);
      this.#row += direction === 'A' ? -rows : rows;
    }
  }
}
