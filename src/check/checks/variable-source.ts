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

/** Where to get a value, according to the catalog: the rows of the configuration first, since providers share names. */
export function sourceOf(name: string, config: ScaffoldConfig): VariableSource {
  const rows = Object.values(services)
    .flat()
    .map(({ id, label, keys, args = [], settings = [], ambient = [] }) => ({
      isChosen: Object.values(config).includes(id),
      label,
      keys,
      variable: variablesIn([...args, ...settings, ...ambient]).find(({ env }) => env === name),
    }))
    .filter(({ variable }) => variable)
    .sort((one, other) => Number(other.isChosen) - Number(one.isChosen));
  const page = isSecret(name) ? rows.find(({ keys }) => keys)?.keys : undefined;
  const inGroups = variableGroups(config).flatMap(({ title, variables }) =>
    variables.filter(one => one.name === name).map(({ description, issuer }) => ({ title, description, issuer })),
  );
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
