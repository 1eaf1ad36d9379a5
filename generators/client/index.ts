import { EXAMPLE_BOT } from '../../src/config/options.ts';
import { usageError } from '../../src/errors.ts';
import { generatorModule } from '../../src/package-root.ts';
import { render } from '../../src/rendering/project.ts';
import { ScaffoldGenerator, type ScaffoldOptions, type UsageExample } from '../base.ts';

export type ClientOptions = ScaffoldOptions;

/** The web client of a bot: `client/`. */
export default class ClientGenerator extends ScaffoldGenerator<ClientOptions> {
  static readonly resolved = generatorModule('client');

  override description =
    'Create only the web client of a voice bot. Pass --client-framework and the options of the bot, because the ' +
    'client must match it.';

  protected override examples: readonly UsageExample[] = [
    [`my-bot ${EXAMPLE_BOT} --client-framework component`, 'my-bot/client, with React'],
  ];

  override async initializing(): Promise<void> {
    await super.initializing();
    const { generate_client } = await this.scaffold();
    if (!generate_client) throw usageError('No client selected: pass --client-framework component or vanilla.');
  }

  async writing(): Promise<void> {
    this.putAll(render.client(await this.scaffold()));
  }
}

// What `require` returns.
export { ClientGenerator as 'module.exports' };
