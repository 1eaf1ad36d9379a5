import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs, { type TemplateFunction } from 'ejs';
import { isPublished, PROGRAM } from '../about.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { type GeneratorName, generatorTemplates } from '../package-root.ts';
import { clientFactsOf, planClient } from '../project/client.ts';
import { factsOf } from '../project/facts.ts';
import { footerOf, guideFiles, planBot } from '../project/files/files.ts';
import { QUOTING } from '../project/quote.ts';
import { PIPECAT_RELEASE } from '../project/release.ts';
import { VERSION } from '../version.ts';

/** The texts of rendered files, by their paths in the project. What a directory gets of them, `placeFiles` decides. */
type Rendered = ReadonlyMap<string, string>;

/** Renders the files of each generator. Depends on nothing else. */
export const render = {
  /** The bot's server, README.md and .gitignore. */
  bot(config: ScaffoldConfig): Rendered {
    const facts = factsOf(config, VERSION);
    return renderFiles('bot', planBot(facts), facts);
  },

  /** The web client; no files if the bot has none. */
  client(config: ScaffoldConfig): Rendered {
    const facts = clientFactsOf(config);
    return renderFiles('client', planClient(facts), facts);
  },

  /** All guides for coding agents, with the one that is written only on request. */
  guides: (): Rendered =>
    renderFiles('guide', guideFiles, {
      program: PROGRAM,
      isPublished: isPublished(VERSION),
      pipecat: PIPECAT_RELEASE,
      footer: footerOf(VERSION, true),
    }),
};

/** Renders every file that a project may have. */
export const renderProject = (config: ScaffoldConfig): Rendered =>
  new Map([...render.bot(config), ...render.client(config), ...render.guides()]);

function renderFiles(
  generator: GeneratorName,
  files: readonly { template: string; destination: string }[],
  data: object,
): Rendered {
  return new Map(files.map(({ template, destination }) => [destination, renderTemplate(generator, template, data)]));
}

const pages = new Map<string, TemplateFunction>();

/** Renders a template of a generator. Each template is read and compiled once. */
function renderTemplate(generator: GeneratorName, template: string, data: object): string {
  const path = join(generatorTemplates(generator), template);
  const page = pages.get(path) ?? compile(path);
  pages.set(path, page);
  return page({ ...data, ...QUOTING });
}

function compile(path: string): TemplateFunction {
  const source = readFileSync(path, 'utf8');
  // Only these have tags. For the others, compiling would take longer than all the rest.
  return path.endsWith('.ejs') ? ejs.compile(source, { filename: path, cache: true }) : () => source;
}
