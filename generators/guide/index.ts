import { runOptions } from '../../src/config/options.ts';
import { generatorModule, generatorTemplates } from '../../src/package-root.ts';
import { guideFiles } from '../../src/project/guides.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';
import { guideFooter } from '../../src/project/stamp.ts';
import { VERSION } from '../../src/version.ts';
import { BotcliGenerator, type BotcliOptions } from '../base.ts';
import type { UsageExample } from '../help.ts';

export type GuideOptions = BotcliOptions & {
  /** Replaces guides that are there. */
  overwriteGuide?: boolean;
  /** The names of guides that are replaced, the others being kept. */
  refreshed?: readonly string[];
  /** Writes GETTING_STARTED.md, too, for a person who builds with a coding agent. */
  gettingStarted?: boolean;
};

/** The guide files for coding agents. Those that are there are kept, unless `overwriteGuide` is set. */
export default class GuideGenerator extends BotcliGenerator<GuideOptions> {
  static readonly resolved = generatorModule('guide');

  protected override examples: readonly UsageExample[] = [
    ['', 'guides in this directory, where there are none'],
    ['--overwrite-guide', 'those of this version instead of older ones'],
  ];

  constructor(args: string[], options: GuideOptions) {
    super(args, options);
    // Yeoman would look beside the class that extends this one.
    this.sourceRoot(generatorTemplates('guide'));
    this.take(runOptions.overwriteGuide);
    this.take(runOptions.gettingStarted);
    this.desc(
      'Write the guides for coding agents, AGENTS.md and ASSISTANT.md.\n' +
        'Those that exist are kept, unless you say otherwise; a GETTING_STARTED.md that exists is treated like them.',
    );
  }

  writing(): void {
    const data = { version: VERSION, pipecat: PIPECAT_RELEASE, footer: guideFooter(VERSION) };
    for (const { template, destination, isOnRequest } of guideFiles) {
      if (isOnRequest && !this.given(runOptions.gettingStarted) && this.existing(destination) === undefined) continue;
      this.guide(destination, this.render(template, data));
    }
  }

  private guide(path: string, contents: string): void {
    const existing = this.existing(path);
    const replaces = this.given(runOptions.overwriteGuide) === true || this.options.refreshed?.includes(path) === true;
    if (existing === undefined || existing === contents || replaces) {
      this.put(path, contents, { replaces });
    } else {
      this.keep(path);
    }
  }
}
