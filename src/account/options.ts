import type { OptionSpec } from '../shell/command-line.ts';

// Options shared by several commands.

export const organization = {
  flag: 'organization',
  short: 'o',
  kind: 'text',
  placeholder: 'name',
  help: 'Organization to use (default: the one selected with botcli cloud organizations select)',
} as const satisfies OptionSpec;

export const region = {
  flag: 'region',
  short: 'r',
  kind: 'text',
  placeholder: 'code',
  help: "Region to store it in, such as eu-central (default: the organization's, usually us-west)",
} as const satisfies OptionSpec;

export const skip = {
  flag: 'skip',
  short: 's',
  kind: 'switch',
  help: 'Skip the confirmation',
} as const satisfies OptionSpec;

/** The options of every command. */
export const common = [
  { flag: 'json', kind: 'switch', help: 'Print the result or the error as JSON' },
  { flag: 'debug', kind: 'switch', help: 'Log requests (method, path, status, time) to stderr' },
] as const satisfies readonly OptionSpec[];
