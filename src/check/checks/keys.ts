import { allServices, isSecret, type ServiceRow, variablesOf } from '../../catalog/index.ts';
import { keyTrials } from '../../catalog/key-trials.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { NO_ENV_FILE } from '../../paths/read.ts';
import { featuresOf } from '../../project/features.ts';
import { chosenServices, variableGroups } from '../../project/variables.ts';
import { shellPath } from '../../shells.ts';
import { unique } from '../../std.ts';
import { listed, nearest, onOneLine } from '../../text.ts';
import { type Facts, valueFor } from './facts.ts';
import { type Checks, type Detail, type GroupResult, runChecks, warning } from './finding.ts';
import { flawOf, isAddress } from './value-flaws.ts';

/** Whether the bot gets the variables that its code reads. */
export const checkKeys = (facts: Facts): GroupResult => {
  return { group: 'keys', findings: runChecks('keys', keyChecks, facts), passed: passedKeys(facts) };
};

/** Nothing can be said about code that wasn't read. */
function passedKeys({ requirements, refused, unread, place }: Facts): string {
  const { needed, untraced, started, unparsed } = requirements;
  if (unread.size > 0 || unparsed.length > 0 || [...refused.keys()].some(path => started.has(path))) return '';
  const [only, ...more] = needed;
  if (untraced.length > 0) {
    const set = more.length === 0 ? (only ?? 'nothing else') : `${needed.length} variables`;
    const verb = [more.length === 0 ? 'is' : 'are', untraced.length === 1 ? 'reads' : 'read'];
    const files = untraced.map(place).join(', ');
    return `${set} ${verb[0]} ${only ? 'set' : 'needed'}; ${files} ${verb[1]} others in a way that botcli can't follow`;
  }
  if (only === undefined) return 'the bot needs none';
  return more.length === 0 ? `${only} is set` : `all ${needed.length} variables that the bot needs are set`;
}

const keyChecks: Checks<Facts> = {
  'env-file-missing'(facts) {
    const { env, missing, place } = facts;
    const names = missingNames(facts);
    if (env.problem !== 'absent' || names.length === 0 || env.sources.length > 0) return undefined;
    const path = place(env.path);
    const message = `${path} doesn't exist, and the bot needs ${listed(names)}`;
    if (missing.includes(EXAMPLE)) return { message, hint: 'Create it, with a line NAME=value for each.' };
    const hint = `Copy the example, and fill in the values in ${onOneLine(path)}.`;
    return { message, hint, fix: { command: `cp ${shellPath(place(EXAMPLE))} ${shellPath(path)}` } };
  },
  'env-file-unreadable': ({ env: { path, problem = 'absent' }, place }) =>
    !['absent', ...NOT_READ].includes(problem) && {
      message: `${place(path)} ${problem}`,
      hint: 'Save it as a UTF-8 text file that you can read.',
    },
  'env-file-not-checked': warning(
    ({ env: { path, problem }, place }) =>
      NOT_READ.includes(problem ?? '') && {
        message: `${place(path)} ${problem}, so botcli didn't read it`,
        hint: CHECK_BY_STARTING,
      },
  ),
  'variable-missing': facts => missingIn(facts).map(describerOf(facts)),
  'variable-missing-for-calls': warning(facts => {
    const names = readable(facts).requirements.forCalls.filter(name => isUnset(name, facts));
    const [first] = names;
    if (first === undefined) return undefined;
    const them = names.length === 1 ? 'it' : 'them';
    const message = `Calls need ${names.length === 2 ? names.join(' and ') : listed(names)}; the browser works without ${them}`;
    return { message, ...sourceOf(first, facts.project.config) };
  }),
  'variable-unset': warning(facts =>
    readable(facts)
      .requirements.conditional.filter(name => isUnset(name, facts))
      .map(describerOf(facts)),
  ),
  'variable-not-followed': warning(facts => {
    const names = missingNames(facts);
    const { path, sources } = facts.env;
    if (names.length === 0 || sources.length === 0) return undefined;
    const verb = names.length === 1 ? "isn't" : "aren't";
    const files = listed(sources.map(facts.place));
    const message = `${listed(names)} ${verb} set in ${facts.place(path)}, but ${files} may set more variables in a way that botcli can't follow`;
    return { message, hint: CHECK_BY_STARTING };
  }),
  'variable-unset-elsewhere': warning(facts => {
    const describe = describerOf(facts);
    return [...readable(facts).requirements.elsewhere]
      .filter(([name]) => isUnset(name, facts))
      .map(([name, path]) => {
        const { message, ...more } = describe(name);
        return { message: `${message}; ${facts.place(path)} needs it`, ...more };
      });
  }),
  'credentials-missing': warning(facts =>
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
  ),
  'variable-value': flawsIn,
  'env-file-tracked': warning(({ env, place }) =>
    env.tracked.map(path => ({
      message: `git tracks ${place(path)}, so anyone with the repository can read its values`,
      hint: 'If you have pushed it, create new keys as well.',
      fix: { command: `git rm --cached ${shellPath(place(path))}` },
    })),
  ),
  'secret-in-git': warning(
    ({ git, place }) =>
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
  ),
  'git-refused': warning(
    ({ git }) =>
      git &&
      'refused' in git && {
        message: `git refuses to read ${git.refused}, which is another user's, so botcli didn't check what git tracks`,
        hint: 'If you trust the repository, tell git.',
        fix: { command: `git config --global --add safe.directory ${shellPath(git.refused)}` },
      },
  ),
  // Whether each line of the env file does what its author meant.
  'env-line'(facts) {
    const { broken, entries, marked } = facts.env.file;
    const { needed, known } = facts.requirements;
    const unread = broken.map(({ line, name = '' }): Detail => {
      // The name isn't shown unless the code has it: the middle of a value may look like one.
      const result = known.has(name) ? `, so ${name} isn't set` : '';
      const message = `${placeOf(line, facts)}: the bot can't read it${result}`;
      const level = needed.includes(name) ? 'error' : 'warning';
      return { level, message, hint: 'Write NAME=value, and close any quotes.' };
    });
    const bare = [...entries.values()].flatMap(({ value, line }): Detail[] => {
      const message = `${placeOf(line, facts)} has no =, so the bot reads no value from it`;
      return value === undefined ? [{ level: 'warning', message, hint: 'Write NAME=value on one line.' }] : [];
    });
    const message = `${facts.place(facts.env.path)} begins with a byte order mark: python-dotenv before 1.2.3 reads no ${marked}`;
    const hint = 'Save the file as UTF-8 without a byte order mark.';
    return [
      ...unread.filter(({ level }) => level === 'error').slice(0, MOST_LINES),
      ...unread.filter(({ level }) => level === 'warning').slice(0, MOST_LINES),
      ...bare.slice(0, MOST_LINES),
      ...(marked !== undefined && known.has(marked) ? [{ level: 'warning' as const, message, hint }] : []),
    ];
  },
  'variable-repeated': warning(facts =>
    [...facts.env.file.entries.values()]
      .filter(({ lineBefore }) => lineBefore !== undefined)
      .slice(0, MOST_UNREAD)
      .filter(({ name }) => isKnownName(name, facts))
      .slice(0, MOST_LINES)
      .map(({ name, line, lineBefore }) => ({
        message: `${placeOf(line, facts)}: ${name} is set on line ${lineBefore}, too`,
        hint: 'The last one counts. Remove the other.',
      })),
  ),
  'variable-unread': warning(facts => unreadIn(facts).slice(0, MOST_LINES)),
};

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
    return { message: `${name} isn't set in ${path}`, ...sourceOf(name, facts.project.config) };
  };
}

/** The values that nothing can use as they are; and, as warnings, those that only a server of one's own can. */
function flawsIn(facts: Facts): Detail[] {
  const { needed, conditional } = facts.requirements;
  const { config } = facts.project;
  const keys = [...needed, ...conditional];
  const port = featuresOf(config).hasCallServer ? ['PORT'] : [];
  const known = variableGroups(config).flatMap(({ variables }) => variables.map(({ name }) => name));
  const read = keys.flatMap(name => addressesFor(name, config));
  return unique([...keys, ...port, ...read, ...known.filter(isAddress)]).flatMap(name => {
    const entry = facts.env.file.entries.get(name);
    const isEmpty = entry?.value === '' && !facts.env.shell[name] && OF_LIBRARIES.has(name) && read.includes(name);
    const flaw = entry && (isEmpty ? EMPTY_ADDRESS : flawOf(entry));
    if (!flaw) return [];
    const { problem, hint, unless } = flaw;
    const address = (unless === 'server' || unless === 'elsewhere') && isSecret(name) && ownAddressFor(name, facts);
    if (address && unless === 'elsewhere') return [];
    const mayChange = unless === 'replaced' && !pythonOf(facts).some(text => /\boverride\s*=\s*True\b/.test(text));
    const level = address || mayChange ? 'warning' : 'error';
    const message = `${facts.place(facts.env.path)}, line ${entry.line}: ${name} ${problem}`;
    if (address) return { level, message, hint: `If the server at ${address} checks keys, replace it.` };
    return { level, message, hint: mayChange ? 'It works only if what starts the bot replaces it.' : hint };
  });
}

/** The addresses that the libraries of providers read themselves. */
const OF_LIBRARIES = new Set(keyTrials.map(({ address }) => address));

const EMPTY_ADDRESS: ReturnType<typeof flawOf> = {
  problem: "is empty, and the provider's library takes that for the address",
  hint: 'Remove the line, or set the address.',
};

const pythonOf = ({ texts }: Facts): string[] =>
  [...texts].flatMap(([path, text]) => (path.endsWith('.py') ? text : []));

/** The variables that send a key to another server than its provider's. */
function addressesFor(key: string, config: Facts['project']['config']): string[] {
  const rows = chosenServices(config).filter(({ row }) => variablesOf(row).some(one => one.env === key));
  const addressesIn = (row: ServiceRow) => variablesOf(row).filter(one => !one.required && isAddress(one.env));
  // Speech-to-speech needs a server that few have, so only a variable of its own counts.
  if (rows.some(({ kind, row }) => kind === 'realtime' && addressesIn(row).length === 0)) return [];
  const trial = keyTrials.find(one => one.env === key);
  return [
    ...rows.flatMap(({ row }) => addressesIn(row).map(one => one.env)),
    ...(trial?.address ? [trial.address] : []),
  ];
}

/** What sends a key to another server than its provider's: a variable, or an argument; undefined if nothing does. */
function ownAddressFor(key: string, facts: Facts): string | undefined {
  const trial = keyTrials.find(one => one.env === key);
  const isElsewhere = (address = '') =>
    URL.canParse(address) && new URL(address).host !== (trial && new URL(trial.url).host);
  const name = addressesFor(key, facts.project.config).find(one => isElsewhere(valueFor(one, facts.env)));
  // Of which service an address in the code is isn't known.
  return name ?? (pythonOf(facts).some(text => /\bbase_url\s*=\s*f?["']/.test(text)) ? 'base_url' : undefined);
}

/** The variables that the project needs, and that are set nowhere. */
export const missingNames = ({
  requirements,
  env,
}: Pick<Facts, 'requirements'> & { env: Parameters<typeof valueFor>[1] }): string[] =>
  requirements.needed.filter(name => valueFor(name, env) === undefined);

/**
 * The names in the env file that were probably meant to be others, by these: nothing reads them, and no other name of
 * the code is closer.
 */
function misspelledIn({ env, requirements: { known } }: Facts): ReadonlyMap<string, string> {
  const candidates = [...known];
  const unread = [...env.file.entries.values()].filter(({ name, value }) => value && !known.has(name));
  const meant = unread.slice(0, MOST_UNREAD).flatMap(({ name }) => {
    const other = nearest(name, candidates);
    return other === undefined ? [] : [[other, name] as const];
  });
  // The first one counts.
  return new Map(meant.reverse());
}

/** How many lines of a kind to name. With more, the file isn't an env file. */
const MOST_LINES = 20;

/** With more names that nothing reads, the file isn't an env file. Each is compared with all names of the code. */
const MOST_UNREAD = 500;

type Source = Pick<Detail, 'hint' | 'fix'>;

/** Where to get a value, according to the catalog: the rows of the configuration first, since providers share names. */
export function sourceOf(name: string, config: ScaffoldConfig): Source {
  const chosen = new Set<unknown>(Object.values(config));
  const same = allServices
    .filter(row => variablesOf(row).some(({ env }) => env === name))
    .sort((one, other) => Number(chosen.has(other.id)) - Number(chosen.has(one.id)));
  const ofBot = variableGroups(config).flatMap(({ title, variables }) => variables.map(one => ({ ...one, title })));
  const own = ofBot.find(one => one.name === name);
  const issuer = (isSecret(name) && same.find(({ keys }) => keys)?.keys) || own?.issuer;
  if (issuer) return { hint: `Get one at ${issuer}`, fix: { url: issuer } };
  const ofServices = same.flatMap(row => variablesOf(row).map(one => ({ ...one, title: row.label })));
  return describe(own ?? ofServices.find(({ env }) => env === name));
}

const URL_IN_TEXT = /https:\/\/[a-z][^\s,)]+/;

function describe(variable?: { title: string; description: string }): Source {
  if (!variable) return { hint: 'Add it there, or set it in the shell.' };
  const { title, description } = variable;
  const url = URL_IN_TEXT.exec(description)?.[0];
  const isClear = url !== undefined || title.startsWith('server.py') || description.startsWith(title);
  return { hint: isClear ? description : `${title}: ${description}`, ...(url && { fix: { url } }) };
}

/**
 * Whether a name in the env file can be shown. The middle of a value that spans lines, such as a private key, may look
 * like a name: it has no words that underscores separate, and isn't close to a name in the code.
 */
const isKnownName = (name: string, { requirements: { known } }: Facts): boolean =>
  known.has(name) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) || nearest(name, [...known]) !== undefined;

const placeOf = (line: number, { env, place }: Facts): string => `${place(env.path)}, line ${line}`;

/** Variables of tools and libraries that no code of a project names. */
const FOR_LIBRARIES =
  /^(?:PIPECAT|PYTHON|UV|LOGURU|OTEL|HF|TORCH|NLTK|TOKENIZERS|SSL|REQUESTS|NO|HTTPS?|ALL)_|^(?:ENV|PORT|DEBUG|TZ|LANG)$/i;

/** More typos make another name, and so do any in a short one. */
const typosIn = (name: string): number => (name.length < 4 ? 0 : 2);

function unreadIn(facts: Facts): Detail[] {
  const { known, attributes, conditional } = facts.requirements;
  const prefixes = [...known].filter(name => name.endsWith('_'));
  const { entries, references } = facts.env.file;
  const misspelled = misspelledIn(facts);
  const renamed = new Set([...missingNames(facts), ...conditional].map(name => misspelled.get(name)));
  const families = new Set([...known].map(familyOf));
  const unset = [...known].filter(name => !entries.get(name)?.value);
  const isRead = (name: string) =>
    known.has(name) ||
    references.has(name) ||
    attributes.has(name.toLowerCase()) ||
    prefixes.some(one => name.toUpperCase().startsWith(one)) ||
    renamed.has(name) ||
    FOR_LIBRARIES.test(name);
  const unread = [...entries.values()].filter(({ name, value }) => value && !isRead(name));
  return unread.slice(0, MOST_UNREAD).flatMap(({ name, line }) => {
    const meant = nearest(name, unset, typosIn(name));
    // Libraries read more variables than the code names, such as another one of the same provider.
    if (meant === undefined && families.has(familyOf(name))) return [];
    const shown = isKnownName(name, facts) ? name : 'this variable';
    const hint = meant === undefined ? 'Remove it, unless a library reads it.' : `Did you mean ${meant}?`;
    return { message: `${placeOf(line, facts)}: nothing in server/ reads ${shown}`, hint };
  });
}

const familyOf = (name: string): string => name.split('_', 1)[0] ?? '';
