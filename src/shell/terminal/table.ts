/** Renders a table: aligned columns with titles in a terminal, otherwise tab-separated values without titles. */
export function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style }: { columns?: number; style: { bold(text: string): string } },
): string {
  if (columns === undefined) return rows.map(row => row.join('\t')).join('\n');
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map(row => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [style.bold(line(titles)), ...rows.map(line)].join('\n');
}
