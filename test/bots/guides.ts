import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { guidePages } from '../../src/package-root.ts';
import { blocksOf } from '../support/documents.ts';
import { run, runWell } from './processes.ts';
import type { Report } from './report.ts';
import { cleanEnvironment, ROOT, runUv, WORKSHOP } from './workshop.ts';

const GUIDES = join(WORKSHOP, 'guides');
const CHECK_GUIDES = join(import.meta.dirname, 'check_guides.py');
const CHECK_RECIPES = join(import.meta.dirname, 'check_recipes.py');

/** How a bot of the framework calls what the recipes define, for pyright. */
const USES = `from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.anthropic.llm import AnthropicLLMService
from pipecat.services.openai.llm import OpenAILLMService

from calls_7 import voicemail_detector
from flows_1 import ask_name
from flows_2 import start


async def use(worker: PipelineWorker, pair: LLMContextAggregatorPair) -> None:
    await start(worker, OpenAILLMService(api_key="k"), pair, ask_name())
    await start(worker, AnthropicLLMService(api_key="k"), pair, ask_name())
    voicemail_detector(AnthropicLLMService(api_key="k"))
`;

/** Names for code blocks of a language: `check_guides.py` treats each kind of file in its own way. */
const ENDINGS: Readonly<Record<string, string>> = { python: 'py', yaml: 'yaml', bash: 'sh' };

/** Checks the code on the pages of `botcli guide`, and the modules that AGENTS.md names. */
export async function checkGuides(report: Report, bin: string, ruff: string): Promise<void> {
  const subject = `${(await pages()).length} guides`;
  await writeBlocks();
  await report.check(subject, 'have Python without lint errors', async () => {
    await runUv(['tool', 'run', '--quiet', ruff, 'check', '--no-cache', '--extend-select', 'I,UP', GUIDES]);
    return ruff;
  });
  await report.check(subject, 'have Python without type errors (pyright)', async () => {
    const command = [join(bin, 'pyright'), '--pythonpath', join(bin, 'python'), GUIDES];
    const { code, stdout, stderr } = await run(command, { cwd: GUIDES, env: cleanEnvironment() });
    if (code !== 0) throw new Error(stdout + stderr);
    return stdout.trim();
  });
  await report.check(subject, 'run, load and name what the framework has', async () => {
    const texts = [join(ROOT, 'generators/guide/templates/AGENTS.md.ejs'), ...(await pages())];
    const command = [join(bin, 'python'), CHECK_GUIDES, GUIDES, ...texts];
    return (await runWell(command, { cwd: GUIDES, env: cleanEnvironment() })).stdout.trim();
  });
  await report.check(subject, 'have recipes that do what they say', async () => {
    const command = [join(bin, 'python'), CHECK_RECIPES, GUIDES];
    return (await runWell(command, { cwd: GUIDES, env: cleanEnvironment() })).stdout.trim();
  });
}

const pages = async (): Promise<string[]> => (await readdir(guidePages)).map(name => join(guidePages, name));

/** Writes each code block to a file. A block begins where the previous one of its page ended, so it's a module of its own. */
async function writeBlocks(): Promise<void> {
  await rm(GUIDES, { recursive: true, force: true });
  await mkdir(GUIDES, { recursive: true });
  await writeFile(join(GUIDES, 'ruff.toml'), 'line-length = 100\n');
  await writeFile(join(GUIDES, 'facts.md'), 'We open at nine.\n');
  await writeFile(join(GUIDES, 'uses.py'), USES);
  for (const page of await pages()) {
    const blocks = blocksOf(await readFile(page, 'utf8'));
    for (const [at, { language, text }] of blocks.entries()) {
      await writeFile(join(GUIDES, `${basename(page, '.md')}_${at + 1}.${ENDINGS[language]}`), text);
    }
  }
}
