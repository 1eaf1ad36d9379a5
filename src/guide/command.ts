import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_IN_CI } from '../about.ts';
import { usageError } from '../errors.ts';
import { guidePages } from '../package-root.ts';
import { PIPECAT_RELEASE } from '../project/release.ts';
import { DEBUG, defineCommand } from '../shell/command-line.ts';
import { breakLines, didYouMean } from '../text.ts';

/** The pages, in the order of the list: each has the name of its file in `pages`. */
const topics = [
  { name: 'calls', summary: 'Transfer a call, send texts, read and press keys, detect voicemail' },
  { name: 'tools', summary: 'Hang up, choices, settings that change during a call' },
  { name: 'languages', summary: 'Voices, models, addresses; two languages in one conversation' },
  { name: 'flows', summary: 'Conversations with steps' },
  { name: 'knowledge', summary: 'Answer from your own facts: files, lookups, MCP servers' },
  { name: 'state', summary: 'Data of each session, and of its caller' },
  { name: 'silence', summary: 'People who say nothing, or are not understood; slow services' },
  { name: 'evals', summary: 'Keeping conversations as evals; simulated people, suites, judges' },
  { name: 'ci', summary: 'Test each push, deploy what passes: GitHub, any other CI' },
  { name: 'upgrade', summary: 'A newer release of Pipecat: what breaks, and what will go' },
  { name: 'tracing', summary: 'Traces of calls in Langfuse, Jaeger and other tools' },
  { name: 'cloud', summary: 'Logs, files, scaling and cost of a deployed bot' },
];

const names = topics.map(({ name }) => name);

export const guide = defineCommand({
  description:
    'The pages are Markdown, for people and coding agents. Their code is tested with the release of Pipecat that new ' +
    'projects use.\nWithout a topic, it lists them.',
  arguments: [{ name: 'topic', values: names, help: names.join(', ') }],
  options: [{ flag: 'json', kind: 'switch', help: 'Print the result as JSON' }, DEBUG],
  examples: [
    { line: 'botcli guide', description: 'the topics' },
    { line: 'botcli guide calls', description: 'how to transfer a call, and more' },
  ],
  async run({ positionals: { topic }, options: { json = false } }, terminal) {
    if (topic === undefined) {
      if (json) terminal.printJson({ release: PIPECAT_RELEASE, topics });
      else terminal.print(listTopics(terminal.columns));
      return;
    }
    const found = topics.find(({ name }) => name === topic);
    if (!found) {
      const hint = didYouMean(topic, names) ?? 'List the topics with: botcli guide';
      throw usageError(`Unknown topic "${topic}". Topics: ${names.join(', ')}`, { hint });
    }
    const page = readPage(found.name);
    if (json) terminal.printJson({ release: PIPECAT_RELEASE, topic, page });
    else terminal.print(wrapPage(`${page}\nTested with pipecat-ai ${PIPECAT_RELEASE}.`, terminal.columns));
  },
});

const readPage = (name: string): string =>
  readFileSync(join(guidePages, `${name}.md`), 'utf8').replaceAll('npx --yes botcli@VERSION', PROGRAM_IN_CI);

/** A page for a terminal: paragraphs and items of lists fit its width. Code and tables stay. */
function wrapPage(page: string, columns: number | undefined): string {
  if (columns === undefined) return page;
  const blocks = page.split(/(^ *```[\s\S]*?^ *```$)/m);
  return blocks.map((block, at) => (at % 2 === 1 ? block : wrapText(block, columns))).join('');
}

/** A word, or code with spaces that people copy. */
const WORD = /(?:`[^`]*`|\S)+/g;

/** Each line with its continuations, which neither begin another item or table nor follow a blank line. */
const wrapText = (text: string, columns: number): string =>
  text.replace(
    /^( *)((?:[-*]|\d+\.) )?([^\s|#].*(?:\n *(?!(?:[-*]|\d+\.) |[|#\s]).+)*)/gm,
    (_, indent, bullet = '', rest) =>
      breakLines(
        rest.replace(/\s+/g, ' ').match(WORD),
        columns,
        indent + bullet,
        indent + ' '.repeat(bullet.length),
      ).join('\n'),
  );

function listTopics(columns = Infinity): string {
  const width = Math.max(...names.map(({ length }) => length));
  const lines = topics.flatMap(({ name, summary }) =>
    breakLines(summary.split(' '), columns, `  ${name.padEnd(width)}  `, ' '.repeat(width + 4)),
  );
  return [`Topics, for pipecat-ai ${PIPECAT_RELEASE}:`, ...lines, '', 'Print one with: botcli guide TOPIC'].join('\n');
}
