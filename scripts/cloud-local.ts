import { realBots } from './local-cloud/bots.ts';
import { LOCAL_TOKEN, startLocalCloud } from './local-cloud/index.ts';

// `npm run cloud:local [-- PORT]`: runs a local stand-in for the platform, to try `botcli cloud` without an account.
const port = Number(process.argv[2] ?? 4010);
const bots = realBots();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.once('exit', bots.close);
const { url } = await startLocalCloud({
  port,
  pendingMs: 3000,
  startBot: bots.start,
  buildBot: bots.build,
  onRequest: ({ method, path, status }) => console.log(`${method} ${path} ${status}`),
});
console.log(`The local stand-in for the platform is running at ${url}. Press Ctrl-C to stop it; it keeps no data.
In another shell, run:

  export BOTCLI_API_URL=${url} BOTCLI_TOKEN=${LOCAL_TOKEN}
  echo API_KEY=1234 | npx botcli cloud secrets set demo --file - --skip
  npx botcli cloud secrets list

To deploy a bot, run in its project:

  npx botcli cloud deploy
  npx botcli cloud call
  npx botcli cloud logs
  npx botcli talk --deployed

Builds and rollouts take a few seconds. An agent whose name ends in -crash, -oom, -pull or -stuck fails like that, and one
in -mute stays silent. Conversations in text reach a real bot, which uv starts with the variables of this shell.

For the platform's own client, set PIPECAT_API_HOST and PIPECAT_TOKEN instead. Each request is logged below, without
values:
`);
