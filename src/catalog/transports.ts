import { needs, takes } from './arguments.ts';
import type { VariableArgument } from './service.ts';

export type BotType = 'web' | 'telephony';

/**
 * How a session starts: a browser joins (`web`), a phone provider connects with the call's audio (`stream`), or a request
 * starts the bot in a Daily room for one call (`flow`).
 */
type TransportFamily = 'web' | 'stream' | 'flow';

/**
 * Which families can share a bot; a family's own entry says whether two of that family can. A bot recognizes a call flow
 * by the contents of the request for its session, and looks for only one kind of call there.
 */
export const COMPANIONS: Readonly<Record<TransportFamily, readonly TransportFamily[]>> = {
  web: ['web', 'stream', 'flow'],
  stream: ['web', 'stream', 'flow'],
  flow: ['web', 'stream'],
};

/** How people and calls reach a bot. If calls have a direction, each direction is a row. */
export interface TransportRow {
  /** The id in a resolved configuration. */
  id: string;
  family: TransportFamily;
  /** The id without direction, which needs the call mode of `modeKey` as well. */
  generic?: string;
  direction?: 'dial-in' | 'dial-out';
  /** The configuration key with the direction of the generic id. */
  modeKey?: 'daily_pstn_mode' | 'twilio_daily_sip_mode';
  /** The provider's real name, for people to read. */
  label: string;
  /** The key of the framework's runner, and what `uv run bot.py -t` takes. */
  runnerKey: string;
  /** The class of its parameters, and its module. */
  module: string;
  className: string;
  extras: readonly string[];
  /** Requirements in addition to those of its extras. */
  packages?: readonly string[];
  /** Its module in `src/bot/` of a web client, and what the module exports; a phone has none. */
  client?: { module: string; constant: string };
  /** True if a browser connects directly to the bot, without a provider's servers between them. */
  isPeerToPeer?: true;
  /** Of a flow: the network that the call comes from or goes to. */
  network?: 'pstn' | 'sip';
  /** Of a flow: the key for the call in the body of the request that starts a session. */
  callKey?: 'call' | 'dialin_settings' | 'dialout_settings';
  /** Variables that the framework reads, not the bot. */
  ambient: readonly VariableArgument[];
  /** Such variables that would do harm in a bot with a call flow, where each call needs its own room. */
  withoutCalls?: readonly VariableArgument[];
  /** Variables that `bot.py` reads. */
  reads?: readonly VariableArgument[];
  /** Variables that `server.py` reads, for a flow with its own server. */
  serverReads?: readonly VariableArgument[];
  /** Other names, which are taken like its id (of a flow: its generic id), in any case. Its label is taken anyway. */
  names?: readonly string[];
  /** Words that people use for it: a value that starts with one of them is answered with this transport. */
  aka?: readonly string[];
  /** A beginner's first choices are offered first, in this order. */
  recommended?: number;
}

export const botTypeOf = ({ family }: TransportRow): BotType => (family === 'web' ? 'web' : 'telephony');

/** A variable whose value the provider shows on this page. */
const issued = (issuer: string, env: string, description: string): VariableArgument => ({
  ...needs('', env, description),
  issuer,
});

const apiKey = issued('https://dashboard.daily.co/developers', 'DAILY_API_KEY', 'Daily API key');

const daily = {
  runnerKey: 'daily',
  module: 'pipecat.transports.daily.transport',
  className: 'DailyParams',
  extras: ['daily'],
} as const;

const mediaStream = {
  family: 'stream',
  module: 'pipecat.transports.websocket.fastapi',
  className: 'FastAPIWebsocketParams',
  extras: ['websocket'],
} as const;

const TWILIO = 'twilio>=9.10,<10';
const TWILIO_CONSOLE = 'https://console.twilio.com';
const accountSid = issued(TWILIO_CONSOLE, 'TWILIO_ACCOUNT_SID', 'Twilio account SID');
const authToken = issued(TWILIO_CONSOLE, 'TWILIO_AUTH_TOKEN', 'Twilio auth token');

const PLIVO_CONSOLE = 'https://console.plivo.com/dashboard';

/** Where a flow's server finds the bot that it starts. */
const startsBot = [
  takes('', 'PIPECAT_AGENT_NAME', 'The deployed bot to start (default: the bot on this machine)'),
  takes('', 'PIPECAT_API_KEY', 'Public API key of Pipecat Cloud (pk_...), for the deployed bot'),
  takes('', 'LOCAL_SERVER_URL', 'Address of the bot on this machine (default: http://localhost:7860)'),
  takes('', 'PORT', 'Port of server.py (default: 8080)'),
] as const;

const dialout = [
  needs('', 'DIALOUT_API_KEY', 'Your own key, long and random: requests to /dialout must carry it'),
  ...startsBot,
];

const pstn = {
  ...daily,
  family: 'flow',
  generic: 'rtc_hosted_pstn',
  names: ['daily-pstn', 'daily-phone'],
  modeKey: 'daily_pstn_mode',
  network: 'pstn',
  ambient: [apiKey],
} as const;

const sip = {
  ...daily,
  family: 'flow',
  generic: 'tel_a_rtc_sip',
  names: ['twilio-daily-sip', 'twilio-daily', 'twilio-sip', 'daily-sip'],
  modeKey: 'twilio_daily_sip_mode',
  network: 'sip',
  ambient: [apiKey],
} as const;

export const transports: readonly TransportRow[] = [
  {
    id: 'rtc_hosted',
    family: 'web',
    label: 'Daily, hosted WebRTC',
    client: { module: 'daily', constant: 'daily' },
    ...daily,
    ambient: [apiKey],
    withoutCalls: [takes('', 'DAILY_ROOM_URL', 'A room to reuse (default: a new one for each session)')],
  },
  {
    id: 'rtc_local',
    names: ['webrtc', 'p2p'],
    aka: ['browser', 'web', 'local'],
    family: 'web',
    label: 'SmallWebRTC, peer to peer',
    client: { module: 'small-webrtc', constant: 'smallWebRtc' },
    runnerKey: 'webrtc',
    module: 'pipecat.transports.base_transport',
    className: 'TransportParams',
    extras: ['webrtc'],
    ambient: [],
    isPeerToPeer: true,
    recommended: 1,
  },
  {
    id: 'tel_a',
    aka: ['phone', 'telephony'],
    label: 'Twilio',
    runnerKey: 'twilio',
    ambient: [accountSid, authToken],
    ...mediaStream,
  },
  {
    id: 'tel_b',
    label: 'Telnyx',
    runnerKey: 'telnyx',
    ambient: [issued('https://portal.telnyx.com', 'TELNYX_API_KEY', 'API key')],
    ...mediaStream,
  },
  {
    id: 'tel_c',
    label: 'Plivo',
    runnerKey: 'plivo',
    ambient: [
      issued(PLIVO_CONSOLE, 'PLIVO_AUTH_ID', 'Auth ID'),
      issued(PLIVO_CONSOLE, 'PLIVO_AUTH_TOKEN', 'Auth token'),
    ],
    ...mediaStream,
  },
  { id: 'tel_d', label: 'Exotel', runnerKey: 'exotel', ambient: [], ...mediaStream },
  {
    id: 'rtc_hosted_pstn_dialin',
    direction: 'dial-in',
    label: 'Daily phone number, dial-in',
    ...pstn,
    callKey: 'dialin_settings',
  },
  {
    id: 'rtc_hosted_pstn_dialout',
    direction: 'dial-out',
    label: 'Daily phone number, dial-out',
    ...pstn,
    callKey: 'dialout_settings',
    serverReads: dialout,
  },
  {
    id: 'tel_a_rtc_sip_dialin',
    direction: 'dial-in',
    label: 'Twilio number with Daily SIP, dial-in',
    ...sip,
    callKey: 'call',
    packages: [TWILIO, 'python-multipart>=0.0.20,<1'],
    reads: [accountSid, authToken],
    serverReads: [
      authToken,
      needs('', 'PUBLIC_URL', 'Public address of server.py, as in the Twilio webhook: https://HOST'),
      ...startsBot,
    ],
  },
  {
    id: 'tel_a_rtc_sip_dialout',
    direction: 'dial-out',
    label: 'Twilio number with Daily SIP, dial-out',
    ...sip,
    callKey: 'dialout_settings',
    serverReads: dialout,
  },
];
