import { basename, dirname, resolve } from 'node:path';
import { common, organization, region, skip } from '../../account/options.ts';
import { organizationOf } from '../../account/organization.ts';
import { noteAddress, withCloud } from '../../account/session.ts';
import { UserError } from '../../errors.ts';
import { trackedFiles } from '../../git.ts';
import type { SecretSet } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';
import { describeStatus } from '../../platform/cloud-error.ts';
import { describeLocation, type Location, listCommand } from '../../platform/location.ts';
import { type Secret, warnAboutBlank, warnAboutReading } from '../../platform/secret.ts';
import { applyChanges } from '../../secret-sets/apply.ts';
import { type Plan, planChange, summarize } from '../../secret-sets/plan.ts';
import { verify, waitUntilReady } from '../../secret-sets/verification.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { checkCanAsk, confirm } from '../../shell/confirmation.ts';
import type { Style, Terminal } from '../../shell/terminal.ts';
import { onOneLine } from '../../text.ts';
import { warnAboutLocal } from '../../this-computer.ts';
import { checkManaged, checkNotMoved, checkRegion, checkRemovable } from '../lookup.ts';
import { warnAboutNpmLog } from '../npm-log.ts';
import { checkLine, readSecrets } from './set/read-secrets.ts';

/** The command `botcli cloud secrets set`. */
export const set = defineCommand({
  description:
    'Keys that you do not name stay unchanged, unless you pass --prune. Values are stored exactly as given. ' +
    'Values on the command line stay in your shell history and in the log of npx: ' +
    'prefer --file, a bare KEY, or KEY=-.\n' +
    'In a file, each line is KEY=VALUE. \'Single quotes\' are literal; "double quotes" support \\n and other escapes. Both ' +
    'may span lines. A # after a space starts a comment. A JSON object of strings works, too.',
  arguments: [
    { name: 'name', required: true, help: 'Secret set (letters, digits, and hyphens)' },
    {
      name: 'secrets',
      variadic: true,
      help: 'KEY asks for its value, KEY=- reads it from stdin, KEY=VALUE sets it as typed',
    },
  ],
  options: [
    {
      flag: 'file',
      short: 'f',
      kind: 'text',
      placeholder: 'path',
      help: 'Read KEY=VALUE lines or JSON from this file, or - for stdin',
    },
    { flag: 'from-env', kind: 'switch', help: 'Take the value of each bare KEY from the environment' },
    { flag: 'prune', kind: 'switch', help: 'Also remove the keys that are not in --file' },
    { flag: 'dry-run', kind: 'switch', help: 'Show what would change, and change nothing' },
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
      line: 'botcli cloud secrets set my-bot-secrets --file .env --prune',
      description: 'also remove the keys that the file no longer has',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets OPENAI_API_KEY',
      description: 'enter the value at a hidden prompt',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets --from-env OPENAI_API_KEY DATABASE_URL --skip',
      description: 'in CI, where the values are environment variables',
    },
    {
      line: 'botcli cloud secrets set my-bot-secrets GREETING="Hello there" LANGUAGE=en',
      description: 'values that are not secret',
    },
  ],
  async run({ positionals: { name, secrets: words }, options }, terminal) {
    const { region, prune = false, json = false, 'dry-run': isTrial = false } = options;
    const line = await checkLine({ ...options, name, words }, terminal);
    if (!isTrial) checkCanAsk(options, terminal);
    // What the bot in this directory needs. Reading code may take long, and in a session, Ctrl-C would wait for it.
    const needsOf = async () => (await import('../../existing/keys-of-set.ts')).keysOfSet(name, terminal.cwd);
    const needed = line.file === undefined ? [] : await needsOf();
    const { secrets, blank } = await readSecrets(line, terminal, needed);
    terminal.hidden.hide(secrets.map(({ value }) => value));
    if (line.hasTypedValues) warnAboutNpmLog('These values', `Next time, ${SAFER_WAYS}`, terminal);
    await withCloud(options, terminal, async session => {
      const { cloud } = session;
      const location: Location = { organization: await organizationOf(session, terminal), name, region };
      await checkRegion(cloud, location.organization, region);
      const existing = await findExisting(cloud, location);
      const plan = planChange(existing?.keys ?? [], {
        set: secrets.map(({ key }) => key),
        removes: key => prune && !blank.some(one => one.key === key),
      });
      checkRemovable(location, plan.remove);
      noteAddress(session, terminal);
      const warnings = [
        ...warnAboutMissing(needed, plan, name),
        ...warnAboutLocal(secrets),
        ...warnAboutReading(secrets),
        ...warnAboutBlank(blank),
      ];
      for (const warning of warnings) terminal.note(warning);
      const preview = () => previewChange(plan, location, existing, cloud);
      if (isTrial) return reportTrial(await preview(), { warnings, json }, terminal);
      if (options.skip) terminal.note(summarize(plan, location, existing?.region ?? region));
      else terminal.note(describePreview(await preview(), terminal.noteStyle).join('\n'));
      await confirm(questionAbout(plan, name), options, terminal);
      await applyChanges({ set: secrets, remove: plan.remove }, location, cloud, terminal, SAFE_TO_REPEAT);
      const stored = await verify(cloud, location, plan, terminal);
      const set = options.wait ? await waitUntilReady(cloud, location, stored, terminal) : stored;
      reportResult({ plan, location, set, warnings }, json, terminal);
      if (!json) for (const warning of await warningsAbout(secrets, line, terminal)) terminal.note(warning);
    });
  },
});

/** The warning that the set won't have everything that the bot in this directory needs. */
function warnAboutMissing(needed: readonly string[], { add, replace, keep }: Plan, name: string): string[] {
  const present = new Set([...add, ...replace, ...keep]);
  const lacking = needed.filter(key => !present.has(key));
  return lacking.length > 0
    ? [`The bot in this directory needs keys that ${name} won't have: ${lacking.join(', ')}`]
    : [];
}

const SAFE_TO_REPEAT = 'It is safe to run the same command again: it sets all of them.';

/**
 * The existing set; undefined for a new one.
 *
 * @throws {UserError} The name belongs to something that this command can't change.
 */
async function findExisting(cloud: Cloud, location: Location): Promise<SecretSet | undefined> {
  const found = await cloud.find(location);
  if (!found) return undefined;
  if (found.type === 'imagePullSecret') {
    throw new UserError(`${location.name} is an image pull secret, which has no keys`, {
      reason: 'conflict',
      hint: 'Choose another name for the secret set.',
    });
  }
  checkManaged(location, found.set);
  checkNotMoved(location, found.set.region);
  return found.set;
}

function reportResult(
  { plan, location, set, warnings }: { plan: Plan; location: Location; set: SecretSet; warnings: readonly string[] },
  json: boolean,
  terminal: Terminal,
): void {
  const fates = { added: plan.add, replaced: plan.replace, removed: plan.remove, kept: plan.keep };
  const { name, organization } = location;
  const { region, status } = set;
  if (json) {
    terminal.printJson({ name, organization, region, status, ...fates, warnings });
    return;
  }
  const counts = Object.entries(fates)
    .filter(([fate, keys]) => fate !== 'removed' || keys.length > 0)
    .map(([fate, keys]) => `${keys.length} ${fate}`)
    .join(', ');
  terminal.print(
    `${terminal.style.green('✓')} ${describeLocation(location)}, region ${region}: ${counts}. ${describeStatus(status)}`,
  );
  if (status === 'pending') terminal.note(`To check its status, run: ${listCommand(location)}`);
  terminal.note('Agents that use this set pick up the change at their next deploy.');
}

function questionAbout({ add, replace, remove }: Plan, name: string): string {
  const number = add.length + replace.length;
  const removal = remove.length > 0 ? `, and remove ${remove.length}` : '';
  return `Set ${number === 1 ? 'this key' : `these ${number} keys`} in ${name}${removal}?`;
}

/** How each part of a plan is shown. */
const FATES = [
  ['add', '+', 'green'],
  ['replace', '~', 'yellow'],
  ['remove', '-', 'red'],
  ['keep', ' ', 'dim'],
] as const;

/** A planned change, and where it happens. */
type Preview = Awaited<ReturnType<typeof previewChange>>;

/** Completes a plan with the region, which may need a request. It's undefined if the platform doesn't name the default. */
async function previewChange(plan: Plan, location: Location, existing: SecretSet | undefined, cloud: Cloud) {
  const known = existing?.region ?? location.region;
  const region = known ?? (await cloud.defaultRegion(location.organization));
  return { plan, location, region, isDefault: known === undefined, isNew: existing === undefined };
}

/** A change in detail, as lines. */
function describePreview({ plan, location, region, isDefault, isNew }: Preview, style: Style): string[] {
  const width = Object.values(plan)
    .flat()
    .reduce((most, key) => Math.max(most, key.length), 0);
  return [
    `Organization: ${style.bold(location.organization)}`,
    `Region:       ${style.bold(describeRegion(region, isDefault))}`,
    `Secret set:   ${style.bold(location.name)} (${isNew ? 'new' : 'exists'})`,
    ...FATES.flatMap(([fate, sign, color]) =>
      plan[fate].map(key => style[color](`  ${sign} ${key.padEnd(width)}  ${fate}`)),
    ),
  ];
}

function describeRegion(region: string | undefined, isDefault: boolean): string {
  const ofDefault = "the organization's default";
  if (region === undefined) return ofDefault;
  return isDefault ? `${region} (${ofDefault})` : region;
}

/** Reports what a dry run would have changed. */
function reportTrial(
  preview: Preview,
  { warnings, json }: { warnings: readonly string[]; json: boolean },
  terminal: Terminal,
): void {
  const { plan, location, region = null } = preview;
  if (json) {
    const { organization, name } = location;
    terminal.printJson({ organization, region, name, ...plan, warnings });
    return;
  }
  terminal.print(describePreview(preview, terminal.style).join('\n'));
  terminal.note('This was a dry run: nothing was changed.');
}

/** A longer variable leaves little room for the other variables of a process. In bytes. */
const LONG_VALUE = 64 * 1024;

/** How to pass values safely. */
const SAFER_WAYS = 'use --file, KEY=-, or a bare KEY.';

/** Warnings to print after setting secrets, one per line. None in CI: nobody reads them, and there is no history. */
async function warningsAbout(
  secrets: readonly Secret[],
  { file, hasTypedValues }: { file: string | undefined; hasTypedValues: boolean },
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Promise<string[]> {
  if (env.CI) return [];
  const unreadable = secrets.filter(({ key }) => !/^[A-Za-z_]\w*$/.test(key)).map(({ key }) => key);
  const long = secrets.filter(({ value }) => Buffer.byteLength(value) > LONG_VALUE).map(({ key }) => key);
  const warnings: [isDue: boolean, text: string][] = [
    [hasTypedValues, `Values on the command line stay in your shell history. To keep them out, ${SAFER_WAYS}`],
    [
      file !== undefined && file !== '-' && (await isTracked(resolve(cwd, file), env)),
      `git tracks ${onOneLine(file ?? '')}, so anyone with the repository can read these values. To untrack it, use git rm --cached.`,
    ],
    [unreadable.length > 0, `Shells can't read variables with these names, but programs can: ${unreadable.join(', ')}`],
    [long.length > 0, `Longer than 64 KiB, which may be too much for an environment variable: ${long.join(', ')}`],
  ];
  return warnings.filter(([isDue]) => isDue).map(([, text]) => text);
}

const isTracked = async (path: string, env: Terminal['env']): Promise<boolean> =>
  (await trackedFiles(dirname(path), [basename(path)], env)).size > 0;
