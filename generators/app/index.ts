import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScaffoldConfig } from '../../src/scaffold/config.ts';
import { processTerminal, type Terminal } from '../../src/terminal.ts';
import { ScaffoldGenerator, type ScaffoldOptions } from '../base.ts';
import BotGenerator from '../bot/index.ts';
import GuideGenerator, { type GuideOptions } from '../guide/index.ts';

export type AppOptions = ScaffoldOptions &
  Pick<GuideOptions, 'overwriteGuide' | 'refreshed'> & {
    /** Where to ask what no option says. Left out, it's this process's terminal. */
    terminal?: Terminal;
  };

/** A whole project: the bot and its guides, each by its own generator. */
export default class AppGenerator extends ScaffoldGenerator<AppOptions> {
  static readonly resolved = fileURLToPath(import.meta.url);

  constructor(args: string[], options: AppOptions) {
    super(args, options);
    this.option('overwrite-guide', { type: Boolean, description: 'Overwrite existing guide files' });
  }

  async initializing(): Promise<void> {
    const scaffold = (await this.asked()) ?? this.scaffold();
    await this.compose(BotGenerator, { scaffold });
    const { refreshed } = this.options;
    await this.compose(GuideGenerator, { overwriteGuide: this.given('overwrite-guide'), refreshed });
  }

  /** What a person answers, where there is one and no option says anything. */
  private async asked(): Promise<ScaffoldConfig | undefined> {
    if (this.options.scaffold || Object.values(this.typed()).some(value => value !== undefined)) return undefined;
    const { terminal = processTerminal() } = this.options;
    if (!terminal.interactive) return undefined;
    const { runWizard } = await import('../../src/wizard/index.ts');
    const surroundings = {
      problemOf: () => undefined,
      nameOf: () => basename(this.target()),
      hasBot: () => false,
      // Yeoman's own hosts refresh guides with --overwrite-guide.
      olderGuides: () => [],
    };
    return (await runWizard({ directory: '.', build: 'bot' }, surroundings, terminal)).config;
  }
}
