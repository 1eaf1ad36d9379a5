import { nearest } from '../../nearest.ts';
import { shellPath } from '../../shells.ts';
import { envEntries, isKnownName, missingNames } from './env-names.ts';
import { type Facts, valueFor } from './facts.ts';
import type { Check, Detail } from './finding.ts';
import { flawOf } from './value-flaws.ts';
import { sourceOf } from './variable-source.ts';

/** Whether the bot gets the variables that its code reads. */
export const keyChecks: readonly Check<Facts>[] = [
  {
    code: 'env-file-missing',
    level: 'error',
    find(facts) {
      const { env, place } = facts;
      const names = missingNames(facts);
      if (env.problem !== 'absent' || names.length === 0) return [];
      const path = place(env.path);
      return [
        {
          message: `${path} doesn't exist, and the bot needs ${names.join(', ')}`,
          hint: `Copy the example, and fill in the values in ${path}.`,
          fix: { command: `cp ${shellPath(place('server/.env.example'))} ${shellPath(path)}` },
        },
      ];
    },
  },
  {
    code: 'env-file-unreadable',
    level: 'error',
    find: ({ env: { path, problem }, place }) =>
      problem === undefined || problem === 'absent' || problem === NO_FILE
        ? []
        : [{ message: `${place(path)} ${problem}`, hint: 'Save it as a UTF-8 text file that you can read.' }],
  },
  {
    code: 'env-file-not-checked',
    level: 'warning',
    find: ({ env: { path, problem }, place }) =>
      problem === NO_FILE
        ? [{ message: `${place(path)} ${problem}, so botcli didn't read it`, hint: CHECK_BY_STARTING }]
        : [],
  },
  {
    code: 'env-line',
    level: 'error',
    find: facts => brokenIn(facts, name => facts.requirements.needed.includes(name)),
  },
  {
    code: 'env-line',
    level: 'warning',
    find: facts => brokenIn(facts, name => !facts.requirements.needed.includes(name)),
  },
  {
    code: 'variable-missing',
    level: 'error',
    find: facts => missingIn(facts).map(name => describeMissing(name, facts)),
  },
  {
    code: 'variable-unset',
    level: 'warning',
    find: facts =>
      readable(facts)
        .requirements.passed.filter(name => isUnset(name, facts))
        .map(name => describeMissing(name, facts)),
  },
  {
    code: 'variable-unset-elsewhere',
    level: 'warning',
    find: facts =>
      [...readable(facts).requirements.elsewhere]
        .filter(([name]) => isUnset(name, facts))
        .map(([name, path]) => {
          const { message, ...more } = describeMissing(name, facts);
          return { message: `${message}; ${facts.place(path)} needs it`, ...more };
        }),
  },
  { code: 'variable-value', level: 'error', find: facts => flawsIn(facts) },
  {
    code: 'variable-repeated',
    level: 'warning',
    find: facts =>
      envEntries(facts).flatMap(({ name, line }, at, all) => {
        const before = all.findLast((other, index) => index < at && other.name === name);
        if (!before || !isKnownName(name, facts)) return [];
        return {
          message: `${facts.place(facts.env.path)}, line ${line}: ${name} is set on line ${before.line}, too`,
          hint: 'The last one counts. Remove the other.',
        };
      }),
  },
  { code: 'variable-unread', level: 'warning', find: facts => unreadIn(facts) },
  {
    code: 'env-file-tracked',
    level: 'warning',
    find: ({ env, place }) =>
      env.tracked.map(path => ({
        message: `git tracks ${place(path)}, so anyone with the repository can read its values`,
        hint: 'If you have pushed it, create new keys as well.',
        fix: { command: `git rm --cached ${shellPath(place(path))}` },
      })),
  },
];

const NO_FILE = 'is not a file';
const CHECK_BY_STARTING = 'The bot names what is missing when it starts.';

/** The facts, without requirements if the env file can't be read: its values aren't known then. */
const readable = (facts: Facts): Facts =>
  facts.env.problem === undefined || facts.env.problem === 'absent'
    ? facts
    : { ...facts, requirements: { ...facts.requirements, passed: [], elsewhere: new Map() } };

const isUnset = (name: string, facts: Facts): boolean => valueFor(name, facts.env) === undefined;

/** The missing variables that need a finding of their own: no other finding explains why they are missing. */
function missingIn(facts: Facts): string[] {
  if (facts.env.problem !== undefined) return [];
  const broken = facts.env.file.broken.map(({ name }) => name);
  return missingNames(facts).filter(name => !broken.includes(name) && !lastEntry(name, facts)?.isOpen);
}

const lastEntry = (name: string, facts: Facts) => envEntries(facts).findLast(entry => entry.name === name);

function describeMissing(name: string, facts: Facts): Detail {
  const { hint, url } = sourceOf(name, facts.project.config);
  const path = facts.place(facts.env.path);
  const similar = similarTo(name, facts);
  if (similar !== undefined) {
    return { message: `${name} isn't set in ${path}, but ${similar} is`, hint: `Rename it to ${name}.` };
  }
  return { message: `${name} isn't set in ${path}`, hint, ...(url && { fix: { url } }) };
}

/** The name in the env file that was probably meant to be this one: nothing reads it, and no other one is closer. */
function similarTo(name: string, facts: Facts): string | undefined {
  const unread = envEntries(facts)
    .filter(entry => entry.value && !facts.requirements.known.has(entry.name))
    .map(entry => entry.name);
  return unread.find(other => nearest(other, [...facts.requirements.known]) === name);
}

/** The values that no provider can accept as they are. */
function flawsIn(facts: Facts): Detail[] {
  const { needed, passed } = facts.requirements;
  const path = facts.place(facts.env.path);
  return [...needed, ...passed].flatMap(name => {
    const entry = lastEntry(name, facts);
    const flaw = entry && flawOf(entry);
    return flaw ? { message: `${path}, line ${entry.line}: ${name} ${flaw.problem}`, hint: flaw.hint } : [];
  });
}

/** Variables of tools and libraries that no code of a project names. */
const FOR_LIBRARIES =
  /^(?:PIPECAT|PYTHON|UV|LOGURU|OTEL|HF|TORCH|NLTK|TOKENIZERS|SSL|REQUESTS|NO|HTTPS?|ALL)_|^(?:ENV|PORT|DEBUG|TZ|LANG)$/i;

/** More typos make another name. */
const MOST_TYPOS = 2;

function unreadIn(facts: Facts): Detail[] {
  const { known } = facts.requirements;
  const missing = [...missingNames(facts), ...facts.requirements.passed].map(name => similarTo(name, facts));
  const families = new Set([...known].map(familyOf));
  return envEntries(facts).flatMap(({ name, line, value }) => {
    if (!value || known.has(name) || missing.includes(name) || FOR_LIBRARIES.test(name)) return [];
    const unset = [...known].filter(one => !isSet(one, facts));
    const meant = nearest(name, unset, MOST_TYPOS);
    // Libraries read more variables than the code names, such as another one of the same provider.
    if (meant === undefined && families.has(familyOf(name))) return [];
    const where = `${facts.place(facts.env.path)}, line ${line}`;
    const shown = isKnownName(name, facts) ? name : 'a variable';
    const hint = meant === undefined ? 'Remove it, unless a library reads it.' : `Did you mean ${meant}?`;
    return { message: `${where}: nothing in server/ reads ${shown}`, hint };
  });
}

/** Whether a variable is set in the env file already. */
const isSet = (name: string, facts: Facts): boolean =>
  envEntries(facts).some(entry => entry.name === name && entry.value);

const familyOf = (name: string): string => name.split('_', 1)[0] ?? '';

/** The lines that can't be parsed. The name isn't shown unless the code has it: the middle of a value may look like one. */
const brokenIn = (facts: Facts, isWanted: (name: string) => boolean): Detail[] =>
  facts.env.file.broken
    .filter(({ name = '' }) => isWanted(name))
    .map(({ line, name = '' }) => ({
      message: `${facts.place(facts.env.path)}, line ${line}: the bot can't read it${
        facts.requirements.known.has(name) ? `, so ${name} isn't set` : ''
      }`,
      hint: 'Write NAME=value, and close any quotes.',
    }));
