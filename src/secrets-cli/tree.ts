import type { Group } from '../shell/command-line.ts';

// The commands of `botcli cloud`. Each is loaded when it's reached, so that `botcli init` loads none of them.

const secrets: Group = {
  name: 'secrets',
  summary: 'Manage secret sets and image pull secrets.',
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', meaning: 'everything that a bot needs' },
    { line: 'botcli cloud secrets list', meaning: 'what there is, and whether it is ready' },
  ],
  children: [
    {
      name: 'list',
      summary: 'List secret sets and image pull secrets, or the keys of one set.',
      load: async () => (await import('./commands/list.ts')).list,
    },
    {
      name: 'set',
      summary: 'Create a secret set, or add and replace keys of one.',
      load: async () => (await import('./commands/set.ts')).set,
    },
    {
      name: 'unset',
      summary: 'Remove one key from a secret set.',
      load: async () => (await import('./commands/unset.ts')).unset,
    },
    {
      name: 'delete',
      summary: 'Delete a whole secret set, or an image pull secret. This cannot be undone.',
      load: async () => (await import('./commands/delete.ts')).deleteSecret,
    },
    {
      name: 'image-pull-secret',
      summary: 'Create or update the credentials with which the platform pulls images from a private registry.',
      load: async () => (await import('./commands/image-pull-secret.ts')).imagePullSecret,
    },
  ],
};

const auth: Group = {
  name: 'auth',
  summary: 'Log in and out, and see who you are.',
  children: [
    {
      name: 'login',
      summary: 'Log in with a personal access token.',
      load: async () => (await import('./commands/login.ts')).login,
    },
    {
      name: 'logout',
      summary: 'Forget the token and the organization.',
      load: async () => (await import('./commands/logout.ts')).logout,
    },
    {
      name: 'whoami',
      summary: 'Show the account and the organization in use.',
      load: async () => (await import('./commands/whoami.ts')).whoami,
    },
  ],
};

const organizations: Group = {
  name: 'organizations',
  summary: 'See your organizations, and choose the one to work in.',
  children: [
    {
      name: 'list',
      summary: 'List the organizations of this account.',
      load: async () => (await import('./commands/organizations-list.ts')).listOrganizations,
    },
    {
      name: 'select',
      summary: 'Choose the organization to work in.',
      load: async () => (await import('./commands/organizations-select.ts')).selectOrganization,
    },
  ],
};

export const cloud: Group = {
  name: 'cloud',
  summary: 'Manage the secrets of deployed bots.',
  examples: [
    { line: 'botcli cloud auth login', meaning: 'once, with a personal access token' },
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', meaning: 'what a bot needs to know' },
  ],
  children: [secrets, auth, organizations],
};
