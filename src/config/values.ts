import Joi from 'joi';
import { exampleTransport } from '../catalog/index.ts';
import { excerpt, printable } from '../printable.ts';
import { type ConfigKey, type ConfigValues, findOption, type ScaffoldOption, scaffoldOptions } from './options.ts';
import { type ConfigProblem, flagOf, type Given } from './sources.ts';
import { likelyId, meantBy, showValue } from './suggestions.ts';

const MOST_NAME_CHARACTERS = 100;
/** A longer list of allowed values is not shown. */
const MOST_VALUES_SHOWN = 12;
/** With a suggestion, a longer list of allowed values is not shown. */
const MOST_VALUES_WITH_SUGGESTION = 4;

const projectName = Joi.string().custom((given: string, { error }) => {
  const name = given.trim();
  if (name === '') return error('string.empty');
  if (/^[\p{Default_Ignorable_Code_Point}\s]+$/u.test(name)) return error('name.invisible');
  if (printable(given) !== given || /[\p{Zl}\p{Zp}\n]/u.test(given)) return error('name.unprintable');
  if ([...name].length > MOST_NAME_CHARACTERS) return error('name.long');
  return name;
});

/** A text in its usual spelling. */
const spelled = (canonical: (value: string) => string | undefined) =>
  Joi.string().custom((given: string, { error }) => canonical(given) ?? error('any.only'));

function schemaOf({ key, kind, values, default: preset, canonical }: ScaffoldOption): Joi.Schema {
  if (key === 'project_name') return projectName;
  if (canonical) return spelled(canonical);
  if (kind === 'boolean') return Joi.boolean().default(preset);
  const text = Joi.string().valid(...(values ?? []));
  return kind === 'list' ? Joi.array().items(text).min(1) : text;
}

/** The one place of types, allowed values and defaults. */
const schema = Joi.object(Object.fromEntries(scaffoldOptions.map(option => [option.key, schemaOf(option)])));

/** Validates each value on its own. Returns the valid values, with defaults applied. */
export function validateValues(given: Given): {
  values: ConfigValues;
  problems: ConfigProblem[];
  invalid: Set<ConfigKey>;
} {
  const raw = Object.fromEntries([...given].map(([key, { value }]) => [key, value]));
  const { value, error } = schema.validate(raw, { abortEarly: false, convert: false });
  const values: ConfigValues = { ...value };
  const invalid = new Set<ConfigKey>();
  const problems = new Map<string, ConfigProblem>();
  for (const detail of error?.details ?? []) {
    const key = detail.path[0] as ConfigKey;
    invalid.add(key);
    // A value that breaks two rules, or appears in a list twice, is one problem.
    const about = `${key} ${JSON.stringify(detail.context?.value)}`;
    const { name = key } = given.get(key) ?? {};
    if (!problems.has(about)) problems.set(about, { name, message: explain(detail, key, name === flagOf(key)) });
  }
  for (const key of invalid) delete values[key];
  return { values, problems: [...problems.values()], invalid };
}

/** Why a value is invalid on its own; undefined when it is valid. */
export function problemOf(key: ConfigKey, value: unknown): string | undefined {
  const { problems } = validateValues(new Map([[key, { value, name: key }]]));
  return problems[0] && `It ${problems[0].message}`;
}

function explain({ type, context }: Joi.ValidationErrorItem, key: ConfigKey, isTyped: boolean): string {
  const shown = excerpt(printable(JSON.stringify(context?.value) ?? String(context?.value)));
  switch (type) {
    case 'string.empty':
      return 'is empty';
    case 'name.invisible':
      return 'has no visible characters';
    case 'name.unprintable':
      return `${shown} contains a line break, a control character or an invisible direction mark`;
    case 'name.long':
      return `is ${[...String(context?.value)].length} characters long; the maximum is ${MOST_NAME_CHARACTERS}`;
    case 'string.base':
      return `must be a string, not ${shown}`;
    case 'boolean.base':
      return `must be true or false, not ${shown}`;
    case 'array.base':
      return `must be a list, such as ["${exampleTransport('web')}"], not ${shown}`;
    case 'array.min':
      return 'is an empty list';
    default:
      return `can't be ${shown}. ${allowed(context?.value, key, isTyped)}`;
  }
}

/** What to write instead of a value that isn't allowed. */
function allowed(value: unknown, key: ConfigKey, isTyped: boolean): string {
  const option = findOption(key);
  const { values = [], kind, short, isNeutral, example } = option;
  const text = String(value);
  const parts = text
    .split(',')
    .map(part => excerpt(printable(part.trim())))
    .filter(Boolean);
  if (kind === 'list' && parts.length > 1 && parts.length <= MOST_VALUES_SHOWN) {
    const ids = parts.map(part => likelyId(part, option));
    return isTyped
      ? `Pass each id separately: ${ids.map(id => `-${short} ${id}`).join(' ')}`
      : `List each id separately: ${JSON.stringify(ids)}`;
  }
  const meant = meantBy(text, option);
  if (meant && values.length > MOST_VALUES_WITH_SUGGESTION) return `Did you mean ${meant}?`;
  if (example) return `Use ${example}`;
  if (values.length > MOST_VALUES_SHOWN) return 'List the allowed values: botcli init --list-options';
  const shown = values.map(id => (isNeutral ? showValue(option, id) : id));
  return `${meant ? `Did you mean ${meant}? ` : ''}Allowed: ${shown.join(', ')}`;
}
