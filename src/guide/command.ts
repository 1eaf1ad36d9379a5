import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { guidePages } from '../package-root.ts';
import { PROGRAM_IN_CI } from '../program.ts';
import { PIPECAT_RELEASE } from '../project/release.ts';
import { DEBUG, defineCommand } from '../shell/command-line.ts';
import { topics } from './topics.ts';

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
      else terminal.print(listOf(topics));
      return;
    }
    const found = topics.find(({ name }) => name === topic);
    if (!found) {
      const hint = didYouMean(topic, names) ?? 'List the topics with: botcli guide';
      throw usageError(`Unknown topic "${topic}". Topics: ${names.join(', ')}`, { hint });
    }
    const page = readPage(found.name);
    if (json) terminal.printJson({ release: PIPECAT_RELEASE, topic, page });
    else terminal.print(`${page}\nTested with pipecat-ai ${PIPECAT_RELEASE}.`);
  },
});

export const readPage = (name: string): string =>
  readFileSync(join(guidePages, `${name}.md`), 'utf8').replaceAll('npx --yes botcli@VERSION', PROGRAM_IN_CI);

function listOf(pages: typeof topics): string {
  const width = Math.max(...names.map(({ length }) => length));
  const lines = pages.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [`Topics, for pipecat-ai ${PIPECAT_RELEASE}:`, ...lines, '', 'Print one with: botcli guide TOPIC'].join('\n');
}
