import { common, expectLogin, organization, organizationOf, withCloud } from '../../account/session.ts';
import { changeUserConfig, configPath, readUserConfig } from '../../account/user-config.ts';
import { UserError, usageError } from '../../errors.ts';
import { checkInputs } from '../../platform/names.ts';
import { defineCommand } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { didYouMean, renderTable } from '../../text.ts';

export const listOrganizations = defineCommand({
  options: common,
  examples: [{ line: 'botcli cloud organizations list', description: 'list them, and mark the one in use' }],
  run({ options }, terminal) {
    return withCloud(options, terminal, async ({ account, cloud }) => {
      const rows = (await cloud.organizations()).map(({ name, verboseName }) => {
        return { name, display_name: verboseName, current: name === account.organization };
      });
      if (options.json) return terminal.printJson({ organizations: rows });
      if (rows.length === 0) return terminal.note('This account has no organizations.');
      const cells = rows.map(row => [row.name, row.display_name, row.current ? 'in use' : '']);
      terminal.print(renderTable(['NAME', 'DISPLAY NAME', ''], cells, terminal));
    });
  },
});

export const selectOrganization = defineCommand({
  arguments: [{ name: 'name', help: 'Organization to select (default: ask)' }],
  options: [{ ...organization, help: 'The same as <name>' }, ...common],
  examples: [{ line: 'botcli cloud organizations select acme', description: 'use acme in all later commands' }],
  async run({ positionals: { name: typed }, options: { organization, ...options } }, terminal) {
    const wanted = typed ?? organization;
    if (organization !== undefined && organization !== wanted) throw usageError('<name> and --organization differ');
    if (wanted === undefined && terminal.cannotAskReason) {
      throw usageError(terminal.cannotAskReason, { reason: 'cannot-ask', hint: INSTEAD });
    }
    await withCloud(options, terminal, async ({ account: { address }, cloud }) => {
      const before = readUserConfig(terminal);
      expectLogin(before, address, terminal);
      const names = (await cloud.organizations()).map(({ name }) => name);
      const name = wanted ?? (await ask(names, terminal));
      const problem = unknown(name, names);
      const hint = `Your organizations: ${names.join(', ') || 'none'}`;
      if (problem) throw new UserError(problem, { reason: 'not-found', hint });
      changeUserConfig(terminal, config => {
        if (config.token === before.token) return { ...config, organization: name };
        // The organization may be another account's.
        throw new UserError('You logged in or out in another terminal meanwhile. The organization was not stored', {
          reason: 'account-file',
          hint: 'Run the command again.',
        });
      });
      if (options.json) terminal.printJson({ organization: name });
      else
        terminal.print(`${terminal.style.green('✓')} Selected organization ${name}; stored in ${configPath(terminal)}`);
      if (terminal.env.BOTCLI_ORG) terminal.note('BOTCLI_ORG is set and overrides the stored organization.');
    });
  },
});

const INSTEAD = 'Pass its name: botcli cloud organizations select NAME';

function ask(names: readonly string[], terminal: Terminal): Promise<string> {
  terminal.note(`Your organizations: ${names.join(', ')}`);
  return terminal.ask('Organization', {
    instead: INSTEAD,
    suggestion: names.length === 1 ? names[0] : undefined,
    validate: answer => unknown(answer, names),
  });
}

function unknown(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return undefined;
  const meant = didYouMean(name, names);
  return `This account has no organization with that name${meant ? `. ${meant}` : ''}`;
}

export const listRegions = defineCommand({
  description: 'Pass a code to --region. A secret set must be in the same region as the agents that use it.',
  options: [organization, ...common],
  examples: [
    { line: 'botcli cloud regions list', description: 'list them, and mark the default for new secrets' },
    { line: 'botcli cloud regions list --json', description: 'print JSON for a program' },
  ],
  async run({ options }, terminal) {
    checkInputs({ organization: options.organization });
    await withCloud(options, terminal, async session => {
      const { cloud } = session;
      const organization = await organizationOf(session, terminal);
      const regions = await cloud.regions(organization);
      const standard = await cloud.defaultRegion(organization);
      const rows = regions.map(region => ({
        code: region.code,
        name: region.display_name,
        architectures: region.supported_architectures,
        default: region.code === standard,
      }));
      if (options.json) return terminal.printJson({ organization, regions: rows });
      if (rows.length === 0) return terminal.note(`Organization ${organization} has no regions.`);
      const notes = (isDefault: boolean) => (isDefault ? "the organization's default" : '');
      const cells = rows.map(row => [row.code, row.name, row.architectures.join(', '), notes(row.default)]);
      terminal.print(renderTable(['CODE', 'NAME', 'ARCHITECTURES', ''], cells, terminal));
    });
  },
});
