import { runOptions } from '../../src/config/options.ts';
import { QUICKSTART_DIRECTORY, quickstart } from '../../src/config/quickstart.ts';
import { generatorModule } from '../../src/package-root.ts';
import AppGenerator from '../app/index.ts';
import { BotcliGenerator, type BotcliOptions, type UsageExample } from '../base.ts';
import type { GuideOptions } from '../guide/index.ts';

type QuickstartOptions = BotcliOptions & Pick<GuideOptions, 'overwriteGuide' | 'refreshed'>;

/** The preset quickstart bot, in its own directory. */
export default class QuickstartGenerator extends BotcliGenerator<QuickstartOptions> {
  static readonly resolved = generatorModule('quickstart');

  override description = `Create a preset bot in ./${QUICKSTART_DIRECTORY}, unless you name another directory.`;
  protected override examples: readonly UsageExample[] = [['', 'a working bot that needs one API key']];
  protected override defaultDirectory = QUICKSTART_DIRECTORY;

  constructor(args: string[], options: QuickstartOptions) {
    super(args, options);
    this.take(runOptions.overwriteGuide);
    this.take(runOptions.force);
  }

  async initializing(): Promise<void> {
    this.beginRun();
    const { refreshed } = this.options;
    const overwriteGuide = this.given(runOptions.overwriteGuide);
    await this.compose(AppGenerator, { overwriteGuide, refreshed, scaffold: quickstart });
  }

  end(): void {
    this.printNext(quickstart);
  }
}

// What `require` returns.
export { QuickstartGenerator as 'module.exports' };
