import { UserError, usageError } from '../../errors.ts';
import { didYouMean } from '../../nearest.ts';
import { defineCommand } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { configPath, readUserConfig, writeUserConfig } from '../account/user-config.ts';
import { common } from '../options.ts';
import { withCloud } from '../session.ts';

/** The command `botcli cloud organizations select`. */
export const selectOrganization = defineCommand({
  arguments: [{ name: 'name', help: 'Organization to select (default: ask)' }],
  options: common,
  examples: [{ line: 'botcli cloud organizations select acme', description: 'use acme in all later commands' }],
  async run({ positionals: { name: typed }, options }, terminal) {
    if (typed === undefined && terminal.cannotAskReason) throw noName(terminal.cannotAskReason);
    const config = await readUserConfig(terminal);
    await withCloud(options, terminal, async ({ cloud }) => {
      const names = (await cloud.organizations()).map(({ name }) => name);
      const name = typed ?? (await ask(names, terminal));
      const problem = unknown(name, names);
      if (problem) {
        throw new UserError(problem, {
          reason: 'not-found',
          hint: `Your organizations: ${names.join(', ') || 'none'}`,
        });
      }
      writeUserConfig({ ...config, organization: name }, terminal);
      if (options.json) terminal.printJson({ organization: name });
      else
        terminal.print(`${terminal.style.green('✓')} Selected organization ${name}; stored in ${configPath(terminal)}`);
      if (terminal.env.BOTCLI_ORG) terminal.note('BOTCLI_ORG is set and overrides the stored organization.');
    });
  },
});

function ask(names: readonly string[], terminal: Terminal): Promise<string> {
  terminal.note(`Your organizations: ${names.join(', ')}`);
  return terminal.ask('Organization', {
    instead: 'Pass its name: botcli cloud organizations select NAME',
    initial: names.length === 1 ? names[0] : undefined,
    validate: answer => unknown(answer, names),
  });
}

/** Why this isn't an organization of the account; undefined if it is. */
function unknown(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return undefined;
  const meant = didYouMean(name, names);
  return `This account has no organization with that name${meant ? `. ${meant}` : ''}`;
}

const noName = (message: string) =>
  usageError(message, { reason: 'cannot-ask', hint: 'Pass its name: botcli cloud organizations select NAME' });
