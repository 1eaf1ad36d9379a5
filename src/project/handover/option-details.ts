import {
  baseOf,
  botTypeOf,
  SERVICE_KINDS,
  type ServiceKind,
  serviceIds,
  services,
  type TransportRow,
  transportIds,
  transports,
} from '../../catalog/index.ts';
import { findOption, type ScaffoldOption, scaffoldOptions, transportName } from '../../config/options.ts';
import { unique } from '../../std.ts';
import { requiredPages } from '../variables.ts';

/** What `--list-options` prints: every allowed value, by kind; and what it means, with keys in snake case. */
export function listOptions(isDetailed: boolean): Record<string, unknown> {
  const ids = {
    bot_type: findOption('bot_type').values,
    transports: { web: transportIds('web'), telephony: transportIds('telephony') },
    ...Object.fromEntries(SERVICE_KINDS.map(kind => [kind, serviceIds(kind)])),
  };
  if (!isDetailed) return ids;
  const choices = scaffoldOptions.flatMap(({ key, choices }: ScaffoldOption) =>
    choices && !IN_CATALOG.test(key) ? [[key, choiceDetails(choices)]] : [],
  );
  const kinds = SERVICE_KINDS.map(kind => [kind, serviceDetails(kind)]);
  return {
    ...ids,
    details: { ...Object.fromEntries(choices), transports: transportDetails(), ...Object.fromEntries(kinds) },
  };
}

/** Options whose values have rows in the catalog. */
const IN_CATALOG = /^transports$|_service$|^language$/;

const choiceDetails = (choices: NonNullable<ScaffoldOption['choices']>) =>
  choices.map(({ value, name, label, hint }) => ({
    id: value,
    label: label ?? name ?? value,
    ...(hint && { description: hint }),
  }));

function transportDetails() {
  return [...transportIds('web'), ...transportIds('telephony')].map(id => {
    const row = transports.find(one => one.id === id);
    return row ? directDetails(row) : genericDetails(id);
  });
}

const directDetails = (row: TransportRow) => ({
  id: row.id,
  label: row.label,
  bot_type: botTypeOf(row),
  recommended: row.recommended !== undefined,
  ...(row.direction && { direction: row.direction }),
  keys: requiredPages(row),
});

/** An id without a direction: the option that says which, and the id that each direction has. */
function genericDetails(id: string) {
  const rows = transports.filter(({ generic }) => generic === id);
  return {
    id,
    label: transportName(id),
    bot_type: unique(rows.map(botTypeOf))[0],
    recommended: false,
    direction_option: rows[0]?.modeKey,
    directions: Object.fromEntries(rows.map(row => [row.direction, row.id])),
  };
}

const serviceDetails = (kind: ServiceKind) =>
  services[kind].map(row => ({
    id: row.id,
    label: row.label,
    recommended: row.recommended !== undefined,
    keys: requiredPages(row),
    ...(row.credentials && { credentials: `${row.credentials.of}: ${row.credentials.where}` }),
    ...(kind === 'realtime' && { video_input: row.sees ?? false }),
    ...(row.ended && { ended: row.ended.on }),
    languages: row.languages ? unique(row.languages.map(baseOf)).sort() : null,
  }));
