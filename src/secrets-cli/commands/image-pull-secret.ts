import { UserError } from '../../errors.ts';
import type { Action } from '../../shell/action.ts';
import type { CommandBody, Invocation } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { credentialsProblem, isPair, pullContent } from '../input/credentials.ts';
import { readInputValue } from '../input/sources.ts';
import { describe, type Place, seeing } from '../location.ts';
import { common, organization, region } from '../options.ts';
import type { Cloud } from '../platform/cloud.ts';
import { change, checkRegion, organizationOf, withCloud } from '../session.ts';
import { moved } from './set.ts';

/** The command `botcli cloud secrets image-pull-secret`. */
export const imagePullSecret: CommandBody<Action> = {
  description:
    'An image pull secret of this name is updated without a question, so that credentials can be rotated by a script.',
  arguments: [
    { name: 'name', required: true, help: 'Letters, digits and hyphens' },
    { name: 'host', required: true, help: 'Registry, such as https://index.docker.io/v1/ or ghcr.io' },
    { name: 'credentials', help: 'USERNAME:PASSWORD, or - to read it from stdin; asked for when left out' },
  ],
  options: [
    {
      flag: 'encode',
      kind: 'boolean',
      acceptsWord: true,
      help: 'Encode the credentials as base64 (on by default); --no-encode for those that are encoded already',
    },
    organization,
    region,
    ...common,
  ],
  examples: [
    {
      line: 'botcli cloud secrets image-pull-secret my-registry https://index.docker.io/v1/',
      meaning: 'asks for user and token',
    },
    {
      line: 'printf \'me:%s\' "$TOKEN" | botcli cloud secrets image-pull-secret my-registry ghcr.io -',
      meaning: 'in a script; the token is on no command line',
    },
  ],
  run: { run: runImagePullSecret },
};

async function runImagePullSecret(invocation: Invocation, terminal: Terminal): Promise<void> {
  const { positionals, options } = invocation;
  const { name, host } = positionals as Record<'name' | 'host', string>;
  const region = options.region as string | undefined;
  const isEncoded = options.encode !== false;
  const typed = positionals.credentials as string | undefined;
  const { checkInputs } = await import('../schema.ts');
  const check = (credentials?: string) => {
    const problem = credentials === undefined ? undefined : credentialsProblem(credentials, isEncoded);
    const inputs = { newName: name, host, organization: options.organization as string | undefined, region };
    checkInputs(inputs, problem ? [problem] : []);
  };
  check(typed === '-' ? undefined : typed);
  const credentials =
    typed === '-' ? await readInputValue('-', terminal) : (typed ?? (await ask(isEncoded, host, terminal)));
  check(credentials);
  const content = pullContent(credentials, isEncoded);
  if (!isEncoded && !isPair(Buffer.from(content.sent, 'base64').toString())) {
    terminal.note('These credentials are sent as they are, and they are not the base64 of USERNAME:PASSWORD.');
  }
  await withCloud(invocation, terminal, async session => {
    const { cloud } = session;
    const place: Place = { organization: await organizationOf(session, terminal), name, region };
    await checkRegion(cloud, place.organization, region);
    const isNew = await checkExisting(cloud, place);
    const stored = await change(`${name} is stored`, place, () =>
      cloud.setPullSecret(place, host, content.sent, content.hidden),
    );
    tellResult({ place: { ...place, region: stored ?? region }, host, isNew }, invocation, terminal);
    const isInHistory = typed !== undefined && typed !== '-' && !terminal.env.CI;
    if (isInHistory && !options.json) {
      terminal.note(
        'Credentials on a command line stay in the history of your shell: leave them out, or pipe them to -.',
      );
    }
  });
}

/** The credentials, from a person. */
async function ask(isEncoded: boolean, host: string, terminal: Terminal): Promise<string> {
  const instead = 'Give <credentials> as USERNAME:PASSWORD, or - to read them from stdin.';
  const hasText = (answer: string) => (answer === '' ? 'It is empty' : undefined);
  if (!isEncoded) return terminal.askHidden(`Encoded credentials for ${host}`, { instead, validate: hasText });
  const noColon = (answer: string) =>
    answer.includes(':') ? 'It holds a colon, which ends a user name' : hasText(answer);
  const user = await terminal.ask(`User name for ${host}`, { instead, validate: noColon });
  const password = await terminal.askHidden(`Password or token for ${host}`, { instead, validate: hasText });
  return `${user}:${password}`;
}

/** Whether the name is free. A secret set, or one in another region, is in the way. */
async function checkExisting(cloud: Cloud, place: Place): Promise<boolean> {
  const found = await cloud.find(place);
  if (!found) return true;
  if (found.type === 'secret') {
    throw new UserError(`${describe(place)} is a secret set, which can't become an image pull secret`, {
      reason: 'conflict',
      hint: 'Choose another name for the image pull secret.',
    });
  }
  if (place.region !== undefined && place.region !== found.row.region) throw moved(place, found.row.region);
  return false;
}

interface Result {
  place: Place;
  host: string;
  isNew: boolean;
}

function tellResult({ place, host, isNew }: Result, { options }: Invocation, terminal: Terminal): void {
  const { name, organization, region } = place;
  if (options.json) {
    terminal.print(JSON.stringify({ name, organization, region: region ?? null, host, created: isNew }, null, 2));
    return;
  }
  const where = region ? `, region ${region}` : '';
  terminal.print(
    `${terminal.style.green('✓')} ${describe(place)}${where}: ${isNew ? 'created' : 'updated'} for ${host}`,
  );
  terminal.note(`See when it is ready: ${seeing(place)}`);
}
