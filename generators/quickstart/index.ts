import { generatorModule } from '../../src/package-root.ts';
import { QUICKSTART_DIRECTORY, quickstart } from '../../src/scaffold/quickstart.ts';
import AppGenerator from '../app/index.ts';
import { BotcliGenerator, type BotcliOptions } from '../base.ts';
import type { GuideOptions } from '../guide/index.ts';

export type QuickstartOptions = BotcliOptions & Pick<GuideOptions, 'overwriteGuide' | 'refreshed'>;

/** The fixed quickstart bot, in its own directory. */
export default class QuickstartGenerator extends BotcliGenerator<QuickstartOptions> {
  static readonly resolved = generatorModule('quickstart');

  async initializing(): Promise<void> {
    const { directory = QUICKSTART_DIRECTORY, refreshed } = this.options;
    const overwriteGuide = this.given('overwrite-guide');
    await this.compose(AppGenerator, { directory, overwriteGuide, refreshed, scaffold: quickstart });
  }
}
