import type { Features } from './features.ts';
import type { PlannedFile } from './planned-file.ts';

type Condition = NonNullable<PlannedFile['when']>;

const isReact: Condition = facts => facts.isReact;
const isVite: Condition = facts => facts.isVite;
const isNext: Condition = facts => facts.isNext;
const isVanilla: Condition = facts => facts.isVanilla;
const isReactOnVite: Condition = facts => facts.isReact && facts.isVite;

/**
 * A file of the client, at its place below `client/`. Its template is at the same place in one of the folders of
 * `templates/`: `shared`, or that of the clients that have it.
 */
const file = (folder: string, path: string, note: string, when?: Condition): PlannedFile => {
  const destination = path.replace(/\.ejs$/, '').replace(/^(?=gitignore$|env\.example$)/, '.');
  return { template: `${folder}/${path}`, destination: `client/${destination}`, note, when };
};

/** The files of a web client, each with the condition it's made under. */
export const clientFiles: readonly PlannedFile[] = [
  file('shared', 'package.json.ejs', 'its packages and commands'),
  file('shared', 'env.example.ejs', "the bot's address, and its key in the cloud; copy it to .env to set them"),
  file('shared', 'gitignore', 'what git leaves out of it'),
  file('react-vite', 'tsconfig.json', 'what the compiler checks', isReactOnVite),
  file('next', 'tsconfig.json', 'what the compiler checks', isNext),
  file('vanilla', 'tsconfig.json', 'what the compiler checks', isVanilla),
  file('react-vite', 'eslint.config.js', 'what the linter checks', isReactOnVite),
  file('next', 'eslint.config.mjs', 'what the linter checks', isNext),
  file('vanilla', 'eslint.config.js', 'what the linter checks', isVanilla),
  file('vite', 'vite.config.ts.ejs', 'the development server, which forwards calls to the bot', isVite),
  file('next', 'next.config.ts', 'the settings of Next.js', isNext),
  file('next', 'next.mjs', 'runs Next.js without its telemetry', isNext),
  file('react-vite', 'index.html.ejs', 'the page', isReactOnVite),
  file('vanilla', 'index.html.ejs', 'the page', isVanilla),
  { template: 'shared/favicon.svg', destination: 'client/public/favicon.svg', note: 'its icon', when: isVite },
  {
    template: 'shared/favicon.svg',
    destination: 'client/src/app/icon.svg',
    note: 'the icon of the page',
    when: isNext,
  },

  file('next', 'src/app/layout.tsx', 'the frame of the page', isNext),
  file('next', 'src/app/page.tsx', 'the page', isNext),
  file('next', 'src/app/start/route.ts', 'POST /start, handed on to the bot', isNext),
  file('next', 'src/app/sessions/[...path]/route.ts', 'the calls of a session, handed on to the bot', isNext),
  file('next', 'src/server/forward-to-bot.ts', "adds the bot's address and key, which the browser never sees", isNext),

  file('react-vite', 'src/main.tsx', 'puts the app into the page', isReactOnVite),
  file('vanilla', 'src/main.ts.ejs', 'connects the parts of the page', isVanilla),
  file('shared', 'src/config.ts.ejs', "the bot's name, and the way to it"),
  file('shared', 'src/styles.css.ejs', 'how it looks, light and dark, narrow and wide'),

  file('react', 'src/components/App.tsx.ejs', 'the whole page', isReact),
  file('react', 'src/components/Call.tsx', 'the parts of a call, and where they stand', isReact),
  file('react', 'src/components/Controls.tsx.ejs', 'the buttons', isReact),
  file('react', 'src/components/Devices.tsx.ejs', 'the choice of devices', isReact),
  file('react', 'src/components/Problem.tsx', 'what went wrong', isReact),
  file('react', 'src/components/Stage.tsx.ejs', 'what is seen of the bot', isReact),
  file('react', 'src/components/Transcript.tsx', 'the words of both sides', isReact),
  file(
    'react',
    'src/components/TransportPicker.tsx',
    'the choice of a transport',
    ({ isReact, choosesTransport }) => isReact && choosesTransport,
  ),
  file('react', 'src/components/use-bot-connection.ts', 'the connection, as hooks', isReact),
  file(
    'react',
    'src/components/use-video.ts',
    'whether there is a picture, as a hook',
    ({ isReact, hasVideo }) => isReact && hasVideo,
  ),

  file('vanilla', 'src/controls.ts.ejs', 'the state of the call, and the buttons', isVanilla),
  file('vanilla', 'src/devices.ts.ejs', 'the choice of devices', isVanilla),
  file('vanilla', 'src/media.ts.ejs', 'what is heard and seen', isVanilla),
  file('vanilla', 'src/transcript.ts', 'the words of both sides', isVanilla),
  file('vanilla', 'src/find.ts', 'finds an element of the page', isVanilla),

  file('shared', 'src/bot/connection.ts', 'calls the bot and hangs up; how far the call is'),
  file('shared', 'src/bot/start-session.ts', 'asks for a session'),
  file('shared', 'src/bot/words.ts.ejs', 'what is happening, and what went wrong, in words'),
  file('shared', 'src/bot/bot-transport.ts', 'what a transport is'),
  file('shared', 'src/bot/daily.ts', 'the transport of Daily', ({ hasHosted }) => hasHosted),
  file('shared', 'src/bot/small-webrtc.ts.ejs', 'the transport to your own machine', ({ hasLocal }) => hasLocal),
  file(
    'shared',
    'src/bot/browser-media.ts.ejs',
    "the person's devices, for that transport",
    ({ hasLocal }) => hasLocal,
  ),
  file('shared', 'src/bot/media-input.ts.ejs', 'one of these devices', ({ hasLocal }) => hasLocal),
];

/** The files that the client of a project gets: none, when it has no client. */
export const planClient = (facts: Features): PlannedFile[] =>
  facts.hasClient ? clientFiles.filter(({ when }) => when?.(facts) ?? true) : [];
