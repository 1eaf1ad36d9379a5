import { basename } from 'node:path';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { EXAMPLE_BOT, runOptions } from '../../src/config/options.ts';
import { usageError } from '../../src/errors.ts';
import { generatorModule } from '../../src/package-root.ts';
import { placeState } from '../../src/project/files/files.ts';
import { createTerminal, type Terminal } from '../../src/shell/terminal.ts';
import { VERSION } from '../../src/version.ts';
import { ScaffoldGenerator, type ScaffoldOptions, type UsageExample } from '../base.ts';
import BotGenerator from '../bot/index.ts';
import ClientGenerator from '../client/index.ts';
import GuideGenerator, { type GuideOptions } from '../guide/index.ts';

export type { ScaffoldConfig } from '../../src/config/config.ts';

type AppOptions = ScaffoldOptions &
  Pick<GuideOptions, 'overwriteGuide' | 'refreshed'> & {
    /** The terminal to ask on. Default: this process's terminal. */
    terminal?: Terminal;
  };

/** A whole project: the bot, its web client and its guides, each from its own generator. */
export default class AppGenerator extends ScaffoldGenerator<AppOptions> {
  static readonly resolved = generatorModule('app');

  override description =
    'Create a voice bot: its server, its web client if you choose one, and guides for coding agents.\n' +
    'Without bot options, it asks questions in a terminal. To list all values, run botcli init --list-options';

  protected override examples: readonly UsageExample[] = [
    ['', 'questions in a terminal'],
    [`my-bot ${EXAMPLE_BOT}`, 'a bot with the services you choose'],
  ];

  #asked = false;
  /** The command that creates the same bot without questions. */
  #repeat: readonly string[] = [];
  #scaffold!: ScaffoldConfig;
  readonly #placed: NonNullable<ScaffoldOptions['placed']> = [];

  constructor(args: string[], options: AppOptions) {
    super(args, options);
    this.take(runOptions.overwriteGuide);
  }

  override async initializing(): Promise<void> {
    this.beginRun();
    const asked = await this.ask();
    this.#asked = asked !== undefined;
    const scaffold = asked ?? (await this.scaffold());
    this.#scaffold = scaffold;
    const placed = this.#placed;
    await this.compose(BotGenerator, { scaffold, placed });
    if (scaffold.generate_client) await this.compose(ClientGenerator, { scaffold, placed });
    const { refreshed } = this.options;
    await this.compose(GuideGenerator, { overwriteGuide: this.given(runOptions.overwriteGuide), refreshed, placed });
  }

  /** Yeoman runs this when every generator has written. */
  transform(): void {
    const read = (path: string) => this.existing(path);
    this.putPlaced(placeState(this.#scaffold, VERSION, this.#placed, { read }));
  }

  async end(): Promise<void> {
    if (!this.#asked) return this.printNext(this.#scaffold);
    const { repeatLines } = await import('../../src/config/command.ts');
    this.printNext(this.#scaffold, repeatLines(this.#repeat));
  }

  /** Asks for the configuration, if this is a terminal and no scaffold option was passed. */
  private async ask(): Promise<ScaffoldConfig | undefined> {
    if (this.options.scaffold || Object.values(this.typed()).some(value => value !== undefined)) return undefined;
    const { terminal = createTerminal(process) } = this.options;
    if (!terminal.interactive) {
      throw usageError(`Nothing to do: pass options.\n${terminal.cannotAskReason}. For a bot: ${EXAMPLE_BOT}`);
    }
    const { runWizard } = await import('../../src/wizard/index.ts');
    const surroundings = {
      problemOf: () => undefined,
      nameOf: () => basename(this.target()),
      hasBot: () => false,
      hasFiles: () => false,
      missingGuides: () => [],
      madeAs: () => undefined,
      // Yeoman's own hosts refresh guides with --overwrite-guide.
      olderGuides: () => [],
    };
    const { config, repeat } = await runWizard({ directory: this.directory(), build: 'bot' }, surroundings, terminal);
    this.#repeat = repeat ?? [];
    return config;
  }
}

// What `require` returns.
export { AppGenerator as 'module.exports' };
