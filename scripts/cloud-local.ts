import { LOCAL_TOKEN, startLocalCloud } from './local-cloud/index.ts';

// `npm run cloud:local [-- PORT]`: runs a local stand-in for the platform, to try `botcli cloud` without an account.
const port = Number(process.argv[2] ?? 4010);
const { url } = await startLocalCloud({
  port,
  pendingMs: 3000,
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

Builds and rollouts take a few seconds. An agent whose name ends in -crash, -oom, -pull or -stuck fails like that, and one
in -mute stays silent.

For the platform's own client, set PIPECAT_API_HOST and PIPECAT_TOKEN instead. Each request is logged below, without
values:
`);
