import type { ScaffoldConfig } from '../config/config.ts';
import type { GeneratorName } from '../package-root.ts';
import { isPublished, PROGRAM } from '../program.ts';
import { clientFactsOf } from '../project/client/facts.ts';
import { planClient } from '../project/client/files.ts';
import { factsOf } from '../project/facts.ts';
import { planBot } from '../project/files/files.ts';
import { guideFiles } from '../project/files/guides.ts';
import { guideFooter } from '../project/files/stamp.ts';
import { PIPECAT_RELEASE } from '../project/release.ts';
import { VERSION } from '../version.ts';
import { renderTemplate } from './templates.ts';

/** The texts of rendered files, by their paths in the project. What a directory gets of them, `placeFiles` decides. */
type Rendered = ReadonlyMap<string, string>;

/** Renders every file that a project may have: the bot, its web client, and the guides. Depends on nothing else. */
export const renderProject = (config: ScaffoldConfig): Rendered =>
  new Map([...renderBot(config), ...renderClient(config), ...renderGuides()]);

/** The bot's server, README.md and .gitignore. */
export function renderBot(config: ScaffoldConfig): Rendered {
  const facts = factsOf(config, VERSION);
  return renderFiles('bot', planBot(facts), facts);
}

/** The web client; no files if the bot has none. */
export function renderClient(config: ScaffoldConfig): Rendered {
  const facts = clientFactsOf(config);
  return renderFiles('client', planClient(facts), facts);
}

/** All guides for coding agents, with the one that is written only on request. */
export const renderGuides = (): Rendered =>
  renderFiles('guide', guideFiles, {
    program: PROGRAM,
    isPublished: isPublished(VERSION),
    pipecat: PIPECAT_RELEASE,
    footer: guideFooter(VERSION),
  });

function renderFiles(
  generator: GeneratorName,
  files: readonly { template: string; destination: string }[],
  data: object,
): Rendered {
  return new Map(files.map(({ template, destination }) => [destination, renderTemplate(generator, template, data)]));
}
