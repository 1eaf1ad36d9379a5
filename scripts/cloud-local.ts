import { LOCAL_TOKEN, startLocalCloud } from './local-cloud/index.ts';

// `npm run cloud:local [-- PORT]`: a stand-in for the platform, to try `botcli cloud` without an account.
const port = Number(process.argv[2] ?? 4010);
const { url } = await startLocalCloud({
  port,
  pendingMs: 3000,
  onRequest: ({ method, path, status }) => console.log(`${method} ${path} ${status}`),
});
console.log(`A stand-in for the platform listens on ${url}, until Ctrl-C. It forgets everything then. In another shell:

  export BOTCLI_API_URL=${url} BOTCLI_TOKEN=${LOCAL_TOKEN}
  npx botcli cloud secrets set demo API_KEY=1234 --skip
  npx botcli cloud secrets list

The platform's own client takes PIPECAT_API_HOST and PIPECAT_TOKEN. Requests follow, without any value:
`);
