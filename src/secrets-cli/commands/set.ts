import { resolve } from 'node:path';
import { common, noteAddress, organization, organizationOf, region, skip, withCloud } from '../../account/session.ts';
import { attempt, UserError, usageError } from '../../errors.ts';
import { isTracked } from '../../git.ts';
import type { SecretSet } from '../../platform/answers.ts';
import type { Cloud } from '../../platform/cloud.ts';
import {
  checkInputs,
  describeLocation,
  describeStatus,
  inputProblems,
  type Location,
  listCommand,
  nameKey,
  valueProblem,
  warnAboutFile,
} from '../../platform/names.ts';
import { applyChanges, type Plan, planChange, summarize, verify, waitUntilReady } from '../../secret-sets/change.ts';
import { defineCommand } from '../../shell/command-line.ts';
import { checkCanAsk, confirm } from '../../shell/confirmation.ts';
import type { Style, Terminal } from '../../shell/terminal.ts';
import { onOneLine } from '../../text.ts';
import { warnAboutLocal } from '../../this-computer.ts';
import { parsePairs, readInputValue, readSecretsFile } from '../input/sources.ts';
import { checkManaged, checkNotMoved, checkRegion } from '../lookup.ts';

export const set = defineCommand({
  description:
    'Keys that you do not name stay unchanged, unless you pass --prune. Values are stored exactly as given. ' +
    'Values on the command line stay in your shell history and in the log of npx: ' +
    'prefer --file, a bare KEY, or KEY=-.\n' +
    "In a file, each line is KEY=VALUE. \"Double quotes\" support \\n and other escapes, 'single quotes' only \\' and \\\\. " +
    'Both may span lines. A # after a space starts a comment. A JSON object of strings works, too.',
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
    const { file, region, prune = false, json = false, 'dry-run': isTrial = false, 'from-env': fromEnv } = options;
    const { pairs, problems } = parsePairs(words, fromEnv ? terminal.env : undefined);
    const misuses: [isMisused: boolean, problem: string][] = [
      [words.length > 0 && file !== undefined, 'Pass KEY=VALUE pairs or --file, not both'],
      [
        words.length === 0 && file === undefined && !fromEnv,
        'Nothing to set: pass --file, a bare KEY, KEY=-, or KEY=VALUE',
      ],
      [
        fromEnv === true && words.every(word => word.includes('=')),
        '--from-env needs at least one bare KEY: the name of an environment variable',
      ],
      [prune && file === undefined, '--prune needs --file: it removes the keys that are not in the file'],
    ];
    const unasked: UserError[] = [];
    if (!isTrial) attempt(() => checkCanAsk(options, terminal), unasked);
    const inputs = { newName: name, organization: options.organization, region };
    const found = [
      ...misuses.flatMap(([isMisused, problem]) => (isMisused ? [problem] : [])),
      ...problems,
      ...promptProblems(pairs, terminal),
      ...unasked,
    ];
    // Reading code may take long, and in a session, Ctrl-C would wait for it.
    const needed = file === undefined ? [] : await neededIn(name, terminal);
    const isFaulty = inputProblems(inputs).length + found.length > 0;
    // After another problem, stdin stays as it is for the next try.
    if (isFaulty && file !== undefined && file !== '-') {
      await readSecretsFile(file, terminal, needed, true).catch(error => {
        if (!(error instanceof UserError)) throw error;
        found.push(error);
      });
    }
    checkInputs(inputs, found);
    const { secrets, blank } =
      file === undefined ? await readValues(pairs, terminal) : await readSecretsFile(file, terminal, needed);
    terminal.hidden.hide(secrets.map(({ value }) => value));
    const isTyped = pairs.some(({ from }) => from === 'argument');
    await withCloud(options, terminal, async session => {
      const { cloud } = session;
      const location: Location = { organization: await organizationOf(session, terminal), name, region };
      await checkRegion(cloud, location.organization, region);
      const existing = await findExisting(cloud, location);
      const plan = planChange(existing?.keys ?? [], {
        set: secrets.map(({ key }) => key),
        removes: key => prune && !blank.some(one => one.key === key),
      });
      noteAddress(session, terminal);
      const lacking = needed.filter(key => ![...plan.add, ...plan.replace, ...plan.keep].includes(key));
      const warnings = [
        ...(lacking.length > 0
          ? [`The bot in this directory needs keys that ${name} won't have: ${lacking.join(', ')}`]
          : []),
        ...warnAboutLocal(secrets),
        ...warnAboutFile(secrets, blank),
      ];
      for (const warning of warnings) terminal.note(warning);
      const known = existing?.region ?? region;
      const isSummed = options.skip && !isTrial;
      const standard = known || isSummed ? undefined : await cloud.defaultRegion(location.organization);
      if (isTrial && json) {
        const { organization } = location;
        return terminal.printJson({ organization, region: known ?? standard ?? null, name, ...plan, warnings });
      }
      const ofDefault = "the organization's default";
      const detail = {
        region: known ?? (standard === undefined ? ofDefault : `${standard} (${ofDefault})`),
        isNew: existing === undefined,
      };
      if (isTrial) {
        terminal.print(describeChange(plan, location, detail, terminal.style));
        return terminal.note('This was a dry run: nothing was changed.');
      }
      const described = () => describeChange(plan, location, detail, terminal.noteStyle);
      terminal.note(isSummed ? summarize(plan, location, known) : described());
      const number = secrets.length === 1 ? 'this key' : `these ${secrets.length} keys`;
      const removal = plan.remove.length > 0 ? `, and remove ${plan.remove.length}` : '';
      await confirm(`Set ${number} in ${name}${removal}?`, options, terminal);
      const next = 'It is safe to run the same command again: it sets all of them.';
      await applyChanges({ set: secrets, remove: plan.remove }, location, cloud, terminal, next);
      const stored = await verify(cloud, location, plan, terminal);
      const set = options.wait ? await waitUntilReady(cloud, location, stored, terminal) : stored;
      reportResult({ plan, location, set, warnings }, json, terminal);
      if (json || terminal.env.CI) return;
      const long = secrets.filter(({ value }) => Buffer.byteLength(value) > LONG_VALUE).map(({ key }) => key);
      if (long.length > 0) {
        terminal.note(`Longer than 64 KiB, which may be too much for an environment variable: ${long.join(', ')}`);
      }
      if (isTyped)
        terminal.note(`Values on the command line stay in your shell history. To keep them out, ${SAFER_WAYS}`);
      if (file !== undefined && file !== '-' && (await isTracked(resolve(terminal.cwd, file), terminal.env))) {
        terminal.note(
          `git tracks ${onOneLine(file)}, so anyone with the repository can read these values. To untrack it, use git rm --cached.`,
        );
      }
    });
  },
});

/** A longer variable leaves little room for the other variables of a process. In bytes. */
const LONG_VALUE = 64 * 1024;

const SAFER_WAYS = 'use --file, KEY=-, or a bare KEY.';

const neededIn = async (set: string, { cwd }: Terminal): Promise<readonly string[]> =>
  (await import('../../existing/needs.ts')).keysOfSet(set, cwd);

/** The existing set; undefined for a new one. Throws a `UserError` if `set` can't change what has this name. */
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

const FATES = [
  ['add', '+', 'green'],
  ['replace', '~', 'yellow'],
  ['remove', '-', 'red'],
  ['keep', ' ', 'dim'],
] as const;

function describeChange(
  plan: Plan,
  { organization, name }: Location,
  { region, isNew }: { region: string; isNew: boolean },
  style: Style,
): string {
  const width = Math.max(...FATES.flatMap(([fate]) => plan[fate].map(key => key.length)));
  return [
    `Organization: ${style.bold(organization)}`,
    `Region:       ${style.bold(region)}`,
    `Secret set:   ${style.bold(name)} (${isNew ? 'new' : 'exists'})`,
    ...FATES.flatMap(([fate, sign, color]) =>
      plan[fate].map(key => style[color](`  ${sign} ${key.padEnd(width)}  ${fate}`)),
    ),
  ].join('\n');
}

type Pair = ReturnType<typeof parsePairs>['pairs'][number];

/** Problems with bare keys when prompts aren't possible. They aren't quoted: what looks like a key may be a value. */
function promptProblems(pairs: readonly Pair[], { interactive }: Terminal): string[] {
  if (interactive) return [];
  const instead = `it has no "=", and botcli can't ask for a value here; write KEY=- for stdin, or add --from-env`;
  return pairs.filter(isAsked).map(({ number }) => `argument ${number}: ${instead}`);
}

/** Reads the values of pairs. If stdin can't be read, nothing is asked. */
async function readValues(pairs: readonly Pair[], terminal: Terminal): ReturnType<typeof readSecretsFile> {
  const values = new Map<string, string>();
  for (const pair of [...pairs].sort((one, other) => Number(isAsked(one)) - Number(isAsked(other)))) {
    values.set(pair.key, pair.value ?? (await readValue(pair, terminal)));
  }
  return { secrets: pairs.map(({ key }) => ({ key, value: values.get(key) ?? '' })), blank: [] };
}

const isAsked = ({ from }: Pair): boolean => from === 'prompt';

async function readValue({ key, from }: Pair, terminal: Terminal): Promise<string> {
  if (from === 'prompt') {
    return terminal.askHidden(`Value for ${key}`, {
      instead: `Pass it through stdin with ${key}=-, or use --file.`,
      validate: value => valueProblem({ key, value }),
    });
  }
  const value = await readInputValue(`${key}=-`, terminal);
  const problem = valueProblem({ key, value });
  if (problem) throw usageError(`Nothing was sent: ${problem}${nameKey(key)}`);
  return value;
}
