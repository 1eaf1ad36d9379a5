import { type Child, command, type Group } from '../shell/command-line.ts';

// The commands of `botcli cloud`. Each is loaded on demand, so that `botcli init` loads none of them.

const sessionCommands = () => import('../deploy/sessions.ts');
const removing = () => import('./commands/remove.ts');
const account = () => import('./commands/auth.ts');
const places = () => import('./commands/organizations.ts');

const bots: readonly Child[] = [
  command(
    'deploy',
    'Build a bot in the cloud, deploy it, and wait until it is ready.',
    async () => (await import('../deploy/deploy.ts')).deploy,
  ),
  command(
    'status',
    'Show what a deployed bot runs, and whether it is ready.',
    async () => (await import('../deploy/status.ts')).status,
  ),
  command('logs', 'Print the log of a bot, or of a build.', async () => (await import('../deploy/logs.ts')).logs),
  command(
    'call',
    'Call a deployed bot once, and say whether it came up.',
    async () => (await import('../deploy/call.ts')).call,
  ),
  command(
    'phone',
    'Print what to enter at the phone provider.',
    async () => (await import('../deploy/phone.ts')).phone,
  ),
  command(
    'rollback',
    'Deploy an earlier image of a bot again.',
    async () => (await import('../deploy/rollback.ts')).rollback,
  ),
  {
    name: 'sessions',
    summary: 'List the sessions of a bot, or stop one.',
    children: [
      command(
        'list',
        'List the sessions of a bot, the newest first.',
        async () => (await sessionCommands()).listSessions,
      ),
      command('stop', 'Stop a session.', async () => (await sessionCommands()).stopSession),
    ],
  },
  command('delete', 'Delete a deployed bot.', async () => (await import('../deploy/delete.ts')).deleteAgent),
];

const secrets: Group = {
  name: 'secrets',
  summary: 'Manage secret sets and image pull secrets.',
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', description: 'store the keys a bot needs' },
    { line: 'botcli cloud secrets list', description: 'list what exists, and whether it is ready' },
  ],
  children: [
    command(
      'list',
      'List secret sets and image pull secrets, or the keys of one set.',
      async () => (await import('./commands/list.ts')).list,
    ),
    command(
      'set',
      'Create a secret set, or add or replace keys in one.',
      async () => (await import('./commands/set.ts')).set,
    ),
    command('unset', 'Remove keys from a secret set.', async () => (await removing()).unset),
    command(
      'delete',
      'Delete a whole secret set or an image pull secret. This cannot be undone.',
      async () => (await removing()).deleteSecret,
    ),
    command(
      'image-pull-secret',
      'Create or update the credentials for pulling images from a private registry.',
      async () => (await import('./commands/image-pull-secret.ts')).imagePullSecret,
    ),
  ],
};

const auth: Group = {
  name: 'auth',
  summary: 'Log in, log out, and show the current account.',
  children: [
    command('login', 'Log in with a personal access token.', async () => (await account()).login),
    command('logout', 'Remove the stored token and organization.', async () => (await account()).logout),
    command('whoami', 'Show the account and the organization in use.', async () => (await account()).whoami),
  ],
};

const organizations: Group = {
  name: 'organizations',
  summary: 'List your organizations, and select the one to use.',
  children: [
    command('list', 'List the organizations that you belong to.', async () => (await places()).listOrganizations),
    command('select', 'Select the organization to use.', async () => (await places()).selectOrganization),
  ],
};

const regions: Group = {
  name: 'regions',
  summary: "List an organization's regions.",
  children: [
    command('list', 'List the regions that secrets and agents can be in.', async () => (await places()).listRegions),
  ],
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
