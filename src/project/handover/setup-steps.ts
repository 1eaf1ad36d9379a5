import type { callSetups } from '../../catalog/call-setup.ts';

/** Steps as a numbered Markdown list, one line per item. `names` replace `{agent}` and the like. */
export function renderSteps(
  steps: (typeof callSetups)[string]['here'],
  names: Readonly<Record<string, string>>,
): string[] {
  const lines = steps.flatMap(({ text, code }, at) => {
    const mark = `${at + 1}. `;
    const indent = ' '.repeat(mark.length);
    const block = code ? ['', `\`\`\`${code.language}`, ...code.lines, '```', ''] : [];
    return [`${mark}${text}`, ...block.map(line => (line ? `${indent}${line}` : line))];
  });
  if (lines.at(-1) === '') lines.pop();
  return lines.map(line => line.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole));
}
