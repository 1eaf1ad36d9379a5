import { usageError } from '../../src/errors.ts';
import { generatorModule, generatorTemplates } from '../../src/package-root.ts';
import { clientFactsOf } from '../../src/scaffold/client-facts.ts';
import { planClient } from '../../src/scaffold/client-files.ts';
import { ScaffoldGenerator, type ScaffoldOptions } from '../base.ts';

/** The web client of a bot: `client/`. */
export default class ClientGenerator extends ScaffoldGenerator {
  static readonly resolved = generatorModule('client');

  constructor(args: string[], options: ScaffoldOptions) {
    super(args, options);
    // Yeoman would look beside the class that extends this one.
    this.sourceRoot(generatorTemplates('client'));
  }

  async writing(): Promise<void> {
    const facts = clientFactsOf(await this.scaffold());
    if (!facts.hasClient) {
      throw usageError('Nothing says which client to make: pass --client-framework component or vanilla.');
    }
    for (const { template, destination } of planClient(facts)) this.put(destination, this.render(template, facts));
  }
}
