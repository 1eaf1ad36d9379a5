/** Lines down, and moves of the cursor by rows: all that changes the row in what a question writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that's what a move of the cursor is.
const ROW_CHANGE = /\n|\u001b\[(\d*)([AB])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that's what a colour is.
const COLOUR = /\u001b\[[\d;]*m/g;

/** A question as it was left on the screen: its height, and the width that it was drawn for. */
interface Frame {
  rows: number;
  columns: number;
}

/** Where questions are drawn. It remembers the height of each, so that one that is asked again can take its old place. */
export class Screen {
  /** What questions write to: the terminal, less the colours where it takes none. */
  readonly stream: NodeJS.WriteStream;
  readonly #output: NodeJS.WriteStream;
  readonly #frames: Frame[] = [];
  #row = 0;

  constructor(output: NodeJS.WriteStream, colour: boolean) {
    const write = (text: string) => {
      this.#follow(text);
      return output.write(colour ? text : text.replaceAll(COLOUR, ''));
    };
    this.#output = output;
    this.stream = Object.create(output, { write: { value: write } });
  }

  /** A question is about to be drawn. */
  begin(): void {
    this.#row = 0;
  }

  /** The question is drawn for the last time. */
  end(): void {
    this.#frames.push({ rows: this.#row, columns: this.#output.columns });
  }

  /** Takes the last questions off the screen. Where its width has changed, their height is unknown, and they stay. */
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
