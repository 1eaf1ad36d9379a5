import type { ScaffoldConfig } from 'generator-botcli';
import Bot, { type BotOptions } from 'generator-botcli/generators/bot';
import Guide, { type GuideOptions } from 'generator-botcli/generators/guide';
import Generator from 'yeoman-generator';

const guide: GuideOptions = { directory: 'bot', gettingStarted: true };
const bot: BotOptions = { directory: 'bot', transport: ['rtc_local'], mode: 'cascade', stt: 'openai_stt' };

/** Composes by class. */
export class Composer extends Generator {
  async initializing() {
    await this.composeWith<Guide>({ Generator: Guide, path: Guide.resolved }, guide);
    await this.composeWith<Guide>({ Generator: Guide, path: Guide.resolved }, { overwriteGuide: true });
    await this.composeWith<Guide>('botcli:guide', { generatorOptions: { directory: 'bot' } });
    await this.composeWith<Bot>({ Generator: Bot, path: Bot.resolved }, bot);
    // @ts-expect-error There is no such option.
    await this.composeWith<Guide>({ Generator: Guide, path: Guide.resolved }, { overwriteGuides: true });
    // @ts-expect-error Its value is true or false.
    await this.composeWith<Guide>({ Generator: Guide, path: Guide.resolved }, { overwriteGuide: 'yes' });
    // @ts-expect-error There is no such option.
    await this.composeWith<Bot>({ Generator: Bot, path: Bot.resolved }, { ...bot, transports: ['rtc_local'] });
    // @ts-expect-error There is no such mode.
    await this.composeWith<Bot>({ Generator: Bot, path: Bot.resolved }, { ...bot, mode: 'fast' });
  }
}

/** Writes the guides and another file. */
export class Extended extends Guide {
  constructor(args: string[], options: GuideOptions) {
    super(args, { ...options, directory: 'bot' });
  }

  override writing() {
    super.writing();
    this.put('RULES.md', `ours in ${this.options.directory}\n`);
  }
}

/** Reads a resolved configuration, and passes one as an option. */
export const transportsOf = (config: ScaffoldConfig): readonly string[] => config.transports;
export const fromConfig = (scaffold: ScaffoldConfig): BotOptions => ({ scaffold });
