import { basename } from 'node:path';
import { generatorModule } from '../../src/package-root.ts';
import type { ScaffoldConfig } from '../../src/scaffold/config.ts';
import { nextSteps, stepLines } from '../../src/scaffold/next-steps.ts';
import { processTerminal, type Terminal } from '../../src/terminal.ts';
import { ScaffoldGenerator, type ScaffoldOptions } from '../base.ts';
import BotGenerator from '../bot/index.ts';
import ClientGenerator from '../client/index.ts';
import GuideGenerator, { type GuideOptions } from '../guide/index.ts';

export type AppOptions = ScaffoldOptions &
  Pick<GuideOptions, 'overwriteGuide' | 'refreshed'> & {
    /** Where to ask what no option says. Left out, it's this process's terminal. */
    terminal?: Terminal;
  };

/** A whole project: the bot, its web client and its guides, each by its own generator. */
export default class AppGenerator extends ScaffoldGenerator<AppOptions> {
  static readonly resolved = generatorModule('app');

  /** The configuration that a person has chosen, if one was asked. */
  #asked: ScaffoldConfig | undefined;

  constructor(args: string[], options: AppOptions) {
    super(args, options);
    this.option('overwrite-guide', { type: Boolean, description: 'Overwrite existing guide files' });
  }

  async initializing(): Promise<void> {
    this.#asked = await this.ask();
    const scaffold = this.#asked ?? (await this.scaffold());
    await this.compose(BotGenerator, { scaffold });
    if (scaffold.generate_client) await this.compose(ClientGenerator, { scaffold });
    const { refreshed } = this.options;
    await this.compose(GuideGenerator, { overwriteGuide: this.given('overwrite-guide'), refreshed });
  }

  end(): void {
    if (this.#asked) this.log(['', 'Next:', ...stepLines(nextSteps(this.#asked, '.'))].join('\n'));
  }

  /** What a person answers, where there is one and no option says anything. */
  private async ask(): Promise<ScaffoldConfig | undefined> {
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
    const given = { directory: '.', build: 'bot' } as const;
    // yo ends with an error's `code`.
    const decision = await runWizard(given, surroundings, terminal).catch(error => {
      throw Object.assign(error, { code: error.exitCode });
    });
    return decision.config;
  }
}
