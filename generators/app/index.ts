import { generatorModule } from '../../src/package-root.ts';
import { ScaffoldGenerator, type ScaffoldOptions } from '../base.ts';
import BotGenerator from '../bot/index.ts';
import ClientGenerator from '../client/index.ts';
import GuideGenerator from '../guide/index.ts';

export type AppOptions = ScaffoldOptions & { overwriteGuide?: boolean };

/** A whole project: the bot, its web client and its guides, each by its own generator. */
export default class AppGenerator extends ScaffoldGenerator<AppOptions> {
  static readonly resolved = generatorModule('app');

  constructor(args: string[], options: AppOptions) {
    super(args, options);
    this.option('overwrite-guide', { type: Boolean, description: 'Overwrite existing guide files' });
  }

  async initializing(): Promise<void> {
    const scaffold = this.scaffold();
    await this.compose(BotGenerator, { scaffold });
    if (scaffold.generate_client) await this.compose(ClientGenerator, { scaffold });
    await this.compose(GuideGenerator, { overwriteGuide: this.given('overwrite-guide') });
  }
}
