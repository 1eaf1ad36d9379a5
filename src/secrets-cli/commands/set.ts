import { UserError } from '../../errors.ts';
import { defineCommand } from '../../shell/command-line.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { checkCanAsk, confirm } from '../confirmation.ts';
import { describeLocation, type Location, listCommand } from '../input/location.ts';
import { checkNotMoved, checkRegion, organizationOf } from '../lookup.ts';
import { common, organization, region, skip } from '../options.ts';
import type { SecretSet } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { noteAddress, withCloud } from '../session.ts';
import { type Change, planChange, showPlan, summarize } from './set/preview.ts';
import { checkLine, readSecrets } from './set/read-secrets.ts';
import { sendAll } from './set/send-all.ts';
import { verify, waitUntilReady } from './set/verification.ts';
import { warningsAbout } from './set/warnings.ts';

/** The command `botcli cloud secrets set`. */
export const set = defineCommand({
  description:
    'Keys that you do not name stay unchanged. Values are stored exactly as given. ' +
    'Values on the command line stay in your shell history: prefer --file, KEY=-, or a bare KEY.\n' +
    'In a file, each line is KEY=VALUE. \'Single quotes\' are literal; "double quotes" support \\n and other escapes. Both ' +
    'may span lines. A # after a space starts a comment.',
  arguments: [
    { name: 'name', required: true, help: 'Secret set (letters, digits, and hyphens)' },
    {
      name: 'secrets',
      variadic: true,
      help: 'KEY=VALUE pairs; KEY=- reads stdin, a bare KEY asks',
    },
  ],
  options: [
    {
      flag: 'file',
      short: 'f',
      kind: 'text',
      placeholder: 'path',
      help: 'Read KEY=VALUE lines from this file, or - for stdin',
    },
    skip,
    organization,
    region,
    { flag: 'wait', kind: 'switch', help: 'Wait until the set is ready, for up to two minutes' },
    ...common,
  ],
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', description: 'show what would change, then ask' },
    {
      line: 'botcli cloud secrets set my-bot-secrets --file .env --skip --wait',
      description: 'in a script, before a deploy',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets OPENAI_API_KEY',
      description: 'enter the value at a hidden prompt',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets GREETING="Hello there" LANGUAGE=en',
      description: 'values that are not secret',
    },
  ],
  async run({ positionals: { name, secrets: words }, options }, terminal) {
    const { file, region, json = false } = options;
    const line = await checkLine({ name, words, file, region, organization: options.organization }, terminal);
    checkCanAsk(options, terminal);
    const secrets = await readSecrets(line, terminal);
    await withCloud(options, terminal, async session => {
      const { cloud } = session;
      const location: Location = { organization: await organizationOf(session, terminal), name, region };
      await checkRegion(cloud, location.organization, region);
      const existing = await findSet(cloud, location);
      const plan = planChange(secrets, existing);
      noteAddress(session, terminal);
      if (options.skip) terminal.note(summarize(plan, location, existing));
      else await showPlan(plan, location, existing, cloud, terminal);
      await confirm(`Set ${count(secrets.length)} in ${name}?`, options, terminal);
      await sendAll(secrets, location, cloud, terminal);
      const stored = await verify(cloud, location, secrets, terminal);
      const set = options.wait ? await waitUntilReady(cloud, location, stored, terminal) : stored;
      reportResult({ plan, location, set }, json, terminal);
      if (!json) for (const warning of warningsAbout(secrets, line, terminal)) terminal.note(warning);
    });
  },
});

/**
 * The existing set; undefined for a new one.
 *
 * @throws {UserError} The name belongs to something that this command can't change.
 */
async function findSet(cloud: Cloud, location: Location): Promise<SecretSet | undefined> {
  const found = await cloud.find(location);
  if (!found) return undefined;
  if (found.type === 'imagePullSecret') {
    throw new UserError(`${location.name} is an image pull secret, which has no keys`, {
      reason: 'conflict',
      hint: 'Choose another name for the secret set.',
    });
  }
  const { region, source } = found.set;
  if (source === 'referenced') {
    throw new UserError(`${location.name} is managed in your own cluster and can only be changed there`, {
      reason: 'conflict',
    });
  }
  checkNotMoved(location, region);
  return found.set;
}

interface Result {
  plan: Change;
  location: Location;
  set: SecretSet;
}

function reportResult({ plan, location, set }: Result, json: boolean, terminal: Terminal): void {
  const { added, replaced, kept } = plan;
  const { name, organization } = location;
  const { region, status, errorMessage } = set;
  if (json) {
    const reason = status === 'failed' && errorMessage ? { reason: errorMessage } : {};
    terminal.printJson({ name, organization, region, status, ...reason, added, replaced, kept });
    return;
  }
  const counts = [`${added.length} added`, `${replaced.length} replaced`, `${kept.length} kept`].join(', ');
  terminal.print(
    `${terminal.style.green('✓')} ${describeLocation(location)}, region ${region}: ${counts}. It is ${status}.`,
  );
  if (status === 'pending') terminal.note(`To check its status, run: ${listCommand(location)}`);
  if (status === 'failed') terminal.note(`The platform couldn't provision it: ${errorMessage ?? 'no reason given'}`);
  terminal.note('Agents that use this set pick up the change at their next deploy.');
}

const count = (number: number) => (number === 1 ? 'this key' : `these ${number} keys`);
