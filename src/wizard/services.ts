import {
  recommendedFirst,
  type ServiceKind,
  type ServiceRow,
  services,
  sharesAccount,
  speaks,
} from '../catalog/index.ts';
import type { Choice } from '../shell/terminal/question.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import type { Answers } from './step.ts';

/** The services of which a cascade has one each, in the order of the pipeline. */
const CASCADE = ['stt', 'llm', 'tts'] as const;

/**
 * The services of a kind that know the bot's language: first those of an account that the bot already needs, then the
 * recommended ones, then the others by name. Those that have ended are last.
 */
export function serviceChoices(kind: ServiceKind, answers: Answers): Choice[] {
  const { language = DEFAULT_LANGUAGE.value } = answers;
  const rows = services[kind].filter(row => language === DEFAULT_LANGUAGE.value || speaks(row, language));
  const chosen = CASCADE.filter(one => one !== kind).flatMap(one =>
    services[one].filter(({ id }) => id === answers[`${one}_service`]),
  );
  const known = new Set(rows.filter(row => chosen.some(one => sharesAccount(one, row))));
  const order = (row: ServiceRow, other: ServiceRow) =>
    Number(row.ended !== undefined) - Number(other.ended !== undefined) ||
    Number(known.has(other)) - Number(known.has(row)) ||
    recommendedFirst(row, other);
  return rows.sort(order).map(row => {
    const hints = [
      ...(row.ended ? [`ended on ${row.ended.on}`] : []),
      ...(row.recommended === 1 ? ['recommended'] : []),
      ...(known.has(row) ? ['same account'] : []),
      ...(kind === 'stt' && row.recommended && servesAll(row) ? ['one key for all three'] : []),
    ];
    return { value: row.id, label: row.label, id: row.id, ...(hints.length > 0 && { hint: hints.join(', ') }) };
  });
}

/** Whether one account is enough for a recommended cascade. */
const servesAll = (row: ServiceRow): boolean =>
  CASCADE.every(kind => services[kind].some(one => one.recommended && sharesAccount(row, one)));

/** The recommended settings, those without an account, or every question. */
export function settingsChoices(): Choice[] {
  const [first] = [...services.stt].sort(recommendedFirst);
  return [
    { value: 'recommended', label: 'Quick start', hint: `needs only an ${first?.label} key` },
    { value: 'local', label: 'Everything on this computer', hint: 'no account, 3 GB of models' },
    { value: 'steps', label: 'Customize', hint: 'services, language, web client, features' },
  ];
}
