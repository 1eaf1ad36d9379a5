import { common, organization, organizationOf, region, withCloud } from '../../account/session.ts';
import { UserError } from '../../errors.ts';
import type { Found, SecretRow, SecretSet } from '../../platform/answers.ts';
import { checkInputs, type Location, listCommand, regionOf } from '../../platform/names.ts';
import { defineCommand } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { renderTable } from '../../text.ts';
import { checkRegion, findExisting } from '../lookup.ts';

export const list = defineCommand({
  description: 'Values are never shown, because the platform never returns them.',
  arguments: [{ name: 'name', help: 'List the keys of this secret set' }],
  options: [
    {
      flag: 'sets',
      short: 's',
      kind: 'boolean',
      acceptsWord: true,
      help: 'List only secret sets, without image pull secrets',
    },
    organization,
    { ...region, help: 'List only secrets in this region (default: all regions)' },
    ...common,
  ],
  examples: [
    { line: 'botcli cloud secrets list', description: 'list everything, with its status' },
    { line: 'botcli cloud secrets list my-bot-secrets', description: 'list the keys of one set' },
    { line: 'botcli cloud secrets list --sets --region us-west --json', description: 'print JSON for a program' },
  ],
  async run({ positionals: { name }, options }, terminal) {
    const { region, sets, json = false } = options;
    checkInputs({ organization: options.organization, region, name });
    await withCloud(options, terminal, async session => {
      const { cloud } = session;
      const organization = await organizationOf(session, terminal);
      await checkRegion(cloud, organization, region);
      if (name === undefined) {
        const rows = (await cloud.list(organization)).filter(({ type }) => !sets || type !== 'imagePullSecret');
        return reportRows(rows, { organization, region }, json, terminal);
      }
      const location = { organization, name, region };
      const found = await findExisting(cloud, location);
      checkWanted(found, location, sets === true);
      reportOne(found, name, json, terminal);
    });
  },
});

/** @throws {UserError} The options exclude this secret. */
function checkWanted(found: Found, location: Location, onlySets: boolean): void {
  const { name, region } = location;
  const hint = `To show it, run: ${listCommand(location)}`;
  const actual = regionOf(found);
  if (region && region !== actual) {
    throw new UserError(`${name} is in ${actual}, not in ${region}`, { reason: 'region', hint });
  }
  if (onlySets && found.type === 'imagePullSecret') {
    throw new UserError(`${name} is an image pull secret, which --sets excludes`, { reason: 'not-found', hint });
  }
}

const TYPES: Readonly<Record<string, string>> = { secret: 'secret set', imagePullSecret: 'image pull secret' };
const PAINTS: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = {
  ready: 'green',
  pending: 'yellow',
  failed: 'red',
};

/** Prints the rows of a region. If it has none, prints how many other regions have. */
function reportRows(
  all: readonly SecretRow[],
  { organization, region }: Omit<Location, 'name'>,
  json: boolean,
  terminal: Terminal,
): void {
  const rows = all.filter(row => region === undefined || row.region === region);
  const cells = rows.map(row => [row.name, TYPES[row.type] ?? row.type, row.region, renderStatus(row, terminal)]);
  if (json) terminal.printJson({ secrets: rows.map(rowFacts) });
  else if (rows.length > 0) terminal.print(renderTable(['NAME', 'TYPE', 'REGION', 'STATUS'], cells, terminal));
  else {
    const where = region ? `, region ${region}` : '';
    const elsewhere = all.length > 0 ? `; ${all.length} in other regions` : '';
    terminal.note(`No secrets in organization ${organization}${where}${elsewhere}.`);
  }
}

function reportOne(found: Found, name: string, json: boolean, terminal: Terminal): void {
  const { type } = found;
  const details = type === 'secret' ? found.set : found.row;
  const keys = type === 'secret' ? found.set.keys : [];
  if (json) {
    const source = type === 'secret' && found.set.source === 'referenced' ? { source: 'referenced' } : {};
    const facts = { ...rowFacts({ ...details, name, type }), ...source, ...(type === 'secret' ? { keys } : {}) };
    terminal.printJson({ secrets: [facts] });
    return;
  }
  terminal.print(
    `${terminal.style.bold(name)}: ${TYPES[type]} in ${details.region}, ${renderStatus(details, terminal)}`,
  );
  for (const key of keys) terminal.print(`  ${key}`);
  if (type === 'imagePullSecret') terminal.note("The content of an image pull secret can't be shown.");
  else if (found.set.source === 'referenced')
    terminal.note("Its keys are stored in your own cluster and can't be shown.");
}

/** A row for programs. It has only known fields, so that a value can never slip through. */
const rowFacts = ({ name, type, region, status, errorMessage }: SecretRow) => ({
  name,
  type,
  region,
  status,
  ...(status === 'failed' && errorMessage ? { reason: errorMessage } : {}),
});

function renderStatus({ status, errorMessage }: SecretRow | SecretSet, { style }: Terminal): string {
  const paint = style[PAINTS[status] ?? 'dim'];
  return paint(status) + (status === 'failed' && errorMessage ? `: ${errorMessage}` : '');
}
