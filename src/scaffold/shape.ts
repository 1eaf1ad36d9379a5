import Joi from 'joi';
import { nearest } from '../nearest.ts';
import { printable } from '../printable.ts';
import { type ConfigKey, findOption, type RawConfig, type ScaffoldOption, scaffoldOptions } from './options.ts';
import type { Given, Problem } from './sources.ts';

const MOST_NAME_CHARACTERS = 100;
/** A list of allowed values longer than this is not spelled out. */
const MOST_VALUES_SHOWN = 12;

const projectName = Joi.string().custom((given: string, { error }) => {
  const name = given.trim();
  if (name === '') return error('string.empty');
  if (printable(given) !== given || /[\p{Zl}\p{Zp}\n]/u.test(given)) return error('name.unprintable');
  if ([...name].length > MOST_NAME_CHARACTERS) return error('name.long');
  return name;
});

function schemaOf({ key, kind, values, default: preset }: ScaffoldOption): Joi.Schema {
  if (key === 'project_name') return projectName;
  if (kind === 'boolean') return Joi.boolean().default(preset);
  const text = Joi.string().valid(...(values ?? []));
  return kind === 'list' ? Joi.array().items(text).min(1) : text;
}

/** The one place of types, allowed values and defaults. */
const schema = Joi.object(Object.fromEntries(scaffoldOptions.map(option => [option.key, schemaOf(option)])));

/** Validates each value by itself. The values that come back are valid, and the defaults are applied. */
export function validateShape(given: Given): { values: RawConfig; problems: Problem[]; invalid: Set<ConfigKey> } {
  const raw = Object.fromEntries([...given].map(([key, { value }]) => [key, value]));
  const { value, error } = schema.validate(raw, { abortEarly: false, convert: false });
  const values: RawConfig = { ...value };
  const invalid = new Set<ConfigKey>();
  const problems = new Map<string, Problem>();
  for (const detail of error?.details ?? []) {
    const key = detail.path[0] as ConfigKey;
    invalid.add(key);
    // A value that breaks two rules, or stands in a list twice, is one problem.
    const about = `${key} ${JSON.stringify(detail.context?.value)}`;
    if (!problems.has(about))
      problems.set(about, { name: given.get(key)?.name ?? key, message: describe(detail, key) });
  }
  for (const key of invalid) delete values[key];
  return { values, problems: [...problems.values()], invalid };
}

/** Why a value won't do by itself; nothing when it will. */
export function problemOf(key: ConfigKey, value: unknown): string | undefined {
  const { problems } = validateShape(new Map([[key, { value, name: key }]]));
  return problems[0] && `It ${problems[0].message}`;
}

function describe({ type, context }: Joi.ValidationErrorItem, key: ConfigKey): string {
  const shown = printable(JSON.stringify(context?.value) ?? String(context?.value));
  switch (type) {
    case 'string.empty':
      return 'is empty';
    case 'name.unprintable':
      return `${shown} holds a line break, a control character or an invisible direction mark`;
    case 'name.long':
      return `is ${[...String(context?.value)].length} characters long; ${MOST_NAME_CHARACTERS} is the most`;
    case 'string.base':
      return `must be a text, not ${shown}`;
    case 'boolean.base':
      return `must be true or false, not ${shown}`;
    case 'array.base':
      return `must be a list, such as ["rtc_local"], not ${shown}`;
    case 'array.min':
      return 'is an empty list';
    default:
      return `can't be ${shown}. ${allowed(String(context?.value), key)}`;
  }
}

function allowed(value: string, key: ConfigKey): string {
  const { values = [] } = findOption(key);
  const near = nearest(value, values);
  if (values.length <= MOST_VALUES_SHOWN) {
    return `${near ? `Did you mean ${near}? ` : ''}Allowed: ${values.join(', ')}`;
  }
  return near ? `Did you mean ${near}?` : 'All of them: botcli init --list-options';
}
