import type { Action } from '../action.ts';
import type { Group } from '../command-line.ts';

// The commands of `botcli cloud`. Each is loaded when it's reached, so that `botcli init` loads none of them.

const secrets: Group<Action> = {
  name: 'secrets',
  summary: 'Manage secret sets and image pull secrets.',
  examples: [
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', meaning: 'everything that a bot needs' },
    { line: 'botcli cloud secrets list', meaning: 'what there is, and whether it is ready' },
  ],
  children: async () => [
    (await import('./list.ts')).list,
    (await import('./set.ts')).set,
    (await import('./unset.ts')).unset,
    (await import('./delete.ts')).deleteCommand,
    (await import('./image-pull-secret.ts')).imagePullSecret,
  ],
};

const auth: Group<Action> = {
  name: 'auth',
  summary: 'Log in and out, and see who you are.',
  children: async () => [
    (await import('./login.ts')).login,
    (await import('./logout.ts')).logout,
    (await import('./whoami.ts')).whoami,
  ],
};

const organizations: Group<Action> = {
  name: 'organizations',
  summary: 'See your organizations, and choose the one to work in.',
  children: async () => [
    (await import('./organizations-list.ts')).listOrganizations,
    (await import('./organizations-select.ts')).selectOrganization,
  ],
};

export const cloud: Group<Action> = {
  name: 'cloud',
  summary: 'Manage the secrets of deployed bots.',
  examples: [
    { line: 'botcli cloud auth login', meaning: 'once, with a personal access token' },
    { line: 'botcli cloud secrets set my-bot-secrets --file .env', meaning: 'what a bot needs to know' },
  ],
  children: () => [secrets, auth, organizations],
};
