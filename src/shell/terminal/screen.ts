/** Line feeds and vertical cursor moves: everything in a prompt's output that changes the row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: cursor moves are control sequences.
const ROW_CHANGE = /\n|\u001b\[(\d*)([AB])/g;

/** A question on the screen: its height, and the terminal's width when it was drawn. */
interface Frame {
  rows: number;
  columns: number;
}

/** Draws questions and remembers the height of each, so that a question can be erased and asked again. */
export class Screen {
  /** The stream for questions: the terminal. */
  readonly stream: NodeJS.WriteStream;
  readonly #output: NodeJS.WriteStream;
  readonly #isPlain: boolean;
  readonly #frames: Frame[] = [];
  #row = 0;

  /** @param isPlain Whether the cursor can't be moved, so that nothing can be erased. */
  constructor(output: NodeJS.WriteStream, isPlain = false) {
    const write = (text: string) => {
      this.#follow(text);
      return output.write(text);
    };
    this.#output = output;
    this.#isPlain = isPlain;
    // A terminal may not know its size, and report 0.
    this.stream = Object.create(output, {
      write: { value: write },
      columns: { get: () => output.columns || 80 },
      rows: { get: () => output.rows || 24 },
    });
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
    if (this.#isPlain || frames.some(({ columns }) => columns !== this.#output.columns)) return;
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
