import { UserError } from '../../errors.ts';
import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import { renderTable } from '../../shell/terminal/table.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { type Place, seeing } from '../location.ts';
import { common, organization, region } from '../options.ts';
import type { Found } from '../platform/cloud.ts';
import type { SecretRow } from '../schema.ts';
import { checkRegion, notFound, organizationOf, withCloud } from '../session.ts';

/** The command `botcli cloud secrets list`. */
export const list: CommandBody<Action> = {
  description: 'Values are never shown. Nobody can read them back.',
  arguments: [{ name: 'name', help: 'Secret set whose keys to show' }],
  options: [
    {
      flag: 'sets',
      short: 's',
      kind: 'boolean',
      acceptsWord: true,
      help: 'Secret sets only, without image pull secrets (default: both are listed)',
    },
    organization,
    { ...region, help: 'Only those in this region (default: all regions)' },
    ...common,
  ],
  examples: [
    { line: 'botcli cloud secrets list', meaning: 'everything, with its readiness' },
    { line: 'botcli cloud secrets list my-bot-secrets', meaning: 'the keys of one set' },
    { line: 'botcli cloud secrets list --sets --region us-west --json', meaning: 'for a program' },
  ],
  run: { run: runList },
};

async function runList(invocation: Invocation, terminal: Terminal): Promise<void> {
  const { positionals, options } = invocation;
  const name = positionals.name as string | undefined;
  const typed = {
    organization: options.organization as string | undefined,
    region: options.region as string | undefined,
  };
  const { checkInputs } = await import('../schema.ts');
  checkInputs({ ...typed, name });
  await withCloud(invocation, terminal, async session => {
    const { cloud } = session;
    const inUse = await organizationOf(session, terminal);
    await checkRegion(cloud, inUse, typed.region);
    if (name === undefined) {
      const rows = (await cloud.list(inUse)).filter(({ type }) => !options.sets || type !== 'imagePullSecret');
      return tellRows(rows, inUse, typed.region, invocation, terminal);
    }
    const place = { organization: inUse, name, region: typed.region };
    const found = await cloud.find(place);
    if (!found) throw await notFound(cloud, place);
    checkWanted(found, place, options.sets === true);
    tellOne(found, place, invocation, terminal);
  });
}

/** Refuses to show what the options leave out. */
function checkWanted(found: Found, place: Place, onlySets: boolean): void {
  const { name, region } = place;
  const hint = `See it: ${seeing(place)}`;
  const actual = found.type === 'secret' ? found.set.region : found.row.region;
  if (region && region !== actual) {
    throw new UserError(`${name} is in ${actual}, not in ${region}`, { reason: 'region', hint });
  }
  if (onlySets && found.type === 'imagePullSecret') {
    throw new UserError(`${name} is an image pull secret, which --sets leaves out`, { reason: 'not-found', hint });
  }
}

const TYPES: Readonly<Record<string, string>> = { secret: 'secret set', imagePullSecret: 'image pull secret' };
const PAINTS: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = {
  ready: 'green',
  pending: 'yellow',
  failed: 'red',
};

/** Tells the rows of a region; where it has none, how many are elsewhere. */
function tellRows(
  all: readonly SecretRow[],
  organization: string,
  region: string | undefined,
  { options }: Invocation,
  terminal: Terminal,
): void {
  const rows = all.filter(row => region === undefined || row.region === region);
  const cells = rows.map(row => [row.name, TYPES[row.type] ?? row.type, row.region, tellStatus(row, terminal)]);
  if (options.json) terminal.print(JSON.stringify({ secrets: rows.map(row => rowFacts(row)) }, null, 2));
  else if (rows.length > 0) terminal.print(renderTable(['NAME', 'TYPE', 'REGION', 'STATUS'], cells, terminal));
  else {
    const where = region ? `, region ${region}` : '';
    const elsewhere = all.length > 0 ? `; ${all.length} elsewhere` : '';
    terminal.note(`No secrets in organization ${organization}${where}${elsewhere}.`);
  }
}

function tellOne(found: Found, { name }: Place, { options }: Invocation, terminal: Terminal): void {
  const { type } = found;
  const details = type === 'secret' ? found.set : found.row;
  const keys = type === 'secret' ? found.set.keys : [];
  if (options.json) {
    const facts = { ...rowFacts({ ...details, name, type }), ...(type === 'secret' ? { keys } : {}) };
    terminal.print(JSON.stringify({ secrets: [facts] }, null, 2));
    return;
  }
  terminal.print(`${terminal.style.bold(name)}: ${TYPES[type]} in ${details.region}, ${tellStatus(details, terminal)}`);
  for (const key of keys) terminal.print(`  ${key}`);
  if (type === 'imagePullSecret') terminal.note('The content of an image pull secret is not listed.');
  else if (found.set.source === 'referenced')
    terminal.note('Its content lives in your own cluster, and is not listed.');
}

/** A row for programs: nothing that we don't know, so that no value ever slips through. */
const rowFacts = ({ name, type, region, status, errorMessage }: SecretRow) => ({
  name,
  type,
  region,
  status,
  ...(status === 'failed' && errorMessage ? { reason: errorMessage } : {}),
});

function tellStatus({ status, errorMessage }: Pick<SecretRow, 'status' | 'errorMessage'>, { style }: Terminal): string {
  const paint = style[PAINTS[status] ?? 'dim'];
  return paint(status) + (status === 'failed' && errorMessage ? `: ${errorMessage}` : '');
}
