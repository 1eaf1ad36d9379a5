import { services as catalog, LANGUAGES, type ServiceKind, serviceIds, speaks } from '../../src/catalog/index.ts';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { randomOf } from './random.ts';
import { resolveFlags } from './resolving.ts';

/** Project names that break a careless program. */
export const HOSTILE_NAMES: readonly string[] = [
  ...['a[b](c)', '007', '日本語', '<%= 1 %>', 'bot"x', 'x"""y', "it's", `both " and '`, '../evil', '🦜', '-rf'],
  ...['--force', '# title #', 'back\\slash\\', '$HOME `id` $(id)', `%s {name} \${name}`, '<!-- x --> & <b>'],
  ...['class', 'ends with "', '1. first', '*a* _b_ ~c~ |d|', 'É́ ﬀ ½', 'null'],
  'x'.repeat(100),
];

const TRANSPORTS: readonly RawConfig[] = [
  { transports: ['rtc_local'] },
  { transports: ['rtc_hosted', 'rtc_local'] },
  { transports: ['tel_a', 'rtc_local', 'rtc_hosted'] },
  { transports: ['tel_b', 'tel_d'] },
  { transports: ['rtc_hosted_pstn'], daily_pstn_mode: 'dial-in' },
  { transports: ['rtc_hosted_pstn_dialout', 'rtc_local'] },
  { transports: ['tel_a_rtc_sip'], twilio_daily_sip_mode: 'dial-out' },
  { transports: ['tel_a_rtc_sip_dialin'] },
];

const CLIENTS: readonly RawConfig[] = [
  {},
  { client_framework: 'none' },
  { client_framework: 'component' },
  { client_framework: 'component', client_server: 'fullstack' },
  { client_framework: 'vanilla' },
  { client_framework: 'component', video_service: 'simli_video' },
  { video_service: 'tavus_video', video_output: true },
  { video_input: true, video_output: false },
];

/** Configurations of every shape; the same ones in every run. */
export function manyConfigs(count: number): ScaffoldConfig[] {
  const random = randomOf(7);
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  const state = () => pick([true, false, undefined]);
  return Array.from({ length: count }, () => {
    const reached = pick(TRANSPORTS);
    const isWeb = (reached.transports as string[]).every(id => ['rtc_local', 'rtc_hosted'].includes(id));
    const services: RawConfig = pick([true, false])
      ? { mode: 'realtime', realtime_service: pick(catalog.realtime.filter(row => row.sees)).id }
      : {
          mode: 'cascade',
          stt_service: pick(serviceIds('stt')),
          llm_service: pick(serviceIds('llm')),
          tts_service: pick(serviceIds('tts')),
        };
    const cloud = pick<RawConfig>([{ deploy_to_cloud: false }, { enable_noisecancel: state() }, {}]);
    const switches = ['recording', 'journal', 'transcription', 'enable_observability', 'enable_eval'];
    const features: RawConfig = {
      ...Object.fromEntries(switches.map(key => [key, state()])),
      ci: pick(['github', undefined]),
    };
    const rows = Object.entries(services).flatMap(([key, id]) =>
      key.endsWith('_service') ? catalog[key.replace('_service', '') as ServiceKind].filter(row => row.id === id) : [],
    );
    const spoken = LANGUAGES.filter(code => rows.every(row => speaks(row, code)));
    const language = { language: pick([undefined, pick(spoken)]) };
    const name = { project_name: pick([undefined, ...HOSTILE_NAMES]) };
    const client = isWeb ? pick(CLIENTS) : {};
    return resolveFlags({ ...name, ...reached, ...services, ...client, ...cloud, ...features, ...language });
  });
}
