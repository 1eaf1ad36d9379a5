import type { Group } from '../shell/command-line.ts';

// The commands of `botcli cloud`. Each is loaded on demand, so that `botcli init` loads none of them.

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
      load: async () => (await import('./commands/unset.ts')).unset,
    },
    {
      name: 'delete',
      summary: 'Delete a whole secret set or an image pull secret. This cannot be undone.',
      load: async () => (await import('./commands/delete.ts')).deleteSecret,
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
      load: async () => (await import('./commands/regions-list.ts')).listRegions,
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
  children: [secrets, auth, organizations, regions],
};
