import xterm from '@xterm/headless';

/** The lines that a terminal of this width shows after this output. */
export async function screenOf(written: string, cols: number, rows = 40): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
  await new Promise<void>(resolve => terminal.write(written, resolve));
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
}
