import { findTransport } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { dueIn, type Features, featuresOf, type PlannedFile } from './features.ts';
import { slugOf, titleOf } from './names.ts';
import { keysOf, listVariables } from './variables.ts';

/** The clients that have the files in a folder of `templates/`. */
const FOLDERS = {
  shared: [],
  react: ['isReact'],
  vite: ['isVite'],
  'react-vite': ['isReact', 'isVite'],
  next: ['isNext'],
  vanilla: ['isVanilla'],
} as const satisfies Record<string, PlannedFile['when']>;

/** A file of the client, below `client/`. Its template has the same path in its folder. `when` limits it further. */
const file = (folder: keyof typeof FOLDERS, path: string, note: string, ...when: PlannedFile['when']): PlannedFile => {
  const destination = path.replace(/\.ejs$/, '').replace(/^(?=gitignore$|env\.example$)/, '.');
  return {
    template: `${folder}/${path}`,
    destination: `client/${destination}`,
    note,
    when: [...FOLDERS[folder], ...when],
  };
};

const icon = { template: 'shared/favicon.svg', note: 'the icon of the page' };

const clientFiles: readonly PlannedFile[] = [
  file('shared', 'package.json.ejs', "the client's packages and commands"),
  file('shared', 'env.example.ejs', "the bot's address and cloud key; copy it to .env to set them"),
  file('shared', 'gitignore', 'what git ignores'),
  file('react-vite', 'tsconfig.json', 'compiler settings'),
  file('next', 'tsconfig.json', 'compiler settings'),
  file('vanilla', 'tsconfig.json', 'compiler settings'),
  file('react-vite', 'eslint.config.js', 'linter settings'),
  file('next', 'eslint.config.mjs', 'linter settings'),
  file('vanilla', 'eslint.config.js', 'linter settings'),
  file('vite', 'vite.config.ts.ejs', 'the development server, which forwards requests to the bot'),
  file('next', 'next.config.ts.ejs', 'Next.js settings'),
  file('next', 'next.mjs', 'runs Next.js without its telemetry'),
  file('react-vite', 'index.html.ejs', 'the page'),
  file('vanilla', 'index.html.ejs', 'the page'),
  { ...icon, destination: 'client/public/favicon.svg', when: FOLDERS.vite },
  { ...icon, destination: 'client/src/app/icon.svg', when: FOLDERS.next },

  file('next', 'src/app/layout.tsx', 'the layout of the page'),
  file('next', 'src/app/page.tsx', 'the page'),
  file('next', 'src/app/start/route.ts', 'POST /start, forwarded to the bot'),
  file('next', 'src/app/sessions/[...path]/route.ts', "a session's requests, forwarded to the bot"),
  file('next', 'src/server/forward-to-bot.ts', "adds the bot's address and key, which the browser never sees"),

  file('react-vite', 'src/main.tsx', 'mounts the app on the page'),
  file('vanilla', 'src/main.ts.ejs', 'connects the parts of the page'),
  file('shared', 'src/config.ts.ejs', "the bot's name, transport and keys"),
  file('shared', 'src/styles.css.ejs', 'styles: light and dark, narrow and wide'),

  file('react', 'src/components/App.tsx.ejs', 'the whole page'),
  file('react', 'src/components/Call.tsx.ejs', 'the parts of a call, and their layout'),
  file('react', 'src/components/BotVoice.tsx', "the bot's voice and its volume"),
  file('react', 'src/components/Clock.tsx', 'how long the call has lasted'),
  file('react', 'src/components/Controls.tsx.ejs', 'the buttons'),
  file('react', 'src/components/Composer.tsx', 'the field for typed messages', 'takesText'),
  file('react', 'src/components/Conversation.tsx.ejs', 'the transcript, and that field'),
  file('react', 'src/components/CopyButton.tsx', 'copies the transcript'),
  file('react', 'src/components/DeveloperPanel.tsx', 'what the framework reports, for developers'),
  file('react', 'src/components/Devices.tsx.ejs', 'device selection'),
  file('react', 'src/components/Problem.tsx', 'error messages'),
  file('react', 'src/components/Settings.tsx', 'the settings'),
  file('react', 'src/components/Stage.tsx.ejs', 'the picture of the bot'),
  file('react', 'src/components/Transcript.tsx', 'what both sides say'),
  file('react', 'src/components/TransportPicker.tsx', 'transport selection', 'choosesTransport'),
  file('react', 'src/components/use-bot-connection.ts', 'the connection, as hooks'),
  file('react', 'src/components/use-store.ts', 'a state that others can follow, as a hook'),
  file('react', 'src/components/use-video.ts', 'whether there is video, as a hook', 'hasVideo'),

  file('vanilla', 'src/composer.ts', 'the field for typed messages', 'takesText'),
  file('vanilla', 'src/controls.ts.ejs', 'the state of the call, and the buttons'),
  file('vanilla', 'src/developer.ts', 'what the framework reports, for developers'),
  file('vanilla', 'src/devices.ts.ejs', 'device selection'),
  file('vanilla', 'src/media.ts.ejs', 'audio and video'),
  file('vanilla', 'src/problem.ts', 'error messages'),
  file('vanilla', 'src/transcript.ts', 'what both sides say'),
  file('vanilla', 'src/find.ts', 'finds and adds elements of the page'),

  file('shared', 'src/page/clock.ts', 'shows how long a call has lasted'),
  file('shared', 'src/page/copy.ts', 'copies a text'),
  file('shared', 'src/page/level.ts', 'how loud a voice is'),
  file('shared', 'src/page/follow-end.ts', 'keeps the end of a list in view'),

  file('shared', 'src/bot/store.ts', 'a state that others can follow'),
  file('shared', 'src/bot/activity.ts', 'who is speaking, or thinking'),
  file('shared', 'src/bot/transcript.ts', 'what both sides say, turn by turn'),
  file('shared', 'src/bot/journal.ts', 'events and measurements, for developers'),
  file('shared', 'src/bot/connection.ts.ejs', 'calls the bot and hangs up; the state of the call'),
  file('shared', 'src/bot/start-session.ts', 'requests a session'),
  file('shared', 'src/bot/words.ts.ejs', 'the texts for states and errors'),
  file('shared', 'src/bot/provider-errors.ts', "what the bot's errors mean, and what to do"),
  file('shared', 'src/bot/pulse.ts', 'notices that the bot is gone'),
  file('shared', 'src/bot/bot-transport.ts', 'what a transport is'),
  file('shared', 'src/bot/daily.ts.ejs', 'the Daily transport', 'hasHosted'),
  file('shared', 'src/bot/daily-library.ts.ejs', "takes the place of Daily's library until it's needed", 'hasLocal'),
  file('shared', 'src/bot/daily-js.d.ts', 'the types of that library', 'choosesTransport'),
  file('shared', 'src/bot/small-webrtc.ts.ejs', 'the SmallWebRTC transport', 'hasLocal'),
  file('shared', 'src/bot/browser-media.ts.ejs', "the person's devices, for that transport", 'hasLocal'),
  file('shared', 'src/bot/media-input.ts.ejs', 'one of these devices', 'hasLocal'),
];

/** The files of a project's client: none if it has no client. */
export const planClient = (facts: Features): PlannedFile[] => (facts.hasClient ? dueIn(facts, clientFiles) : []);

/** What the templates of a web client read: prepared rows and plain booleans. */
export function clientFactsOf(config: ScaffoldConfig) {
  const features = featuresOf(config);
  const transports = config.transports.flatMap(id => findTransport(id).client ?? []);
  const pages = new Map(listVariables(config).map(({ name, get_it_at }) => [name, get_it_at]));
  const keys = keysOf(config).map(({ env, provider }) => ({ env, provider, page: pages.get(env) ?? '' }));
  return {
    ...features,
    title: titleOf(config.project_name),
    keys,
    hasKeys: keys.length > 0,
    manifest: clientManifest(slugOf(config.project_name), features),
    transportImports: [...transports].sort((one, other) => (one.module < other.module ? -1 : 1)),
    /** In the order of the configuration: the first one is the default. */
    transports: transports.map(({ constant }) => constant).join(', '),
  };
}

/** The ports that the parts of a project use if nothing else does: the framework's runner has one, and so has each server. */
export const usualPorts = ({ client_server }: ScaffoldConfig) => ({
  bot: 7860,
  calls: 8080,
  client: client_server === 'fullstack' ? 3000 : 5173,
});

/** A program that a project runs, which listens on a port. */
export type PartName = keyof ReturnType<typeof usualPorts>;

/** Those that a project has, in the order in which they start. */
export function partNames(config: ScaffoldConfig): PartName[] {
  const has: Record<PartName, boolean> = {
    bot: true,
    calls: featuresOf(config).hasCallServer,
    client: config.generate_client,
  };
  return (Object.keys(has) as PartName[]).filter(name => has[name]);
}

/** The client's address while its development server runs. */
export const clientUrlOf = (config: ScaffoldConfig): string => `http://localhost:${usualPorts(config).client}`;

/** A package of a web client, and the clients that need it. */
type ClientPackage = { name: string; version: string; when?: PlannedFile['when'] };

const dependencies: readonly ClientPackage[] = [
  // Only to load it later than the transports would. They bring the same version.
  { name: '@daily-co/daily-js', version: '^0.90.0', when: ['choosesTransport'] },
  // Both transports require this minor version, so don't update it before they do.
  { name: '@pipecat-ai/client-js', version: '~1.13.1' },
  { name: '@pipecat-ai/client-react', version: '^1.8.2', when: ['isReact'] },
  { name: '@pipecat-ai/daily-transport', version: '^1.6.9', when: ['hasHosted'] },
  { name: '@pipecat-ai/small-webrtc-transport', version: '^1.10.8', when: ['hasLocal'] },
  { name: 'next', version: '^16.4.6', when: ['isNext'] },
  { name: 'react', version: '^19.3.1', when: ['isReact'] },
  { name: 'react-dom', version: '^19.3.1', when: ['isReact'] },
];

const developmentDependencies: readonly ClientPackage[] = [
  { name: '@eslint/js', version: '^10.0.1' },
  { name: '@next/eslint-plugin-next', version: '^16.4.6', when: ['isNext'] },
  { name: '@types/node', version: '^20.19.0' },
  { name: '@types/react', version: '^19.2.0', when: ['isReact'] },
  { name: '@types/react-dom', version: '^19.2.0', when: ['isReact'] },
  { name: '@vitejs/plugin-react', version: '^6.3.0', when: ['isReact', 'isVite'] },
  { name: 'eslint', version: '^10.15.0' },
  { name: 'eslint-plugin-react-hooks', version: '^7.1.1', when: ['isReact'] },
  { name: 'eslint-plugin-react-refresh', version: '^0.5.8', when: ['isReact', 'isVite'] },
  { name: 'globals', version: '^17.14.0' },
  // typescript-eslint doesn't support a newer one yet.
  { name: 'typescript', version: '~6.0.3' },
  { name: 'typescript-eslint', version: '^8.73.0' },
  { name: 'vite', version: '^8.3.8', when: ['isVite'] },
];

const VITE_SCRIPTS = { dev: 'vite', build: 'tsc && vite build', preview: 'vite preview', typecheck: 'tsc' };

/** `next.mjs` runs the `next` command without its telemetry. */
const NEXT_SCRIPTS = {
  dev: 'node next.mjs dev',
  build: 'node next.mjs build',
  start: 'node next.mjs start',
  typecheck: 'node next.mjs typegen && tsc --noEmit',
};

function clientManifest(slug: string, facts: Features) {
  return {
    name: `${slug}-client`,
    version: '0.1.0',
    private: true,
    type: 'module',
    // What both Vite and ESLint require.
    engines: { node: '^20.19.0 || ^22.13.0 || >=24' },
    scripts: { ...(facts.isNext ? NEXT_SCRIPTS : VITE_SCRIPTS), lint: 'eslint .' },
    dependencies: versionsOf(dependencies, facts),
    devDependencies: versionsOf(developmentDependencies, facts),
  };
}

const versionsOf = (packages: readonly ClientPackage[], facts: Features): Record<string, string> =>
  Object.fromEntries(dueIn(facts, packages).map(({ name, version }) => [name, version]));
