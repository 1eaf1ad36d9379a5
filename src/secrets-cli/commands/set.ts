import { UserError } from '../../errors.ts';
import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { describe, type Place, seeing } from '../location.ts';
import { common, organization, region, skip } from '../options.ts';
import type { Cloud } from '../platform/cloud.ts';
import type { SecretSet } from '../schema.ts';
import { checkCanAsk, checkRegion, confirm, organizationOf, withCloud } from '../session.ts';
import { type Change, planChange, sumUp, tellPlan } from './set/preview.ts';
import { readSecrets } from './set/read-secrets.ts';
import { sendAll } from './set/send-all.ts';
import { verify, waitUntilReady } from './set/verification.ts';
import { cautionsOf } from './set/warnings.ts';

/** The command `botcli cloud secrets set`. */
export const set: CommandBody<Action> = {
  description:
    'Keys that are not named stay as they are. A value is taken exactly as it comes.\n' +
    'Values on the command line end up in the history of your shell: better use --file, KEY=- or a bare KEY.\n' +
    'In a file, each line is KEY=VALUE. \'Single quotes\' are literal, "double quotes" know \\n and other escapes, both may ' +
    'span lines; # behind a space begins a comment.',
  arguments: [
    { name: 'name', required: true, help: 'Letters, digits and hyphens' },
    {
      name: 'secrets',
      variadic: true,
      help: 'KEY=VALUE pairs, each in one word; KEY=- reads the value from stdin, a bare KEY asks for it',
    },
  ],
  options: [
    { flag: 'file', short: 'f', kind: 'text', placeholder: 'path', help: 'File of KEY=VALUE lines, or - for stdin' },
    skip,
    organization,
    region,
    { flag: 'wait', kind: 'switch', help: 'Wait until the set is ready, at most two minutes' },
    ...common,
  ],
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', meaning: 'shows what would change, and asks' },
    {
      line: 'botcli cloud secrets set my-bot-secrets --file .env --skip --wait',
      meaning: 'in a script, before a deploy',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets OPENAI_API_KEY',
      meaning: 'asks for the value, which stays invisible',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets GREETING="Hello there" LANGUAGE=en',
      meaning: 'what is no secret',
    },
  ],
  run: { run: runSet },
};

async function runSet(invocation: Invocation, terminal: Terminal): Promise<void> {
  const secrets = await readSecrets(invocation, terminal, () => checkCanAsk(invocation, terminal));
  await withCloud(invocation, terminal, async session => {
    const { cloud } = session;
    const place: Place = {
      organization: await organizationOf(session, terminal),
      name: invocation.positionals.name as string,
      region: invocation.options.region as string | undefined,
    };
    await checkRegion(cloud, place.organization, place.region);
    const existing = await findSet(cloud, place);
    const plan = planChange(secrets, existing);
    if (invocation.options.skip) terminal.note(sumUp(plan, place, existing));
    else await tellPlan(plan, place, existing, cloud, terminal);
    await confirm(`Set ${count(secrets.length)} in ${place.name}?`, invocation, terminal);
    await sendAll(secrets, place, cloud, terminal);
    const stored = await verify(cloud, place, secrets);
    const final = invocation.options.wait ? await waitUntilReady(cloud, place, stored, terminal) : stored;
    tellResult({ plan, place, set: final }, invocation, terminal);
    if (!invocation.options.json) for (const line of cautionsOf(secrets, invocation, terminal)) terminal.note(line);
  });
}

/**
 * The set as it is; nothing for a new one.
 *
 * @throws {UserError} What is there can't be changed in this way.
 */
async function findSet(cloud: Cloud, place: Place): Promise<SecretSet | undefined> {
  const found = await cloud.find(place);
  if (!found) return undefined;
  if (found.type === 'imagePullSecret') {
    throw new UserError(`${place.name} is an image pull secret, which holds no keys`, {
      reason: 'conflict',
      hint: 'Choose another name for the secret set.',
    });
  }
  const { region, source } = found.set;
  if (source === 'referenced') {
    throw new UserError(`${place.name} is managed in your own cluster, and can only be changed there`, {
      reason: 'conflict',
    });
  }
  if (place.region !== undefined && place.region !== region) throw moved(place, region);
  return found.set;
}

export const moved = ({ name, region }: Place, actual: string): UserError =>
  new UserError(`${name} is in ${actual}, and can't be moved to ${region}`, {
    reason: 'region',
    hint: `Leave out --region, or use another name in ${region}: names are unique in an organization.`,
  });

interface Result {
  plan: Change;
  place: Place;
  set: SecretSet;
}

function tellResult({ plan, place, set }: Result, { options }: Invocation, terminal: Terminal): void {
  const { added, replaced, kept } = plan;
  const { name, organization } = place;
  const { region, status, errorMessage } = set;
  if (options.json) {
    const reason = status === 'failed' && errorMessage ? { reason: errorMessage } : {};
    terminal.print(JSON.stringify({ name, organization, region, status, ...reason, added, replaced, kept }, null, 2));
    return;
  }
  const counts = [`${added.length} added`, `${replaced.length} replaced`, `${kept.length} kept`].join(', ');
  terminal.print(`${terminal.style.green('✓')} ${describe(place)}, region ${region}: ${counts}. It is ${status}.`);
  if (status === 'pending') terminal.note(`See when it is ready: ${seeing(place)}`);
  if (status === 'failed') terminal.note(`The platform could not provision it: ${errorMessage ?? 'no reason given'}`);
  terminal.note('Agents that use this set get the change when they are deployed again.');
}

const count = (number: number) => (number === 1 ? 'this key' : `these ${number} keys`);
