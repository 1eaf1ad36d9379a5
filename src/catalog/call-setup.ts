/** A step at a provider or in a terminal: a sentence of Markdown, and code to paste. */
interface SetupStep {
  text: string;
  /** Lines to paste, and their language. */
  code?: { language: 'bash' | 'xml'; lines: readonly string[] };
  /** `botcli dev --tunnel` does it. */
  byDev?: true;
  /** It gives the bot a public hostname. */
  isTunnel?: true;
  /** It is done once the bot is deployed. */
  byDeploy?: true;
  /** It names the command that prints the steps after it. */
  printsRest?: true;
}

/**
 * How to connect a phone to the bot. In the texts, `{agent}` is the deployed bot's name, `{provider}` the transport's label
 * and `{runner}` the framework runner's name for it. The reader replaces names in capitals.
 */
interface CallSetup {
  /** With the bot on your own machine. */
  here: readonly SetupStep[];
  /** With the bot in the cloud. */
  cloud: readonly SetupStep[];
  /** Where the bot here answers Twilio's request for a call, so that botcli can point a number at it. */
  twilio?: {
    path: string;
    /** Whether the answer is the framework's, which doesn't pass on who calls. */
    hidesCaller?: true;
  };
}

const bash = (text: string, ...lines: string[]): SetupStep => ({ text, code: { language: 'bash', lines } });
const xml = (text: string, ...lines: string[]): SetupStep => ({ text, code: { language: 'xml', lines } });

const byDev = (step: SetupStep): SetupStep => ({ ...step, byDev: true });

const startBot = byDev(bash('In `server/`, start the bot:', 'uv run bot.py'));
const exposedBot = byDev(
  bash(
    'In `server/`, start the bot for Daily only. Anyone who finds the address of the tunnel below can still start ' +
      'sessions in Daily rooms, at your expense: close the tunnel when you are done.',
    'uv run bot.py -t {runner}',
  ),
);
/** For use with a tunnel: nobody who finds it can start a session over another transport. */
const startBotAlone = byDev(bash('In `server/`, start the bot for {provider} only:', 'uv run bot.py -t {runner}'));
const startServer = byDev(
  bash('In a second terminal, in `server/`, start the server that handles its calls:', 'uv run server.py'),
);
const tunnelTo = (port: number): SetupStep => ({
  ...byDev(
    bash(`Open a tunnel to port ${port}, and note its hostname, such as \`abc.ngrok.app\`:`, `ngrok http ${port}`),
  ),
  isTunnel: true,
});
const call: SetupStep = { text: 'Call the number.' };

/** An address without a region reaches only agents in us-west. */
const CLOUD = 'wss://YOUR-REGION.api.pipecat.daily.co/ws';
const SERVICE_HOST = '{agent}.YOUR-ORGANIZATION';
const organization: SetupStep = {
  text: 'Deploy the bot as described below. `{program} cloud phone` prints the next steps with its region and organization.',
  byDeploy: true,
  printsRest: true,
};
const deployed: SetupStep = { text: 'Deploy the bot as described below.', byDeploy: true };

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
    'Run `server.py` on your own always-on host, with `PIPECAT_AGENT_NAME={agent}` and a `PIPECAT_API_KEY` in its ' +
    'environment: a public API key from the dashboard. It then starts the deployed bot.',
};

const order = (settings: string) => [
  'curl http://localhost:8080/dialout \\',
  '  --header "Authorization: Bearer YOUR-DIALOUT-API-KEY" \\',
  `  --json '{"dialout_settings": ${settings}}'`,
];

/** How to set up each phone transport, by its id. Sources: the providers' and the framework's documentation. */
export const callSetups: Readonly<Record<string, CallSetup>> = {
  tel_a: {
    twilio: { path: '/', hidesCaller: true },
    here: [
      startBotAlone,
      tunnelTo(7860),
      xml('In the Twilio console, create a TwiML Bin with your hostname in it:', ...twiml('wss://YOUR-HOST/ws')),
      { text: 'Open your phone number, select the bin under "A call comes in", and save.' },
      call,
    ],
    cloud: [
      organization,
      xml(
        'In the Twilio console, create a TwiML Bin for the deployed bot:',
        ...twiml(`${CLOUD}/twilio`, `name="_pipecatCloudServiceHost" value="${SERVICE_HOST}"`),
      ),
      { text: 'Open your phone number, select that bin under "A call comes in", and save.' },
    ],
  },
  tel_b: {
    here: [
      startBotAlone,
      tunnelTo(7860),
      xml('In the Telnyx portal, create a TeXML Bin with your hostname in it:', ...texml('wss://YOUR-HOST/ws')),
      { text: "Create a TeXML Application whose webhook is the bin's URL." },
      { text: 'Assign your phone number to the application.' },
      call,
    ],
    cloud: [
      organization,
      xml(
        'In the Telnyx portal, create a TeXML Bin for the deployed bot:',
        ...texml(`${CLOUD}/telnyx?serviceHost=${SERVICE_HOST}`),
      ),
      {
        text: "Set the webhook of your number's TeXML Application to that bin's URL. If it has none, create one, and assign the number to it.",
      },
    ],
  },
  tel_c: {
    here: [
      tunnelTo(7860),
      byDev(
        bash(
          'In `server/`, start the bot for Plivo only. It serves the XML that connects Plivo to it:',
          'uv run bot.py -t plivo -x YOUR-HOST',
        ),
      ),
      {
        text: 'In the Plivo console, create an XML application with the Answer URL `https://YOUR-HOST/`, method POST.',
      },
      { text: 'Assign your phone number to the application.' },
      call,
    ],
    cloud: [
      organization,
      xml(
        'Put this XML, with your organization in it, on your own web server:',
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Response>',
        `  <Stream ${PLIVO_STREAM}>${CLOUD}/plivo?serviceHost=${SERVICE_HOST}</Stream>`,
        '</Response>',
      ),
      {
        text: "Set the Answer URL of your number's XML application to the address of that file, method GET. If it has none, create one in the Plivo console, and assign the number to it.",
      },
    ],
  },
  tel_d: {
    here: [
      startBotAlone,
      tunnelTo(7860),
      { text: "In Exotel's App Bazaar, create an app with a Voicebot applet whose URL is `wss://YOUR-HOST/ws`." },
      { text: 'Assign your ExoPhone to the app.' },
      call,
    ],
    cloud: [
      organization,
      {
        text: `Set the URL of your ExoPhone's Voicebot applet to \`${CLOUD}/exotel?serviceHost=${SERVICE_HOST}\`. If it has none, create an app with one, and assign the ExoPhone to it.`,
      },
    ],
  },
  rtc_hosted_pstn_dialin: {
    here: [
      { text: 'Buy a Daily phone number: in the Pipecat Cloud dashboard, under Settings > Telephony.' },
      exposedBot,
      tunnelTo(7860),
      bash(
        'Make Daily notify the bot when somebody calls the number:',
        'curl https://api.daily.co/v1/domain-dialin-config \\',
        '  --header "Authorization: Bearer YOUR-DAILY-API-KEY" \\',
        '  --json \'{"type": "pinless_dialin", "name_prefix": "{agent}", "phone_number": "+15551234567",',
        '    "room_creation_api": "https://YOUR-HOST/daily-dialin-webhook"}\'',
      ),
      call,
    ],
    cloud: [
      deployed,
      { text: 'In the Pipecat Cloud dashboard, under Settings > Telephony, select the bot for your number.' },
    ],
  },
  rtc_hosted_pstn_dialout: {
    here: [
      { text: 'Buy a Daily phone number, and ask Daily to enable dial-out for your account.' },
      startBot,
      startServer,
      bash(
        'Call somebody. `caller_id` is the ID of the number they see; if omitted, Daily picks one of yours:',
        ...order('{"phone_number": "+15551234567", "caller_id": "YOUR-NUMBER-ID"}'),
      ),
    ],
    cloud: [deployed, deployServer],
  },
  tel_a_rtc_sip_dialin: {
    twilio: { path: '/call' },
    here: [
      startBot,
      tunnelTo(8080),
      byDev({ text: 'In `.env`, set `PUBLIC_URL` to `https://YOUR-HOST`, which Twilio includes in its signature.' }),
      startServer,
      {
        text: 'In the Twilio console, open your phone number, and under "A call comes in", set the webhook to `https://YOUR-HOST/call`, HTTP POST.',
      },
      call,
    ],
    cloud: [deployed, deployServer, { text: "Set its `PUBLIC_URL` and the number's webhook to that host." }],
  },
  tel_a_rtc_sip_dialout: {
    here: [
      {
        text:
          'In the Twilio console, create a SIP domain, such as `NAME.sip.twilio.com`, whose access control list allows ' +
          'Daily (https://docs.daily.co lists its addresses).',
      },
      xml(
        "Create a TwiML Bin with the number that people see, and select it for the domain's calls:",
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Response>',
        '  <Dial callerId="+1YOUR-TWILIO-NUMBER">{{#e164}}{{To}}{{/e164}}</Dial>',
        '</Response>',
      ),
      { text: 'Ask Daily to enable dial-out for your account.' },
      startBot,
      startServer,
      bash('Call somebody:', ...order('{"sip_uri": "sip:+15551234567@NAME.sip.twilio.com"}')),
    ],
    cloud: [deployed, deployServer],
  },
};

/** Steps as a numbered Markdown list, one line per item. `names` replace `{agent}` and the like. */
export function renderSteps(
  steps: (typeof callSetups)[string]['here'],
  names: Readonly<Record<string, string>>,
): string[] {
  const lines = steps.flatMap(({ text, code }, at) => {
    const mark = `${at + 1}. `;
    const indent = ' '.repeat(mark.length);
    const block = code ? ['', `\`\`\`${code.language}`, ...code.lines, '```', ''] : [];
    return [`${mark}${text}`, ...block.map(line => (line ? `${indent}${line}` : line))];
  });
  if (lines.at(-1) === '') lines.pop();
  return lines.map(line => line.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole));
}
