/** Something to do at a provider or in a terminal: a sentence of Markdown, and what to paste. */
export interface SetupStep {
  text: string;
  /** Lines to paste, and the language they're in. */
  code?: { language: 'bash' | 'xml'; lines: readonly string[] };
}

/**
 * How a phone reaches the bot. In the texts, `{agent}` stands for the deployed bot's name, `{provider}` for the transport's
 * label and `{runner}` for what the framework's runner calls it; names in capitals are for the reader to fill in.
 */
export interface CallSetup {
  /** With the bot on one's own machine. */
  here: readonly SetupStep[];
  /** With the bot in the cloud. */
  cloud: readonly SetupStep[];
}

const bash = (text: string, ...lines: string[]): SetupStep => ({ text, code: { language: 'bash', lines } });
const xml = (text: string, ...lines: string[]): SetupStep => ({ text, code: { language: 'xml', lines } });

const startBot = bash('In `server/`, start the bot:', 'uv run bot.py');
/** Beside a tunnel: nobody who finds it can start a session over another transport. */
const startBotAlone = bash('In `server/`, start the bot for {provider} alone:', 'uv run bot.py -t {runner}');
const startServer = bash(
  'In a second terminal, in `server/`, start the server that places or takes its calls:',
  'uv run server.py',
);
const tunnelTo = (port: number) =>
  bash(`Open a tunnel to port ${port}, and note its host name, such as \`abc.ngrok.app\`:`, `ngrok http ${port}`);
const call: SetupStep = { text: 'Call the number.' };

const CLOUD = 'wss://api.pipecat.daily.co/ws';
const SERVICE_HOST = '{agent}.YOUR-ORGANIZATION';
const organization: SetupStep = {
  text: 'Deploy the bot, as below. `pipecat cloud organizations list` shows the name of your organization.',
};

const twiml = (url: string, ...parameters: string[]): string[] => [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<Response>',
  '  <Connect>',
  `    <Stream url="${url}">`,
  ...parameters.map(parameter => `      <Parameter ${parameter} />`),
  '      <Parameter name="from_number" value="{{From}}" />',
  '      <Parameter name="to_number" value="{{To}}" />',
  '    </Stream>',
  '  </Connect>',
  '</Response>',
];

const texml = (url: string): string[] => [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<Response>',
  '  <Connect>',
  `    <Stream url="${url}" bidirectionalMode="rtp"></Stream>`,
  '  </Connect>',
  '  <Pause length="40"/>',
  '</Response>',
];

const PLIVO_STREAM = 'bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000"';

const deployServer: SetupStep = {
  text:
    'Run `server.py` on a host of yours that is always on, with `PIPECAT_AGENT_NAME={agent}` and a `PIPECAT_API_KEY` in its ' +
    'environment (`pipecat cloud organizations keys create` makes one). With these it starts the deployed bot.',
};

const order = (settings: string) => [
  'curl http://localhost:8080/dialout \\',
  '  --header "Authorization: Bearer YOUR-DIALOUT-API-KEY" \\',
  `  --json '{"dialout_settings": ${settings}}'`,
];

/** What to configure for each phone transport, by its id. Sources: the providers' and the framework's documentation. */
export const callSetups: Readonly<Record<string, CallSetup>> = {
  tel_a: {
    here: [
      startBotAlone,
      tunnelTo(7860),
      xml('In the Twilio console, make a TwiML Bin, with your host name in it:', ...twiml('wss://YOUR-HOST/ws')),
      { text: 'Open your phone number, choose the bin under "A call comes in", and save.' },
      call,
    ],
    cloud: [
      organization,
      xml(
        'Make a second TwiML Bin, with your organization in it:',
        ...twiml(`${CLOUD}/twilio`, `name="_pipecatCloudServiceHost" value="${SERVICE_HOST}"`),
      ),
      { text: 'Choose that bin for your phone number.' },
    ],
  },
  tel_b: {
    here: [
      startBotAlone,
      tunnelTo(7860),
      xml('In the Telnyx portal, make a TeXML Bin, with your host name in it:', ...texml('wss://YOUR-HOST/ws')),
      { text: "Make a TeXML Application whose webhook is the bin's URL." },
      { text: 'Assign your phone number to the application.' },
      call,
    ],
    cloud: [
      organization,
      xml(
        'Change the TeXML Bin, or make a second one, with your organization in it:',
        ...texml(`${CLOUD}/telnyx?serviceHost=${SERVICE_HOST}`),
      ),
      { text: "Let the application's webhook be that bin's URL." },
    ],
  },
  tel_c: {
    here: [
      tunnelTo(7860),
      bash(
        'In `server/`, start the bot for Plivo alone: it serves the XML that leads Plivo to it.',
        'uv run bot.py -t plivo -x YOUR-HOST',
      ),
      { text: 'In the Plivo console, make an XML application with the Answer URL `https://YOUR-HOST/`, method POST.' },
      { text: 'Assign your phone number to the application.' },
      call,
    ],
    cloud: [
      organization,
      xml(
        'Put this XML, with your organization in it, on a web server of yours:',
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Response>',
        `  <Stream ${PLIVO_STREAM}>${CLOUD}/plivo?serviceHost=${SERVICE_HOST}</Stream>`,
        '</Response>',
      ),
      { text: "Let the application's Answer URL be the address of that file, method GET." },
    ],
  },
  tel_d: {
    here: [
      startBotAlone,
      tunnelTo(7860),
      { text: "In Exotel's App Bazaar, make an app with a Voicebot applet whose URL is `wss://YOUR-HOST/ws`." },
      { text: 'Assign your ExoPhone to the app.' },
      call,
    ],
    cloud: [organization, { text: `Let the applet's URL be \`${CLOUD}/exotel?serviceHost=${SERVICE_HOST}\`.` }],
  },
  rtc_hosted_pstn_dialin: {
    here: [
      { text: 'Buy a phone number at Daily: in the dashboard of Pipecat Cloud, under Settings > Telephony.' },
      startBot,
      tunnelTo(7860),
      bash(
        'Have Daily ask the bot when somebody calls the number:',
        'curl https://api.daily.co/v1/domain-dialin-config \\',
        '  --header "Authorization: Bearer YOUR-DAILY-API-KEY" \\',
        '  --json \'{"type": "pinless_dialin", "name_prefix": "{agent}", "phone_number": "+15551234567",',
        '    "room_creation_api": "https://YOUR-HOST/daily-dialin-webhook"}\'',
      ),
      call,
    ],
    cloud: [
      { text: 'Deploy the bot, as below.' },
      { text: 'In the dashboard of Pipecat Cloud, under Settings > Telephony, choose the bot for your number.' },
    ],
  },
  rtc_hosted_pstn_dialout: {
    here: [
      { text: 'Buy a phone number at Daily, and have dial-out enabled for your account: Daily does that on request.' },
      startBot,
      startServer,
      bash(
        'Have it call somebody. `caller_id` is the id of the number that they see; left out, Daily chooses one of yours.',
        ...order('{"phone_number": "+15551234567", "caller_id": "YOUR-NUMBER-ID"}'),
      ),
    ],
    cloud: [{ text: 'Deploy the bot, as below.' }, deployServer],
  },
  tel_a_rtc_sip_dialin: {
    here: [
      startBot,
      tunnelTo(8080),
      { text: 'In `.env`, set `PUBLIC_URL` to `https://YOUR-HOST`: it is part of what Twilio signs.' },
      startServer,
      {
        text: 'At Twilio, open your phone number, and under "A call comes in" set the webhook `https://YOUR-HOST/call`, HTTP POST.',
      },
      call,
    ],
    cloud: [
      { text: 'Deploy the bot, as below.' },
      deployServer,
      { text: "Set its `PUBLIC_URL` and the number's webhook to that host." },
    ],
  },
  tel_a_rtc_sip_dialout: {
    here: [
      {
        text:
          'At Twilio, make a SIP domain, such as `NAME.sip.twilio.com`, whose access control list lets Daily in ' +
          '(https://docs.daily.co lists its addresses).',
      },
      xml(
        'Make a TwiML Bin with the number that people see, and choose it for the calls of the domain:',
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Response>',
        '  <Dial callerId="+1YOUR-TWILIO-NUMBER">{{#e164}}{{To}}{{/e164}}</Dial>',
        '</Response>',
      ),
      { text: 'Have dial-out enabled for your Daily account: Daily does that on request.' },
      startBot,
      startServer,
      bash('Have it call somebody:', ...order('{"sip_uri": "sip:+15551234567@NAME.sip.twilio.com"}')),
    ],
    cloud: [{ text: 'Deploy the bot, as below.' }, deployServer],
  },
};
