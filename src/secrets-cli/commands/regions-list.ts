import { common, organization } from '../../account/options.ts';
import { organizationOf } from '../../account/organization.ts';
import { withCloud } from '../../account/session.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { renderTable } from '../../text.ts';

/** The command `botcli cloud regions list`. */
export const listRegions = defineCommand({
  description: 'Pass a code to --region. A secret set must be in the same region as the agents that use it.',
  options: [organization, ...common],
  examples: [
    { line: 'botcli cloud regions list', description: 'list them, and mark the default for new secrets' },
    { line: 'botcli cloud regions list --json', description: 'print JSON for a program' },
  ],
  async run({ options }, terminal) {
    const { checkInputs } = await import('../input/checks.ts');
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
      const cells = rows.map(row => [
        row.code,
        row.name,
        row.architectures.join(', '),
        row.default ? "the organization's default" : '',
      ]);
      terminal.print(renderTable(['CODE', 'NAME', 'ARCHITECTURES', ''], cells, terminal));
    });
  },
});
