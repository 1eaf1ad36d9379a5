import { allServices, isSecret, variablesOf } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { SERVER_HEADING, variableGroups } from '../../project/variables.ts';
import { remembered } from '../../std.ts';
import { nearest } from '../../text.ts';
import { type Facts, valueFor } from './facts.ts';
import type { Detail } from './finding.ts';

/** The variables that the project needs, and that are set nowhere. */
export const missingNames = ({
  requirements,
  env,
}: Pick<Facts, 'requirements'> & { env: Parameters<typeof valueFor>[1] }): string[] =>
  requirements.needed.filter(name => valueFor(name, env) === undefined);

/**
 * The names in the env file that were probably meant to be others, by these: nothing reads them, and no other name of the
 * code is closer.
 */
export function misspelledIn({ env, requirements: { known } }: Facts): ReadonlyMap<string, string> {
  const candidates = [...known];
  const unread = [...env.file.entries.values()].filter(({ name, value }) => value && !known.has(name));
  const meant = unread.slice(0, MOST_UNREAD).flatMap(({ name }) => {
    const other = nearest(name, candidates);
    return other === undefined ? [] : [[other, name] as const];
  });
  // The first one counts.
  return new Map(meant.reverse());
}

/** With more names that nothing reads, the file isn't an env file. Each is compared with all names of the code. */
export const MOST_UNREAD = 500;

type Source = Pick<Detail, 'hint' | 'fix'>;

/** Where to get values, according to the catalog: the rows of the configuration first, since providers share names. */
export const sourcesOf = remembered((config: ScaffoldConfig): ((name: string) => Source) => {
  const chosen = new Set<unknown>(Object.values(config));
  const ofServices = allServices
    .toSorted((one, other) => Number(chosen.has(other.id)) - Number(chosen.has(one.id)))
    .flatMap(row =>
      variablesOf(row).map(({ env, description }) => ({ keys: row.keys, name: env, title: row.label, description })),
    );
  const ofBot = variableGroups(config).flatMap(({ title, variables }) => variables.map(one => ({ ...one, title })));
  return name => {
    const same = ofServices.filter(one => one.name === name);
    const own = ofBot.find(one => one.name === name);
    const page = isSecret(name) ? same.find(({ keys }) => keys)?.keys : undefined;
    const issuer = page ?? own?.issuer;
    return issuer ? { hint: `Get one at ${issuer}`, fix: { url: issuer } } : describe(own ?? same[0]);
  };
});

const URL_IN_TEXT = /https:\/\/[a-z][^\s,)]+/;

function describe(variable?: { title: string; description: string }): Source {
  if (!variable) return { hint: 'Add it there, or set it in the shell.' };
  const { title, description } = variable;
  const url = URL_IN_TEXT.exec(description)?.[0];
  const isClear = url !== undefined || title.startsWith(SERVER_HEADING) || description.startsWith(title);
  return { hint: isClear ? description : `${title}: ${description}`, ...(url && { fix: { url } }) };
}
