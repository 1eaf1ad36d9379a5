import { runOptions } from '../../src/config/options.ts';
import { generatorModule, generatorTemplates } from '../../src/package-root.ts';
import { PROGRAM } from '../../src/program.ts';
import { guideFiles } from '../../src/project/files/guides.ts';
import { guideFooter } from '../../src/project/files/stamp.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';
import { VERSION } from '../../src/version.ts';
import { BotcliGenerator, type BotcliOptions } from '../base.ts';
import type { UsageExample } from '../help.ts';

export type GuideOptions = BotcliOptions & {
  /** Replaces existing guides. */
  overwriteGuide?: boolean;
  /** The names of guides to replace; the others are kept. */
  refreshed?: readonly string[];
  /** Also writes GETTING_STARTED.md, for people who build with a coding agent. */
  gettingStarted?: boolean;
};

/** The guide files for coding agents. Existing ones are kept unless `overwriteGuide` is set. */
export default class GuideGenerator extends BotcliGenerator<GuideOptions> {
  static readonly resolved = generatorModule('guide');

  protected override examples: readonly UsageExample[] = [
    ['', 'write the guides that are missing in this directory'],
    ['--overwrite-guide', 'replace existing guides with those of this version'],
  ];

  constructor(args: string[], options: GuideOptions) {
    super(args, options);
    // Yeoman would look in the directory of a subclass.
    this.sourceRoot(generatorTemplates('guide'));
    this.take(runOptions.overwriteGuide);
    this.take(runOptions.gettingStarted);
    this.desc(
      'Write the guides for coding agents, AGENTS.md and ASSISTANT.md.\n' +
        'Existing guides, including a GETTING_STARTED.md, are kept unless you pass --overwrite-guide.',
    );
  }

  writing(): void {
    const data = { program: PROGRAM, pipecat: PIPECAT_RELEASE, footer: guideFooter(VERSION) };
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
