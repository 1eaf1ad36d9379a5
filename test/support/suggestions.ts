import assert from 'node:assert/strict';
import { botcli } from '../../src/bin/main.ts';
import { parseCommandLine } from '../../src/shell/command-line.ts';
import { shellWords } from './shell-words.ts';

/** A command at the end of a line, with what may follow it in a sentence. */
const COMMAND = /(?:^ *|(?<!^Usage): |[Rr]un |with )botcli ((?:check|cloud|dev|init|talk|test|update) [^\n<]*)$/gm;
const REST = /(?:, (?:and|or|then) .*|\. [A-Z].*|[.?])$/;

/** Commands about an organization, which have to name it: another one may be selected. */
const IN_ORGANIZATION = /^cloud (?!auth|organizations)/;
/** Commands about an agent, which have to name it: the working directory may be in no project. */
const ABOUT_AGENT = /^cloud (?:call|delete|logs|phone|rollback|sessions|status) (?!--all)/;

/** Suggestions with a word to replace, each because nobody can know it. */
const OPEN = ['cloud organizations select NAME', 'update --config FILE'];

/**
 * Fails if a command that a text suggests wouldn't run as it stands.
 *
 * @param isEarly Whether no organization was named, and none looked up: then the command's own is the same.
 */
export async function checkSuggestions(text: string, isEarly: boolean): Promise<void> {
  for (const [, found = ''] of text.replaceAll('\\n', '\n').matchAll(COMMAND)) {
    const line = found.replace(REST, '').replace(/",?$/, '');
    if (OPEN.includes(line)) continue;
    const parsed = await parseCommandLine(botcli, shellWords(line));
    assert.equal(parsed.kind, 'run', `botcli suggests a command that it refuses: ${line}`);
    assert(!/ [A-Z]+(?: |$)/.test(line), `botcli suggests a command with a word to replace: ${line}`);
    if (IN_ORGANIZATION.test(line) && !isEarly)
      assert.match(line, / -o \S+/, `botcli suggests a command without -o: ${line}`);
    const isNamed = parsed.kind === 'run' && parsed.invocation.positionals.agent !== undefined;
    if (ABOUT_AGENT.test(line)) assert(isNamed, `botcli suggests a command without the agent: ${line}`);
  }
}
