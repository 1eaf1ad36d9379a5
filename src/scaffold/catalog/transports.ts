import { needs, takes, type VariableArgument } from './service.ts';

export type BotType = 'web' | 'telephony';
export type CallDirection = 'dial-in' | 'dial-out';

/** How people and calls reach a bot. Where calls have a direction, each direction is a row. */
export interface TransportRow {
  /** The id that a resolved configuration holds. */
  id: string;
  /** The id without direction, which needs the call mode of `modeKey` beside it. */
  generic?: string;
  direction?: CallDirection;
  /** The configuration key that holds the direction of the generic id. */
  modeKey?: 'daily_pstn_mode' | 'twilio_daily_sip_mode';
  botType: BotType;
  /** The provider's real name, as people read it. */
  label: string;
  /** The key of the framework's runner, and what `uv run bot.py -t` takes. */
  runnerKey: string;
  /** The class of its parameters, and the module of that. */
  module: string;
  className: string;
  extras: readonly string[];
  /** Variables that the framework reads, not the bot. Required ones are, unless the bot has a transport without any. */
  ambient: readonly VariableArgument[];
}

const daily = {
  runnerKey: 'daily',
  module: 'pipecat.transports.daily.transport',
  className: 'DailyParams',
  extras: ['daily'],
  ambient: [
    needs('', 'DAILY_API_KEY', 'API key'),
    takes('', 'DAILY_ROOM_URL', 'Room to use again; left out, each session gets a new one'),
  ],
} as const;

const mediaStream = {
  botType: 'telephony',
  module: 'pipecat.transports.websocket.fastapi',
  className: 'FastAPIWebsocketParams',
  extras: ['websocket'],
} as const;

const twilioAccount = [
  needs('', 'TWILIO_ACCOUNT_SID', 'Account SID'),
  needs('', 'TWILIO_AUTH_TOKEN', 'Auth token'),
] as const;

const pstn = { ...daily, botType: 'telephony', generic: 'rtc_hosted_pstn', modeKey: 'daily_pstn_mode' } as const;
const sip = { ...daily, botType: 'telephony', generic: 'tel_a_rtc_sip', modeKey: 'twilio_daily_sip_mode' } as const;

export const transports: readonly TransportRow[] = [
  { id: 'rtc_hosted', botType: 'web', label: 'Daily, hosted WebRTC', ...daily },
  {
    id: 'rtc_local',
    botType: 'web',
    label: 'SmallWebRTC, peer to peer',
    runnerKey: 'webrtc',
    module: 'pipecat.transports.base_transport',
    className: 'TransportParams',
    extras: ['webrtc'],
    ambient: [],
  },
  { id: 'tel_a', label: 'Twilio', runnerKey: 'twilio', ambient: twilioAccount, ...mediaStream },
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
  { id: 'rtc_hosted_pstn_dialin', direction: 'dial-in', label: 'Daily phone number, dial-in', ...pstn },
  { id: 'rtc_hosted_pstn_dialout', direction: 'dial-out', label: 'Daily phone number, dial-out', ...pstn },
  { id: 'tel_a_rtc_sip_dialin', direction: 'dial-in', label: 'Twilio number with Daily SIP, dial-in', ...sip },
  { id: 'tel_a_rtc_sip_dialout', direction: 'dial-out', label: 'Twilio number with Daily SIP, dial-out', ...sip },
];
