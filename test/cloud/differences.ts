/** Requests that only one of the clients sends in a step, each with the reason. */
interface Differences {
  onlyTheirs?: Readonly<Record<string, string>>;
  onlyOurs?: Readonly<Record<string, string>>;
}

const PROPERTIES = 'without --region, it builds in the default region, even if the agent is elsewhere';
const REGIONS = 'an unknown region is refused before anything is uploaded';
const FINISHED = 'it looks only for finished builds, and ignores their build file';
const RUNNING = 'a running build of the same files is joined, and builds of other build files are ignored';
const FILTER = 'an empty krispViva says nothing: botcli omits it';
const EXISTS = 'an agent that does not exist gets an error with the nearest name';
const OF_BUILD = 'whether the build that runs is that of these files';

const settings = '"agentProfile":"agent-1x","autoScaling":{"minAgents":0},"buildId":"ID"';
const rest = '"secretSet":"bot-secrets","serviceName":"bot"';

/** A change of an agent, as each client sends it. */
const change = (method: string, { force = '', region = '' } = {}) => ({
  theirs: { [`${method} services {${settings}${force},"krispViva":{},${rest}}`]: FILTER },
  ours: { [`${method} services {${settings}${force}${region},${rest}}`]: FILTER },
});

const [created, forced, updated] = [
  change('POST', { region: ',"region":"us-west"' }),
  change('PUT', { force: ',"forceRedeploy":true' }),
  change('PUT'),
];
const cache = {
  theirs: {
    'GET properties': PROPERTIES,
    'GET builds?contextHash=HASH&limit=1&region=us-west&status=success': FINISHED,
  },
  ours: { 'GET regions': REGIONS, 'GET builds?contextHash=HASH&limit=20&region=us-west': RUNNING },
};

export const DIFFERENCES: Readonly<Record<string, Differences>> = {
  'deploy a new agent': {
    onlyTheirs: { ...cache.theirs, ...created.theirs },
    // The region of the look-ups is sent, too, so that both mean the same one.
    onlyOurs: { ...cache.ours, ...created.ours },
  },
  'deploy the same again': {
    onlyTheirs: { ...cache.theirs, ...forced.theirs },
    onlyOurs: { 'GET builds/ID': OF_BUILD, ...cache.ours, ...forced.ours },
  },
  'deploy changed files': {
    onlyTheirs: { ...cache.theirs, ...updated.theirs },
    onlyOurs: { ...cache.ours, ...updated.ours },
  },
  'look at the agent': {
    onlyOurs: { 'GET builds/ID': OF_BUILD, 'GET services/bot-next': 'a deploy with --gate-first may have left it' },
  },
  'list the agents': {
    onlyTheirs: { 'GET services?include=git': 'it lists the repositories on GitHub' },
    onlyOurs: { 'GET services': 'botcli does not list repositories' },
  },
  'read its log': { onlyOurs: { 'GET services/bot': EXISTS } },
  'read the log of a build': {
    onlyTheirs: { 'GET builds/ID/logs?limit=500': 'its default is 500 lines' },
    onlyOurs: { 'GET builds/ID/logs?limit=10000': 'botcli prints all lines that the platform gives' },
  },
  'start a session': {
    onlyOurs: {
      'GET apiKeys': 'the client needs the key on its command line',
      'GET services/bot/sessions/ID': 'botcli looks whether the bot came up, and whether the session ended',
      'GET services/bot/logs?limit=100&sessionId=ID': 'botcli looks for errors',
      'DELETE services/bot/sessions/ID': 'botcli ends its test call',
    },
  },
  'list the sessions': {
    onlyTheirs: { 'GET services/bot/sessions': 'its default is the 10 that the platform lists by default' },
    onlyOurs: { 'GET services/bot': EXISTS, 'GET services/bot/sessions?limit=50': 'botcli lists 50' },
  },
  'stop a session': {
    onlyOurs: { 'GET services/bot/sessions/ID': 'an unknown session is an error, and the end is looked up' },
  },
  'deploy an earlier build': {
    onlyTheirs: { 'GET properties': PROPERTIES, ...updated.theirs },
    onlyOurs: {
      'GET regions': REGIONS,
      'GET builds/ID': 'a build elsewhere, or a failed one, is refused',
      // The platform might make no new deployment of a build that it has deployed before.
      ...forced.ours,
    },
  },
  'delete an agent': { onlyOurs: { 'GET services/bot': 'what would be lost is shown, and looked up afterwards' } },
};
