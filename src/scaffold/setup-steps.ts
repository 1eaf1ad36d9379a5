import type { SetupStep } from './catalog/call-setup.ts';

/** Steps as a numbered list of Markdown, a line an item. `slug` takes the place of `{agent}`. */
export function renderSteps(steps: readonly SetupStep[], slug: string): string[] {
  const lines = steps.flatMap(({ text, code }, at) => {
    const mark = `${at + 1}. `;
    const indent = ' '.repeat(mark.length);
    const block = code ? ['', `\`\`\`${code.language}`, ...code.lines, '```', ''] : [];
    return [`${mark}${text}`, ...block.map(line => (line ? `${indent}${line}` : line))];
  });
  if (lines.at(-1) === '') lines.pop();
  return lines.map(line => line.replaceAll('{agent}', slug));
}
