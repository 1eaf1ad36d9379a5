import type { Child } from '../shell/command-line.ts';

/** The commands of `botcli cloud` about deployed bots. Each is loaded on demand. */
export const deployCommands: readonly Child[] = [
  {
    name: 'deploy',
    summary: 'Build a bot in the cloud, deploy it, and wait until it is ready.',
    load: async () => (await import('./deploy.ts')).deploy,
  },
  {
    name: 'status',
    summary: 'Show what a deployed bot runs, and whether it is ready.',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'logs',
    summary: 'Print the log of a bot, or of a build.',
    load: async () => (await import('./logs.ts')).logs,
  },
  {
    name: 'call',
    summary: 'Call a deployed bot once, and say whether it came up.',
    load: async () => (await import('./call.ts')).call,
  },
  {
    name: 'phone',
    summary: 'Print what to enter at the phone provider.',
    load: async () => (await import('./phone.ts')).phone,
  },
  {
    name: 'rollback',
    summary: 'Deploy an earlier image of a bot again.',
    load: async () => (await import('./rollback.ts')).rollback,
  },
  {
    name: 'sessions',
    summary: 'List the sessions of a bot, or stop one.',
    children: [
      {
        name: 'list',
        summary: 'List the sessions of a bot, the newest first.',
        load: async () => (await import('./sessions.ts')).listSessions,
      },
      {
        name: 'stop',
        summary: 'Stop a session.',
        load: async () => (await import('./sessions.ts')).stopSession,
      },
    ],
  },
  {
    name: 'delete',
    summary: 'Delete a deployed bot.',
    load: async () => (await import('./delete.ts')).deleteAgent,
  },
];
