import { type Child, command, type Group } from '../shell/command-line.ts';

/** The commands of `botcli cloud`. Each is loaded on demand, so that `botcli init` loads none of them. */
const load = {
  deploy: async () => (await import('../deploy/deploy.ts')).deploy,
  status: async () => (await import('../deploy/status.ts')).status,
  logs: async () => (await import('../deploy/logs.ts')).logs,
  call: async () => (await import('../deploy/sessions.ts')).call,
  phone: async () => (await import('../deploy/transports.ts')).phone,
  rollback: async () => (await import('../deploy/rollback.ts')).rollback,
  listSessions: async () => (await import('../deploy/sessions.ts')).listSessions,
  stopSession: async () => (await import('../deploy/sessions.ts')).stopSession,
  deleteAgent: async () => (await import('../deploy/delete.ts')).deleteAgent,
  listSecrets: async () => (await import('./commands/list.ts')).list,
  set: async () => (await import('./commands/set.ts')).set,
  unset: async () => (await import('./commands/remove.ts')).unset,
  deleteSecret: async () => (await import('./commands/remove.ts')).deleteSecret,
  imagePullSecret: async () => (await import('./commands/image-pull-secret.ts')).imagePullSecret,
  login: async () => (await import('./commands/auth.ts')).login,
  logout: async () => (await import('./commands/auth.ts')).logout,
  whoami: async () => (await import('./commands/auth.ts')).whoami,
  listOrganizations: async () => (await import('./commands/organizations.ts')).listOrganizations,
  selectOrganization: async () => (await import('./commands/organizations.ts')).selectOrganization,
  listRegions: async () => (await import('./commands/organizations.ts')).listRegions,
};

const bots: readonly Child[] = [
  command('deploy', 'Build a bot in the cloud, deploy it, and wait until it is ready.', load.deploy),
  command('status', 'Show what a deployed bot runs, and whether it is ready.', load.status),
  command('logs', 'Print the log of a bot, or of a build.', load.logs),
  command('call', 'Call a deployed bot once, and say whether it came up.', load.call),
  command('phone', 'Print what to enter at the phone provider.', load.phone),
  command('rollback', 'Deploy an earlier image of a bot again.', load.rollback),
  {
    name: 'sessions',
    summary: 'List the sessions of a bot, or stop one.',
    children: [
      command('list', 'List the sessions of a bot, the newest first.', load.listSessions),
      command('stop', 'Stop a session.', load.stopSession),
    ],
  },
  command('delete', 'Delete a deployed bot.', load.deleteAgent),
];

const secrets: Group = {
  name: 'secrets',
  summary: 'Manage secret sets and image pull secrets.',
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', description: 'store the keys a bot needs' },
    { line: 'botcli cloud secrets list', description: 'list what exists, and whether it is ready' },
  ],
  children: [
    command('list', 'List secret sets and image pull secrets, or the keys of one set.', load.listSecrets),
    command('set', 'Create a secret set, or add or replace keys in one.', load.set),
    command('unset', 'Remove keys from a secret set.', load.unset),
    command('delete', 'Delete a whole secret set or an image pull secret. This cannot be undone.', load.deleteSecret),
    command(
      'image-pull-secret',
      'Create or update the credentials for pulling images from a private registry.',
      load.imagePullSecret,
    ),
  ],
};

const auth: Group = {
  name: 'auth',
  summary: 'Log in, log out, and show the current account.',
  children: [
    command('login', 'Log in with a personal access token.', load.login),
    command('logout', 'Remove the stored token and organization.', load.logout),
    command('whoami', 'Show the account and the organization in use.', load.whoami),
  ],
};

const organizations: Group = {
  name: 'organizations',
  summary: 'List your organizations, and select the one to use.',
  children: [
    command('list', 'List the organizations that you belong to.', load.listOrganizations),
    command('select', 'Select the organization to use.', load.selectOrganization),
  ],
};

const regions: Group = {
  name: 'regions',
  summary: "List an organization's regions.",
  children: [command('list', 'List the regions that secrets and agents can be in.', load.listRegions)],
};

export const cloud: Group = {
  name: 'cloud',
  summary: 'Deploy bots, and manage their secrets.',
  examples: [
    { line: 'botcli cloud auth login', description: 'log in once, with a personal access token' },
    { line: 'botcli cloud deploy', description: 'build a bot and deploy it; safe to run again' },
  ],
  // Deployed bots first, then what they need.
  children: [...bots, secrets, auth, organizations, regions],
};
