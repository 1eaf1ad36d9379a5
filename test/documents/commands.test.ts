import assert from 'node:assert/strict';
import { blocksOf, commandsOf, DOCUMENTS, readText, shellLinesOf } from '../support/documents.ts';
import { checkCommand } from './commands.ts';

// People and coding agents copy commands from the documents in this repository, so each of them must work.

/** The allowed languages of blocks. Blocks in other languages could contain commands that aren't tested. */
const LANGUAGES = ['bash', 'console', 'powershell', 'text', 'json', 'js', 'ts', 'yaml', 'python'];

describe('each command works', () => {
  for (const document of DOCUMENTS) {
    describe(`in ${document}`, () => {
      const markdown = readText(document);
      for (const command of commandsOf(markdown)) it(command, () => checkCommand(command));

      it('has blocks of known languages', () => {
        for (const { language } of blocksOf(markdown)) assert(LANGUAGES.includes(language), language);
      });

      it('has lines of at most 120 columns, except in tables', () => {
        for (const line of markdown.split('\n')) assert(line.length <= 120 || line.startsWith('|'), line);
      });

      // zsh would read a comment after a command as arguments.
      it('has command lines without comments', () => {
        for (const line of shellLinesOf(markdown)) assert(!/(?:^| )#/.test(line), line);
      });
    });
  }

  it('and the test finds the commands', () => assert(DOCUMENTS.flatMap(one => commandsOf(readText(one))).length > 100));

  it('and an unknown command fails', () => assert.rejects(checkCommand('npx something-else'), /No kind/));
});
