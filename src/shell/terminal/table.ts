/** Renders a table: aligned columns with titles in a terminal, otherwise tab-separated values without titles. */
export function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style }: { columns?: number; style: { bold(text: string): string } },
): string {
  if (columns === undefined) return rows.map(row => row.join('\t')).join('\n');
  // Spreading the rows into `Math.max` would overflow the stack for a long table.
  const widths = titles.map((title, at) =>
    rows.reduce((longest, row) => Math.max(longest, row[at]?.length ?? 0), title.length),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [style.bold(line(titles)), ...rows.map(line)].join('\n');
}
