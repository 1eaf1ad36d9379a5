import { isSecret, services, variablesIn } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { SERVER_HEADING } from '../../project/variables/consumers.ts';
import { variableGroups } from '../../project/variables/variables.ts';

/** Where to get the value of a variable. */
interface VariableSource {
  hint: string;
  url?: string;
}

const URL_IN_TEXT = /https:\/\/[a-z][^\s,)]+/;

/** Where to get values, according to the catalog: the rows of the configuration first, since providers share names. */
export function sourcesOf(config: ScaffoldConfig): (name: string) => VariableSource {
  const chosen = new Set<unknown>(Object.values(config));
  const rows = Object.values(services)
    .flat()
    .sort((one, other) => Number(chosen.has(other.id)) - Number(chosen.has(one.id)))
    .flatMap(({ label, keys, args = [], settings = [], ambient = [] }) =>
      variablesIn([...args, ...settings, ...ambient]).map(variable => ({ label, keys, variable })),
    );
  const grouped = variableGroups(config).flatMap(({ title, variables }) =>
    variables.map(({ name, description, issuer }) => ({ name, title, description, issuer })),
  );
  return name =>
    sourceAmong(
      name,
      rows.filter(({ variable }) => variable.env === name),
      grouped.filter(one => one.name === name),
    );
}

/** Where to get a value, according to the services and the groups that have it. */
function sourceAmong(
  name: string,
  rows: readonly { label: string; keys?: string; variable: { description: string } }[],
  inGroups: readonly { title: string; description: string; issuer?: string }[],
): VariableSource {
  const page = isSecret(name) ? rows.find(({ keys }) => keys)?.keys : undefined;
  const issuer = page ?? inGroups[0]?.issuer;
  if (issuer) return { hint: `Get one at ${issuer}`, url: issuer };
  const [row] = rows;
  const [known = row?.variable && { title: row.label, description: row.variable.description }] = inGroups;
  if (!known) return { hint: 'Add it there, or set it in the shell.' };
  const { title, description } = known;
  const url = URL_IN_TEXT.exec(description)?.[0];
  const isClear = url !== undefined || title.startsWith(SERVER_HEADING) || description.startsWith(title);
  return { hint: isClear ? description : `${title}: ${description}`, ...(url && { url }) };
}
