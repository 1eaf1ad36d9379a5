import { defineCommand } from '../shell/command-line.ts';
import { deployOptions } from './inputs.ts';

/** The command `botcli cloud deploy`. */
export const deploy = defineCommand({
  description:
    "Builds the image in the cloud and waits until the new deployment is ready. It's safe to run again: it continues " +
    'where it stopped.\n' +
    'Settings come from server/cloud-deploy.toml. Ready means that the platform could start the bot; a call may still fail.',
  arguments: [{ name: 'directory', isPath: true, help: 'A directory in the project (default: this one)' }],
  options: deployOptions,
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
