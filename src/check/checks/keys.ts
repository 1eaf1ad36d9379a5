import { isSecret, type ServiceRow, variablesOf } from '../../catalog/index.ts';
import { keyChecks as providerChecks } from '../../catalog/key-checks.ts';
import { NO_ENV_FILE } from '../../paths/read.ts';
import { featuresOf } from '../../project/features.ts';
import { chosenServices, variableGroups } from '../../project/variables.ts';
import { shellPath } from '../../shells.ts';
import { unique } from '../../std.ts';
import { listed, onOneLine } from '../../text.ts';
import { type Facts, valueFor } from './facts.ts';
import type { Check, Detail } from './finding.ts';
import { flawOf, isAddress } from './value-flaws.ts';
import { missingNames, misspelledIn, sourcesOf } from './variables.ts';

/** Whether the bot gets the variables that its code reads. */
export const keyChecks: readonly Check<Facts>[] = [
  {
    code: 'env-file-missing',
    level: 'error',
    find(facts) {
      const { env, missing, place } = facts;
      const names = missingNames(facts);
      if (env.problem !== 'absent' || names.length === 0 || env.sources.length > 0) return undefined;
      const path = place(env.path);
      const message = `${path} doesn't exist, and the bot needs ${listed(names)}`;
      if (missing.includes(EXAMPLE)) return { message, hint: 'Create it, with a line NAME=value for each.' };
      const hint = `Copy the example, and fill in the values in ${onOneLine(path)}.`;
      return { message, hint, fix: { command: `cp ${shellPath(place(EXAMPLE))} ${shellPath(path)}` } };
    },
  },
  {
    code: 'env-file-unreadable',
    level: 'error',
    find: ({ env: { path, problem = 'absent' }, place }) =>
      !['absent', ...NOT_READ].includes(problem) && {
        message: `${place(path)} ${problem}`,
        hint: 'Save it as a UTF-8 text file that you can read.',
      },
  },
  {
    code: 'env-file-not-checked',
    level: 'warning',
    find: ({ env: { path, problem }, place }) =>
      NOT_READ.includes(problem ?? '') && {
        message: `${place(path)} ${problem}, so botcli didn't read it`,
        hint: CHECK_BY_STARTING,
      },
  },
  {
    code: 'variable-missing',
    level: 'error',
    find: facts => missingIn(facts).map(describerOf(facts)),
  },
  {
    code: 'variable-missing-for-calls',
    level: 'warning',
    find(facts) {
      const names = readable(facts).requirements.forCalls.filter(name => isUnset(name, facts));
      const [first] = names;
      if (first === undefined) return undefined;
      const them = names.length === 1 ? 'it' : 'them';
      const message = `Calls need ${names.length === 2 ? names.join(' and ') : listed(names)}; the browser works without ${them}`;
      return { message, ...sourcesOf(facts.project.config)(first) };
    },
  },
  {
    code: 'variable-unset',
    level: 'warning',
    find: facts =>
      readable(facts)
        .requirements.conditional.filter(name => isUnset(name, facts))
        .map(describerOf(facts)),
  },
  {
    code: 'variable-not-followed',
    level: 'warning',
    find(facts) {
      const names = missingNames(facts);
      const { path, sources } = facts.env;
      if (names.length === 0 || sources.length === 0) return undefined;
      const verb = names.length === 1 ? "isn't" : "aren't";
      const files = listed(sources.map(facts.place));
      const message = `${listed(names)} ${verb} set in ${facts.place(path)}, but ${files} may set more variables in a way that botcli can't follow`;
      return { message, hint: CHECK_BY_STARTING };
    },
  },
  {
    code: 'variable-unset-elsewhere',
    level: 'warning',
    find(facts) {
      const describe = describerOf(facts);
      return [...readable(facts).requirements.elsewhere]
        .filter(([name]) => isUnset(name, facts))
        .map(([name, path]) => {
          const { message, ...more } = describe(name);
          return { message: `${message}; ${facts.place(path)} needs it`, ...more };
        });
    },
  },
  {
    code: 'credentials-missing',
    level: 'warning',
    find: facts =>
      [...facts.requirements.credentials]
        .filter(([kind]) => !facts.machine.credentials.includes(kind))
        .filter(([{ variables }]) => variables.every(name => isUnset(name, facts)))
        .map(([{ of, hint }, rows]) => {
          const names = rows.map(({ label }) => label).join(' and ');
          const verb = rows.length === 1 ? 'needs' : 'need';
          const path = facts.place(facts.env.path);
          return {
            message: `${names} ${verb} credentials of ${of}, and neither ${path} nor this machine has any`,
            hint,
          };
        }),
  },
  { code: 'variable-value', find: flawsIn },
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
  {
    code: 'secret-in-git',
    level: 'warning',
    find: ({ git, place }) =>
      git &&
      'revealing' in git &&
      git.revealing.map(({ path, where, what, isTracked, isUploaded }) => {
        const message = `${isTracked ? 'git tracks' : "git doesn't ignore"} ${place(path)}: ${where} ${what}`;
        const hint = isUploaded ? 'Move it to .env, and read the variable.' : 'Add the file to .gitignore.';
        if (!isTracked) return { message, hint };
        const again = `${hint} If you have pushed it, create a new key as well.`;
        return isUploaded
          ? { message, hint: again }
          : { message, hint: again, fix: { command: `git rm --cached ${shellPath(place(path))}` } };
      }),
  },
  {
    code: 'git-refused',
    level: 'warning',
    find: ({ git }) =>
      git &&
      'refused' in git && {
        message: `git refuses to read ${git.refused}, which is another user's, so botcli didn't check what git tracks`,
        hint: 'If you trust the repository, tell git.',
        fix: { command: `git config --global --add safe.directory ${shellPath(git.refused)}` },
      },
  },
];

const EXAMPLE = 'server/.env.example';
const NOT_READ = ['is not a file', NO_ENV_FILE];
const CHECK_BY_STARTING = 'The bot names what is missing when it starts.';

/** The facts, without requirements if values aren't known: the env file can't be read, or isn't all there is. */
const readable = (facts: Facts): Facts =>
  (facts.env.problem === undefined || facts.env.problem === 'absent') && facts.env.sources.length === 0
    ? facts
    : {
        ...facts,
        requirements: { ...facts.requirements, forCalls: [], conditional: [], elsewhere: new Map() },
      };

const isUnset = (name: string, facts: Facts): boolean => valueFor(name, facts.env) === undefined;

/** The missing variables that need a finding of their own: no other finding explains why they are missing. */
function missingIn(facts: Facts): string[] {
  if (facts.env.problem !== undefined || facts.env.sources.length > 0) return [];
  const broken = facts.env.file.broken.map(({ name }) => name);
  return missingNames(facts).filter(name => !broken.includes(name) && !facts.env.file.entries.get(name)?.isOpen);
}

/** Returns what to say about a missing variable. */
function describerOf(facts: Facts): (name: string) => Detail {
  const path = facts.place(facts.env.path);
  const misspelled = misspelledIn(facts);
  return name => {
    const similar = misspelled.get(name);
    if (similar?.startsWith('\uFEFF')) {
      const message = `${name} isn't set in ${path}: a byte order mark before it is part of its name`;
      return { message, hint: 'Delete the name and what is before it, and type it again.' };
    }
    if (similar !== undefined) {
      return { message: `${name} isn't set in ${path}, but ${similar} is`, hint: `Rename it to ${name}.` };
    }
    return { message: `${name} isn't set in ${path}`, ...sourcesOf(facts.project.config)(name) };
  };
}

/** The values that nothing can use as they are; and, as warnings, those that only a server of one's own can. */
function flawsIn(facts: Facts, level: 'error' | 'warning'): Detail[] {
  const { needed, conditional } = facts.requirements;
  const { config } = facts.project;
  const keys = [...needed, ...conditional];
  const port = featuresOf(config).hasCallServer ? ['PORT'] : [];
  const read = keys.flatMap(name => addressesFor(name, config));
  const known = variableGroups(config).flatMap(({ variables }) => variables.map(({ name }) => name));
  const path = facts.place(facts.env.path);
  return unique([...keys, ...port, ...read, ...known.filter(isAddress)]).flatMap(name => {
    const entry = facts.env.file.entries.get(name);
    const isEmpty = entry?.value === '' && !facts.env.shell[name] && isOfLibrary(name) && read.includes(name);
    const flaw = entry && (isEmpty ? EMPTY_ADDRESS : flawOf(entry));
    if (!flaw) return [];
    const address = (flaw.mayServe || flaw.isElsewhere) && isSecret(name) && ownAddressFor(name, facts);
    if (address && flaw.isElsewhere) return [];
    const mayChange = flaw.isReference && !overridesShell(facts);
    if (level !== (address || mayChange ? 'warning' : 'error')) return [];
    const message = `${path}, line ${entry.line}: ${name} ${flaw.problem}`;
    if (address) return { message, hint: `If the server at ${address} checks keys, replace it.` };
    return { message, hint: mayChange ? 'It works only if what starts the bot replaces it.' : flaw.hint };
  });
}

const EMPTY_ADDRESS: ReturnType<typeof flawOf> = {
  problem: "is empty, and the provider's library takes that for the address",
  hint: 'Remove the line, or set the address.',
};

/** Whether a library takes a variable for an address even if it is empty. */
const isOfLibrary = (name: string): boolean => providerChecks.some(({ address }) => address === name);

/** Whether some code lets the env file win over the shell, as a new project does. */
const overridesShell = ({ texts }: Facts): boolean =>
  [...texts].some(([path, text]) => path.endsWith('.py') && /\boverride\s*=\s*True\b/.test(text));

/** The variables that send a key to another server than its provider's. */
function addressesFor(key: string, config: Facts['project']['config']): string[] {
  const rows = chosenServices(config).filter(({ row }) => variablesOf(row).some(one => one.env === key));
  const addressesIn = (row: ServiceRow) => variablesOf(row).filter(one => !one.required && isAddress(one.env));
  // Speech-to-speech needs a server that few have, so only a variable of its own counts.
  if (rows.some(({ kind, row }) => kind === 'realtime' && addressesIn(row).length === 0)) return [];
  const trial = providerChecks.find(one => one.env === key);
  return [
    ...rows.flatMap(({ row }) => addressesIn(row).map(one => one.env)),
    ...(trial?.address ? [trial.address] : []),
  ];
}

/** What sends a key to another server than its provider's: a variable, or an argument; undefined if nothing does. */
function ownAddressFor(key: string, { project: { config }, env, texts }: Facts): string | undefined {
  const trial = providerChecks.find(one => one.env === key);
  const isElsewhere = (address = '') =>
    URL.canParse(address) && new URL(address).host !== (trial && new URL(trial.url).host);
  // Of which service this is the address isn't known.
  const isInCode = () =>
    [...texts].some(([path, text]) => path.endsWith('.py') && /\bbase_url\s*=\s*f?["']/.test(text));
  const name = addressesFor(key, config).find(one => isElsewhere(valueFor(one, env)));
  return name ?? (isInCode() ? 'base_url' : undefined);
}
