import { EXAMPLE_BOT } from '../../src/config/options.ts';
import { generatorModule } from '../../src/package-root.ts';
import { render } from '../../src/rendering/project.ts';
import { ScaffoldGenerator, type ScaffoldOptions, type UsageExample } from '../base.ts';

export type BotOptions = ScaffoldOptions;

/** The Python server of a bot: `server/`, README.md and .gitignore. */
export default class BotGenerator extends ScaffoldGenerator<BotOptions> {
  static readonly resolved = generatorModule('bot');

  override description =
    'Create only the server of a voice bot, without the web client and guides.\n' +
    'Client options only affect its README.md.';

  protected override examples: readonly UsageExample[] = [[`my-bot ${EXAMPLE_BOT}`, 'my-bot/server and its README.md']];

  async writing(): Promise<void> {
    this.putAll(render.bot(await this.scaffold()));
  }
}

// What `require` returns.
export { BotGenerator as 'module.exports' };
