import { EXAMPLE_BOT } from '../../src/config/options.ts';
import { generatorModule, generatorTemplates } from '../../src/package-root.ts';
import { factsOf } from '../../src/project/facts.ts';
import { planBot } from '../../src/project/files/files.ts';
import { mergeIgnored } from '../../src/project/files/gitignore.ts';
import { writtenBy } from '../../src/project/files/stamp.ts';
import { VERSION } from '../../src/version.ts';
import type { UsageExample } from '../help.ts';
import { ScaffoldGenerator, type ScaffoldOptions } from '../scaffold.ts';

export type BotOptions = ScaffoldOptions;

/** The Python server of a bot: `server/`, README.md and .gitignore. */
export default class BotGenerator extends ScaffoldGenerator<BotOptions> {
  static readonly resolved = generatorModule('bot');

  protected override examples: readonly UsageExample[] = [[`my-bot ${EXAMPLE_BOT}`, 'my-bot/server and its README.md']];

  constructor(args: string[], options: BotOptions) {
    super(args, options);
    // Yeoman would look in the directory of a subclass.
    this.sourceRoot(generatorTemplates('bot'));
    this.desc(
      'Create only the server of a voice bot, without the web client and guides.\n' +
        'Client options only affect its README.md.',
    );
  }

  async writing(): Promise<void> {
    const facts = factsOf(await this.scaffold(), VERSION);
    for (const { template, destination } of planBot(facts)) {
      const contents = this.render(template, facts);
      if (destination === '.gitignore') this.ignore(contents);
      else if (destination === 'README.md') this.describe(contents);
      else this.put(destination, contents);
    }
  }

  /** Adds the missing lines to .gitignore. */
  private ignore(contents: string): void {
    this.put('.gitignore', mergeIgnored(this.existing('.gitignore'), contents), { replaces: true, ours: contents });
  }

  /** Keeps a README that botcli didn't write: ours then goes in `server/`. */
  private describe(contents: string): void {
    const theirs = this.existing('README.md');
    const isOurs = theirs === undefined || theirs === contents || writtenBy(theirs) !== undefined;
    if (!isOurs) this.keep('README.md');
    this.put(isOurs ? 'README.md' : 'server/README.md', contents);
  }
}
