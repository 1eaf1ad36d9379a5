import { botTypeOf, type TransportRow, transports } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { type ConfigKey, type RawConfig, removableKeys } from '../config/options.ts';
import type { ProjectState } from '../project/files/state.ts';

/** Choices by key, as `--config` takes them. */
type Choices = ProjectState['choices'];

/** What a typed choice does to the recorded ones. */
interface Consequence {
  /** Keys of which one was typed. */
  typed: readonly ConfigKey[];
  when?: (typed: RawConfig, recorded: Choices) => boolean;
  /** Recorded choices that fall away, unless they were typed again. */
  drops?: readonly ConfigKey[];
  /** Choices that follow, unless they were typed. */
  sets?: (recorded: Choices) => Choices;
}

const CASCADE: readonly ConfigKey[] = ['stt_service', 'llm_service', 'tts_service'];
const VIDEO: readonly ConfigKey[] = ['video_service', 'video_input', 'video_output'];
const CLIENT: readonly ConfigKey[] = ['client_framework', 'client_server'];
const CALL_MODES: readonly ConfigKey[] = ['daily_pstn_mode', 'twilio_daily_sip_mode'];

const consequences: readonly Consequence[] = [
  { typed: ['realtime_service'], sets: () => ({ mode: 'realtime' }) },
  { typed: CASCADE, sets: () => ({ mode: 'cascade' }) },
  { typed: ['mode', 'realtime_service'], when: ({ mode }) => mode !== 'cascade', drops: CASCADE },
  { typed: ['mode', ...CASCADE], when: ({ mode }) => mode !== 'realtime', drops: ['realtime_service'] },

  { typed: ['transports'], drops: ['bot_type'] },
  ...CALL_MODES.map(key => ({ typed: ['transports' as const], when: isWithout(key), drops: [key] })),
  ...CALL_MODES.map(key => ({ typed: [key], sets: (recorded: Choices) => undirected(recorded, key) })),
  { typed: ['transports', 'bot_type'], when: isPhone, drops: [...VIDEO, ...CLIENT] },

  { typed: ['client_framework'], when: ({ client_framework: framework }) => framework !== 'component', drops: CLIENT },
  { typed: ['video_service'], drops: ['video_output'] },
  { typed: ['video_output'], when: ({ video_output: shows }) => shows === false, drops: ['video_service'] },
  {
    typed: ['deploy_to_cloud'],
    when: ({ deploy_to_cloud: deploys }) => deploys === false,
    drops: ['enable_noisecancel'],
  },
  { typed: ['enable_noisecancel'], when: ({ enable_noisecancel: on }) => on === true, drops: ['deploy_to_cloud'] },
];

/** The new choices of a project. */
interface NewChoices {
  /** The recorded choices without those that a typed one contradicts: the file to resolve. */
  kept: Choices;
  /** The typed choices that aren't `none`: the flags to resolve. */
  typed: RawConfig;
}

/** Combines typed choices with the recorded ones: what is typed wins, and what contradicts it falls away. */
export function combineChoices(recorded: Choices, typed: RawConfig): NewChoices {
  const kept = { ...recorded };
  for (const { typed: keys, when, drops = [], sets } of consequences) {
    if (!keys.some(key => typed[key] !== undefined) || when?.(typed, recorded) === false) continue;
    for (const key of drops) delete kept[key];
    Object.assign(kept, sets?.(recorded));
  }
  const removed = removableKeys.filter(key => isNone(key)(typed));
  for (const key of removed) delete kept[key];
  return {
    kept,
    typed: Object.fromEntries(Object.entries(typed).filter(([key]) => !removed.some(one => one === key))),
  };
}

/** The recorded choices that a bot no longer has, though nobody typed them. A call's direction goes with its transport. */
export function droppedChoices(recorded: Choices, kept: Choices, typed: RawConfig, now: ScaffoldConfig): Choices {
  const had = Object.entries(recorded).filter(([key, value]) => value && !(key in kept) && !(key in typed));
  const isLost = (key: string) => !now[key as ConfigKey] && !CALL_MODES.some(one => one === key);
  return Object.fromEntries(had.filter(([key]) => isLost(key)));
}

function isNone(key: ConfigKey) {
  return (typed: RawConfig) => typed[key] === 'none';
}

/** Whether the typed transports have none that takes its direction from this key. */
function isWithout(key: ConfigKey) {
  return ({ transports: typed }: RawConfig) => {
    const generic = transports.find(row => row.modeKey === key)?.generic;
    return ![typed].flat().includes(generic);
  };
}

/** The recorded transports, with the id that takes its direction from this key. */
function undirected({ transports: recorded }: Choices, key: ConfigKey): Choices {
  const idOf = (id: unknown) => transports.find(row => row.id === id && row.modeKey === key)?.generic ?? id;
  return Array.isArray(recorded) ? { transports: recorded.map(idOf) } : {};
}

function isPhone({ transports: typed, bot_type: type }: RawConfig): boolean {
  if (type !== undefined) return type === 'telephony';
  return [typed].flat().some(id => transports.some(row => isCalled(row, id) && botTypeOf(row) === 'telephony'));
}

const isCalled = (row: TransportRow, id: unknown) => row.id === id || row.generic === id;
