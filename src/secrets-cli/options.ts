import type { OptionSpec } from '../shell/command-line.ts';

// The options that several commands have.

export const organization = {
  flag: 'organization',
  short: 'o',
  kind: 'text',
  placeholder: 'name',
  help: 'Organization to work in (default: the one chosen with botcli cloud organizations select)',
} as const satisfies OptionSpec;

export const region = {
  flag: 'region',
  short: 'r',
  kind: 'text',
  placeholder: 'code',
  help: "Region to store it in, such as eu-central (default: the organization's, typically us-west)",
} as const satisfies OptionSpec;

export const skip = {
  flag: 'skip',
  short: 's',
  kind: 'switch',
  help: 'Skip confirmations',
} as const satisfies OptionSpec;

/** Every command has these. */
export const common = [
  { flag: 'json', kind: 'switch', help: 'Print the result, or the error, as JSON' },
  { flag: 'debug', kind: 'switch', help: 'Show each request (method, path, status, time) on stderr' },
] as const satisfies readonly OptionSpec[];
