import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs, { type TemplateFunction } from 'ejs';
import { type GeneratorName, generatorTemplates } from '../package-root.ts';
import { html, js, json, md, py, pydoc, toml } from '../project/quote.ts';

/** Every value passes through a quoting function of the target language. */
const QUOTING = { html, js, json, md, py, pydoc, toml };

const pages = new Map<string, TemplateFunction>();

/** Renders a template of a generator. Each template is read and compiled once. */
export function renderTemplate(generator: GeneratorName, template: string, data: object): string {
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
