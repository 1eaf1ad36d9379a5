import { common, organization, skip } from '../account/session.ts';
import { isName } from '../platform/names.ts';
import type { Invocation, OptionSpec } from '../shell/command-line.ts';

export const deployOptions = [
  {
    flag: 'config',
    kind: 'text',
    placeholder: 'path',
    help: 'Use this deploy file instead of server/cloud-deploy.toml',
  },
  {
    flag: 'secrets',
    kind: 'text',
    placeholder: 'file',
    help: 'Also update the secret set with the keys of this file that the bot reads',
  },
  { flag: 'env-file', kind: 'text', placeholder: 'file', help: 'The old name of --secrets', hidden: true },
  { flag: 'build', kind: 'text', placeholder: 'id', help: 'Deploy this build instead of building these files' },
  { flag: 'force', kind: 'switch', help: 'Deploy again though nothing changed, such as after new secret values' },
  { flag: 'call', kind: 'switch', help: 'At the end, call the bot once, as botcli cloud call does' },
  {
    flag: 'gate',
    kind: 'words',
    placeholder: 'name',
    help: 'Have these test conversations with it (default: all in text), and go back unless all pass',
  },
  {
    flag: 'gate-first',
    kind: 'switch',
    help: 'Have them with an agent of its own first, and deploy only if all pass',
  },
  { flag: 'dry-run', kind: 'switch', help: 'Show the plan and all files, and change nothing' },
  { flag: 'timeout', kind: 'text', placeholder: 'minutes', help: 'How long everything may take (default: 20)' },
  skip,
  organization,
  ...common,
] as const satisfies readonly OptionSpec[];

export type DeployOptions = Invocation<[], typeof deployOptions>['options'];

/** The agent that `--gate-first` tries before the real one. */
export const nextName = (agent: string): string => `${agent}-next`;

/** The option for the organization that was typed: without it, a command takes the same one anyway. */
export const inTyped = (organization: string | undefined): string =>
  organization !== undefined && isName(organization) ? ` -o ${organization}` : '';
