import type { Child, Group } from '../shell/command-line.ts';

// The commands of `botcli cloud`. Each is loaded on demand, so that `botcli init` loads none of them.

/** Those about deployed bots. */
const bots: readonly Child[] = [
  {
    name: 'deploy',
    summary: 'Build a bot in the cloud, deploy it, and wait until it is ready.',
    load: async () => (await import('../deploy/deploy.ts')).deploy,
  },
  {
    name: 'status',
    summary: 'Show what a deployed bot runs, and whether it is ready.',
    load: async () => (await import('../deploy/status.ts')).status,
  },
  {
    name: 'logs',
    summary: 'Print the log of a bot, or of a build.',
    load: async () => (await import('../deploy/logs.ts')).logs,
  },
  {
    name: 'call',
    summary: 'Call a deployed bot once, and say whether it came up.',
    load: async () => (await import('../deploy/call.ts')).call,
  },
  {
    name: 'phone',
    summary: 'Print what to enter at the phone provider.',
    load: async () => (await import('../deploy/phone.ts')).phone,
  },
  {
    name: 'rollback',
    summary: 'Deploy an earlier image of a bot again.',
    load: async () => (await import('../deploy/rollback.ts')).rollback,
  },
  {
    name: 'sessions',
    summary: 'List the sessions of a bot, or stop one.',
    children: [
      {
        name: 'list',
        summary: 'List the sessions of a bot, the newest first.',
        load: async () => (await import('../deploy/sessions.ts')).listSessions,
      },
      {
        name: 'stop',
        summary: 'Stop a session.',
        load: async () => (await import('../deploy/sessions.ts')).stopSession,
      },
    ],
  },
  {
    name: 'delete',
    summary: 'Delete a deployed bot.',
    load: async () => (await import('../deploy/delete.ts')).deleteAgent,
  },
];

const secrets: Group = {
  name: 'secrets',
  summary: 'Manage secret sets and image pull secrets.',
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', description: 'store the keys a bot needs' },
    { line: 'botcli cloud secrets list', description: 'list what exists, and whether it is ready' },
  ],
  children: [
    {
      name: 'list',
      summary: 'List secret sets and image pull secrets, or the keys of one set.',
      load: async () => (await import('./commands/list.ts')).list,
    },
    {
      name: 'set',
      summary: 'Create a secret set, or add or replace keys in one.',
      load: async () => (await import('./commands/set.ts')).set,
    },
    {
      name: 'unset',
      summary: 'Remove keys from a secret set.',
      load: async () => (await import('./commands/remove.ts')).unset,
    },
    {
      name: 'delete',
      summary: 'Delete a whole secret set or an image pull secret. This cannot be undone.',
      load: async () => (await import('./commands/remove.ts')).deleteSecret,
    },
    {
      name: 'image-pull-secret',
      summary: 'Create or update the credentials for pulling images from a private registry.',
      load: async () => (await import('./commands/image-pull-secret.ts')).imagePullSecret,
    },
  ],
};

const auth: Group = {
  name: 'auth',
  summary: 'Log in, log out, and show the current account.',
  children: [
    {
      name: 'login',
      summary: 'Log in with a personal access token.',
      load: async () => (await import('./commands/auth.ts')).login,
    },
    {
      name: 'logout',
      summary: 'Remove the stored token and organization.',
      load: async () => (await import('./commands/auth.ts')).logout,
    },
    {
      name: 'whoami',
      summary: 'Show the account and the organization in use.',
      load: async () => (await import('./commands/auth.ts')).whoami,
    },
  ],
};

const organizations: Group = {
  name: 'organizations',
  summary: 'List your organizations, and select the one to use.',
  children: [
    {
      name: 'list',
      summary: 'List the organizations that you belong to.',
      load: async () => (await import('./commands/organizations.ts')).listOrganizations,
    },
    {
      name: 'select',
      summary: 'Select the organization to use.',
      load: async () => (await import('./commands/organizations.ts')).selectOrganization,
    },
  ],
};

const regions: Group = {
  name: 'regions',
  summary: "List an organization's regions.",
  children: [
    {
      name: 'list',
      summary: 'List the regions that secrets and agents can be in.',
      load: async () => (await import('./commands/organizations.ts')).listRegions,
    },
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
