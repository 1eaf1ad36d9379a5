import { needs, takes, type VariableArgument } from './service.ts';

export type BotType = 'web' | 'telephony';
export type CallDirection = 'dial-in' | 'dial-out';
/** The configuration keys that hold the direction of calls. */
export type CallModeKey = 'daily_pstn_mode' | 'twilio_daily_sip_mode';

/**
 * How a session comes about: a browser joins (`web`), a phone provider connects with the call's sound (`stream`), or a
 * request starts the bot in a room of Daily's for one call (`flow`).
 */
export type TransportFamily = 'web' | 'stream' | 'flow';

/**
 * Which families go together in one bot; whether two of the same family do is said by that family's own entry. A call
 * flow is told by what the request for its session holds, and a bot looks for one thing there.
 */
export const COMPANIONS: Readonly<Record<TransportFamily, readonly TransportFamily[]>> = {
  web: ['web', 'stream', 'flow'],
  stream: ['web', 'stream', 'flow'],
  flow: ['web', 'stream'],
};

/** How people and calls reach a bot. Where calls have a direction, each direction is a row. */
export interface TransportRow {
  /** The id that a resolved configuration holds. */
  id: string;
  family: TransportFamily;
  /** The id without direction, which needs the call mode of `modeKey` beside it. */
  generic?: string;
  direction?: CallDirection;
  /** The configuration key that holds the direction of the generic id. */
  modeKey?: CallModeKey;
  /** The provider's real name, as people read it. */
  label: string;
  /** The key of the framework's runner, and what `uv run bot.py -t` takes. */
  runnerKey: string;
  /** The class of its parameters, and the module of that. */
  module: string;
  className: string;
  extras: readonly string[];
  /** Requirements that it has beside those of its extras. */
  packages?: readonly string[];
  /** The module in `src/bot/` of a web client that holds it, and what that exports; a phone has none. */
  client?: { module: string; constant: string };
  /** True where a browser connects to the bot itself; otherwise, a provider's servers are between them. */
  isPeerToPeer?: true;
  /** Of a flow: the network that the call comes from or goes to. */
  network?: 'pstn' | 'sip';
  /** Of a flow: what the body of the request that starts a session calls the call. */
  callKey?: 'call' | 'dialin_settings' | 'dialout_settings';
  /** Variables that the framework reads, not the bot. */
  ambient: readonly VariableArgument[];
  /** Such variables that would do harm beside a call flow, whose calls need a room each. */
  withoutCalls?: readonly VariableArgument[];
  /** Variables that `bot.py` reads. */
  reads?: readonly VariableArgument[];
  /** Variables that `server.py` reads, which a flow with a server of its own has. */
  serverReads?: readonly VariableArgument[];
  /** A beginner's first choice: offered first. */
  recommended?: true;
}

export const botTypeOf = ({ family }: TransportRow): BotType => (family === 'web' ? 'web' : 'telephony');

const apiKey = needs('', 'DAILY_API_KEY', 'API key of Daily');

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
const accountSid = needs('', 'TWILIO_ACCOUNT_SID', 'Account SID of Twilio');
const authToken = needs('', 'TWILIO_AUTH_TOKEN', 'Auth token of Twilio');

/** Where the server of a flow finds the bot that it starts. */
const startsBot = [
  takes('', 'PIPECAT_AGENT_NAME', 'The deployed bot to start; left out, the one on this machine'),
  takes('', 'PIPECAT_API_KEY', 'Public API key of Pipecat Cloud (pk_...), for the deployed bot'),
  takes('', 'LOCAL_SERVER_URL', 'Where the bot on this machine is, if not at http://localhost:7860'),
  takes('', 'PORT', 'The port of server.py, if not 8080'),
] as const;

const dialout = [needs('', 'DIALOUT_API_KEY', 'A key that you make up: requests to /dialout carry it'), ...startsBot];

const pstn = {
  ...daily,
  family: 'flow',
  generic: 'rtc_hosted_pstn',
  modeKey: 'daily_pstn_mode',
  network: 'pstn',
  ambient: [apiKey],
} as const;

const sip = {
  ...daily,
  family: 'flow',
  generic: 'tel_a_rtc_sip',
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
    withoutCalls: [takes('', 'DAILY_ROOM_URL', 'Room to use again; left out, each session gets a new one')],
  },
  {
    id: 'rtc_local',
    family: 'web',
    label: 'SmallWebRTC, peer to peer',
    client: { module: 'small-webrtc', constant: 'smallWebRtc' },
    runnerKey: 'webrtc',
    module: 'pipecat.transports.base_transport',
    className: 'TransportParams',
    extras: ['webrtc'],
    ambient: [],
    isPeerToPeer: true,
    recommended: true,
  },
  { id: 'tel_a', label: 'Twilio', runnerKey: 'twilio', ambient: [accountSid, authToken], ...mediaStream },
  {
    id: 'tel_b',
    label: 'Telnyx',
    runnerKey: 'telnyx',
    ambient: [needs('', 'TELNYX_API_KEY', 'API key')],
    ...mediaStream,
  },
  {
    id: 'tel_c',
    label: 'Plivo',
    runnerKey: 'plivo',
    ambient: [needs('', 'PLIVO_AUTH_ID', 'Auth id'), needs('', 'PLIVO_AUTH_TOKEN', 'Auth token')],
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
      needs('', 'PUBLIC_URL', 'Where Twilio reaches server.py: https://HOST, as in the webhook'),
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
