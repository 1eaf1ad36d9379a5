import assert from 'node:assert/strict';
import { blocksOf, commandsOf, DOCUMENTS, readText, shellLinesOf } from '../support/documents.ts';
import { checkCommand } from './commands.ts';

// People and coding agents copy what stands in the documents of this repository: each command of it works.

/** What a block may hold. Another language may hold commands that nobody tries. */
const LANGUAGES = ['bash', 'console', 'powershell', 'text', 'json', 'js', 'ts', 'yaml'];

describe('each command works', () => {
  for (const document of DOCUMENTS) {
    describe(`of ${document}`, () => {
      const markdown = readText(document);
      for (const command of commandsOf(markdown)) it(command, () => checkCommand(command));

      it('has blocks of known languages', () => {
        for (const { language } of blocksOf(markdown)) assert(LANGUAGES.includes(language), language);
      });

      it('has lines of at most 120 columns, but for tables', () => {
        for (const line of markdown.split('\n')) assert(line.length <= 120 || line.startsWith('|'), line);
      });

      // zsh takes words of explanation behind a line for arguments.
      it('has lines to paste as they are', () => {
        for (const line of shellLinesOf(markdown)) assert(!/(?:^| )#/.test(line), line);
      });
    });
  }

  it('in README, and there are many', () => assert(commandsOf(readText('README.md')).length > 25));

  it('or fails', () => assert.rejects(checkCommand('npx something-else'), /No kind/));
});
