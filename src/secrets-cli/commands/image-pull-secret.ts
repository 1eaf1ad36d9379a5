import {
  change,
  common,
  noteAddress,
  organization,
  organizationOf,
  region,
  skip,
  withCloud,
} from '../../account/session.ts';
import { UserError } from '../../errors.ts';
import type { SecretRow } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';
import { checkInputs, describeLocation, describeStatus, type Location, listCommand } from '../../platform/names.ts';
import { checkProvisioned, invisible, lookUntil } from '../../secret-sets/change.ts';
import { defineCommand } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { DAMAGED, isDamaged } from '../../text.ts';
import { readInputValue } from '../input/sources.ts';
import { checkNotMoved, checkRegion } from '../lookup.ts';

export const imagePullSecret = defineCommand({
  description: 'An existing image pull secret is updated without asking, so that a script can rotate its credentials.',
  arguments: [
    { name: 'name', required: true, help: 'Image pull secret (letters, digits, and hyphens)' },
    { name: 'host', required: true, help: 'Image registry, such as https://index.docker.io/v1/ or ghcr.io' },
    {
      name: 'credentials',
      help: '- reads USERNAME:PASSWORD from stdin; anything else is used as typed (default: ask)',
    },
  ],
  options: [
    {
      flag: 'encode',
      kind: 'boolean',
      acceptsWord: true,
      help: 'Encode the credentials as base64 (default: yes); pass --no-encode if they are already encoded',
    },
    { ...skip, help: 'Accepted for scripts: this command never asks for confirmation' },
    organization,
    region,
    ...common,
  ],
  examples: [
    {
      line: 'botcli cloud secrets image-pull-secret my-registry https://index.docker.io/v1/',
      description: 'ask for the username and token',
    },
    {
      line: 'printf \'me:%s\' "$TOKEN" | botcli cloud secrets image-pull-secret my-registry ghcr.io -',
      description: 'in a script, without the token on a command line',
    },
  ],
  async run({ positionals: { name, host, credentials: typed }, options }, terminal) {
    const { region, json = false } = options;
    const isEncoded = options.encode !== false;
    const isTyped = typed !== undefined && typed !== '-';
    // stdin and prompts are read only if the arguments have no problem.
    const check = (problem?: string) =>
      checkInputs({ newName: name, host, organization: options.organization, region }, problem ? [problem] : []);
    check(isTyped ? problemOf(typed, isEncoded) : undefined);
    const credentials =
      typed === '-' ? await readInputValue('-', terminal) : (typed ?? (await ask(isEncoded, host, terminal)));
    if (!isTyped) check(problemOf(credentials, isEncoded));
    const content = isEncoded ? Buffer.from(credentials).toString('base64') : credentials;
    const pair = Buffer.from(content, 'base64').toString();
    terminal.hidden.hide([credentials, content, pair, pair.slice(pair.indexOf(':') + 1)]);
    // Node decodes more than registries do.
    if (!isPair(pair) || Buffer.from(content, 'base64').toString('base64') !== content) {
      terminal.note(
        "These credentials are sent unchanged, but they aren't USERNAME:PASSWORD in base64 without line breaks.",
      );
    }
    await withCloud(options, terminal, async session => {
      const { cloud } = session;
      const location: Location = { organization: await organizationOf(session, terminal), name, region };
      await checkRegion(cloud, location.organization, region);
      const found = await cloud.find(location);
      const what = describeLocation(location);
      if (found?.type === 'secret') {
        throw new UserError(`${what} is already a secret set, and can't become an image pull secret`, {
          reason: 'conflict',
          hint: 'Choose another name for the image pull secret.',
        });
      }
      if (found) checkNotMoved(location, found.row.region);
      noteAddress(session, terminal);
      await change(`${name} was stored`, location, cloud.setPullSecret(location, host, content));
      const { region: actual, status } = await findStored(cloud, location, terminal);
      if (json) {
        const { organization } = location;
        return terminal.printJson({ name, organization, region: actual, status, host, created: !found });
      }
      terminal.print(
        `${terminal.style.green('✓')} ${what}, region ${actual}: ${found ? 'updated' : 'created'} for ${host}. ${describeStatus(status)}`,
      );
      if (status !== 'ready') terminal.note(`To check its status, run: ${listCommand(location)}`);
      if (isTyped && !terminal.env.CI) {
        terminal.note(`Credentials on the command line stay in your shell history. To keep them out, ${SAFER_WAYS}`);
      }
    });
  },
});

const SAFER_WAYS = 'omit them or pipe them to -.';

async function ask(isEncoded: boolean, host: string, terminal: Terminal): Promise<string> {
  const instead = 'Pass <credentials> as - to read them from stdin, or as USERNAME:PASSWORD.';
  const hasText = (answer: string) => (answer === '' ? 'Enter a value' : undefined);
  if (!isEncoded) return terminal.askHidden(`Encoded credentials for ${host}`, { instead, validate: hasText });
  const noColon = (answer: string) => (answer.includes(':') ? "A username can't contain a colon" : hasText(answer));
  const user = await terminal.ask(`Username for ${host}`, { instead, validate: noColon });
  const password = await terminal.askHidden(`Password or token for ${host}`, { instead, validate: hasText });
  return `${user}:${password}`;
}

/** The image pull secret that the platform claims to have stored. Throws a `UserError` if it isn't listed or ready. */
async function findStored(cloud: Cloud, location: Location, terminal: Terminal): Promise<SecretRow> {
  const what = `the credentials of ${location.name}`;
  const isVisible = (row: SecretRow | undefined) => row !== undefined && row.status !== 'failed';
  const row = await lookUntil(() => cloud.findPullSecret(location), { what, isVisible }, terminal);
  if (!row) throw invisible(`The platform accepted ${what}, but doesn't list it`, location);
  checkProvisioned(row, `${describeLocation(location)} is stored`, location);
  return row;
}

/** Whether a text is USERNAME:PASSWORD. A password may contain more colons. */
const isPair = (text: string): boolean => text.indexOf(':') > 0 && text.indexOf(':') < text.length - 1;

/** Why these credentials can't be sent; undefined if they can. They aren't quoted. */
function problemOf(credentials: string, isEncoded: boolean): string | undefined {
  if (isDamaged(credentials)) return `the argument ${DAMAGED}; pass the credentials as - and pipe them in`;
  if (!isEncoded) return credentials === '' ? 'the credentials are empty' : undefined;
  const rule = 'the credentials must be USERNAME:PASSWORD, with neither part empty';
  return isPair(credentials) ? undefined : `${rule}; if they are already base64, pass --no-encode`;
}
