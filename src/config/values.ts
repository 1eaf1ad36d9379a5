import { exampleTransport } from '../catalog/index.ts';
import { DAMAGED, isDamaged } from '../damaged.ts';
import { excerpt, printable, textOf } from '../printable.ts';
import { unique } from '../unique.ts';
import { type ConfigKey, type ConfigValues, findOption, type ScaffoldOption, scaffoldOptions } from './options.ts';
import { type ConfigProblem, flagOf, type Given } from './sources.ts';
import { likelyId, meantBy, showValue } from './suggestions.ts';

const MOST_NAME_CHARACTERS = 100;
/** A longer list of allowed values is not shown. */
const MOST_VALUES_SHOWN = 12;
/** With a suggestion, a longer list of allowed values is not shown. */
const MOST_VALUES_WITH_SUGGESTION = 4;

/** What a value becomes, or what is wrong with it, in words that follow the name of its option. */
type Verdict = { value: unknown } | { problems: string[] };

const refuse = (...problems: string[]): Verdict => ({ problems });

/** The one place of types and allowed values. */
function verdictOn(value: unknown, option: ScaffoldOption, isTyped: boolean): Verdict {
  const { key, kind, values, canonical } = option;
  const notAllowed = (one: unknown): string => `can't be ${shown(one)}. ${allowed(one, option, isTyped)}`;
  if (kind === 'boolean') {
    return typeof value === 'boolean' ? { value } : refuse(`must be true or false, not ${shown(value)}`);
  }
  if (kind === 'list') return verdictOnList(value, values, notAllowed);
  if (values && !canonical) return values.some(one => one === value) ? { value } : refuse(notAllowed(value));
  if (typeof value !== 'string') return refuse(`must be a string, not ${shown(value)}`);
  if (value === '') return refuse('is empty');
  if (key === 'project_name') return verdictOnName(value);
  const spelled = canonical?.(value);
  return spelled === undefined ? refuse(notAllowed(value)) : { value: spelled };
}

function verdictOnList(
  value: unknown,
  values: readonly unknown[] = [],
  notAllowed: (item: unknown) => string,
): Verdict {
  if (!Array.isArray(value))
    return refuse(`must be a list, such as ["${exampleTransport('web')}"], not ${shown(value)}`);
  if (value.length === 0) return refuse('is an empty list');
  const wrong = value.filter(item => !values.includes(item));
  return wrong.length === 0 ? { value } : refuse(...unique(wrong.map(notAllowed)));
}

function verdictOnName(given: string): Verdict {
  const name = given.trim();
  if (name === '') return refuse('is empty');
  if (/^[\p{Default_Ignorable_Code_Point}\s]+$/u.test(name)) return refuse('has no visible characters');
  if (printable(given) !== given || /[\p{Zl}\p{Zp}\n]/u.test(given)) {
    return refuse(`${shown(given)} contains a line break, a control character or an invisible direction mark`);
  }
  if (isDamaged(name)) return refuse(`${shown(given)} ${DAMAGED}`);
  const { length } = [...name];
  if (length <= MOST_NAME_CHARACTERS) return { value: name };
  return refuse(`is ${length} characters long; the maximum is ${MOST_NAME_CHARACTERS}`);
}

const shown = (value: unknown): string => excerpt(printable(JSON.stringify(value) ?? String(value)));

/** Validates each value on its own. Returns the valid values, with defaults applied. */
export function validateValues(given: Given): {
  values: ConfigValues;
  problems: ConfigProblem[];
  invalid: Set<ConfigKey>;
} {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  const invalid = new Set<ConfigKey>();
  for (const option of scaffoldOptions as readonly ScaffoldOption[]) {
    const { key, default: preset } = option;
    const { value, name = key } = given.get(key) ?? {};
    const verdict = value === undefined ? { value: preset } : verdictOn(value, option, name === flagOf(key));
    if ('problems' in verdict) {
      invalid.add(key);
      for (const message of verdict.problems) problems.push({ name, message });
    } else if (verdict.value !== undefined) values[key] = verdict.value;
  }
  return { values, problems, invalid };
}

/** Why a value is invalid on its own; undefined when it is valid. */
export function problemOf(key: ConfigKey, value: unknown): string | undefined {
  const verdict = verdictOn(value, findOption(key), false);
  return 'problems' in verdict ? `It ${verdict.problems[0]}` : undefined;
}

/** What to write instead of a value that isn't allowed. */
function allowed(value: unknown, option: ScaffoldOption, isTyped: boolean): string {
  const { values = [], kind, short, isNeutral, example } = option;
  const text = textOf(value);
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
  const all = values.map(id => (isNeutral ? showValue(option, id) : id));
  return `${meant ? `Did you mean ${meant}? ` : ''}Allowed: ${all.join(', ')}`;
}
