import { EXAMPLE_BOT } from '../../src/config/options.ts';
import { usageError } from '../../src/errors.ts';
import { generatorModule, generatorTemplates } from '../../src/package-root.ts';
import { clientFactsOf } from '../../src/project/client/facts.ts';
import { planClient } from '../../src/project/client/files.ts';
import type { UsageExample } from '../help.ts';
import { ScaffoldGenerator, type ScaffoldOptions } from '../scaffold.ts';

export type ClientOptions = ScaffoldOptions;

/** The web client of a bot: `client/`. */
export default class ClientGenerator extends ScaffoldGenerator<ClientOptions> {
  static readonly resolved = generatorModule('client');

  protected override examples: readonly UsageExample[] = [
    [`my-bot ${EXAMPLE_BOT} --client-framework component`, 'my-bot/client, with React'],
  ];

  constructor(args: string[], options: ClientOptions) {
    super(args, options);
    // Yeoman would look in the directory of a subclass.
    this.sourceRoot(generatorTemplates('client'));
    this.desc(
      'Create only the web client of a voice bot. Pass --client-framework and the options of the bot, because the ' +
        'client must match it.',
    );
  }

  async writing(): Promise<void> {
    const facts = clientFactsOf(await this.scaffold());
    if (!facts.hasClient) {
      throw usageError('No client selected: pass --client-framework component or vanilla.');
    }
    for (const { template, destination } of planClient(facts)) this.put(destination, this.render(template, facts));
  }
}
