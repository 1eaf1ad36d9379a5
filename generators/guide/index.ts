import { runOptions } from '../../src/config/options.ts';
import { generatorModule } from '../../src/package-root.ts';
import type { GuideWishes } from '../../src/project/files/files.ts';
import { render } from '../../src/rendering/project.ts';
import { BotcliGenerator, type BotcliOptions, type UsageExample } from '../base.ts';

export type GuideOptions = BotcliOptions & GuideWishes;

/** The guide files for coding agents. Existing ones are kept unless `overwriteGuide` is set. */
export default class GuideGenerator extends BotcliGenerator<GuideOptions> {
  static readonly resolved = generatorModule('guide');

  override description =
    'Write the guides for coding agents, AGENTS.md and ASSISTANT.md.\n' +
    'Existing guides, including a GETTING_STARTED.md, are kept unless you pass --overwrite-guide.';

  protected override examples: readonly UsageExample[] = [
    ['', 'write the guides that are missing in this directory'],
    ['--overwrite-guide', 'replace existing guides with those of this version'],
  ];

  constructor(args: string[], options: GuideOptions) {
    super(args, options);
    this.take(runOptions.overwriteGuide);
    this.take(runOptions.gettingStarted);
  }

  initializing(): void {
    this.beginRun();
    this.wishes();
  }

  writing(): void {
    this.putAll(render.guides(), this.wishes());
  }

  private wishes(): GuideWishes {
    return {
      overwriteGuide: this.given(runOptions.overwriteGuide),
      refreshed: this.options.refreshed,
      gettingStarted: this.given(runOptions.gettingStarted),
    };
  }
}

// What `require` returns.
export { GuideGenerator as 'module.exports' };
