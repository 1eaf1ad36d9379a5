import { common, organization, skip } from '../account/options.ts';
import { defineCommand, type Invocation, type OptionSpec } from '../shell/command-line.ts';

const options = [
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
  { flag: 'dry-run', kind: 'switch', help: 'Show the plan and all files, and change nothing' },
  { flag: 'timeout', kind: 'text', placeholder: 'minutes', help: 'How long everything may take (default: 20)' },
  skip,
  organization,
  ...common,
] as const satisfies readonly OptionSpec[];

export type DeployOptions = Invocation<[], typeof options>['options'];

/** The command `botcli cloud deploy`. */
export const deploy = defineCommand({
  description:
    "Builds the image in the cloud and waits until the new deployment is ready. It's safe to run again: it continues " +
    'where it stopped.\n' +
    'Settings come from server/cloud-deploy.toml. Ready means that the platform could start the bot; a call may still fail.',
  arguments: [{ name: 'directory', isPath: true, help: 'A directory in the project (default: this one)' }],
  options,
  examples: [
    { line: 'botcli cloud deploy', description: 'show the plan, then ask' },
    { line: 'botcli cloud deploy --dry-run', description: 'show the plan and the files that would be sent' },
    { line: 'botcli cloud deploy --secrets server/.env --skip', description: 'in a script, with the secrets' },
    { line: 'botcli cloud deploy --call', description: 'also call the bot, and check that it speaks' },
  ],
  // Its code reads projects and speaks to the platform; help needs neither.
  async run({ positionals: { directory = '.' }, options }, terminal) {
    const { runDeploy } = await import('./run-deploy.ts');
    await runDeploy(directory, options, terminal);
  },
});
