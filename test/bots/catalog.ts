import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  extrasOf,
  isEnglish,
  LANGUAGES,
  moduleOf,
  SERVICE_KINDS,
  type ServiceKind,
  type ServiceRow,
  services,
} from '../../src/catalog/index.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { factsOf } from '../../src/project/facts.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';
import { inLanguage } from '../../src/project/variables.ts';
import { unique } from '../../src/std.ts';
import { serviceProjects } from '../support/projects.ts';
import { leftOut } from './left-out.ts';
import { runWell } from './processes.ts';
import type { Project } from './projects.ts';
import { checkAll, expectNone, type Report } from './report.ts';
import { runUv, WORKSHOP } from './workshop.ts';

/** Level 1: checks that the catalog's services exist in the pinned release, and that their packages are installable. */
export async function checkCatalog(report: Report, only?: string): Promise<void> {
  const chosen = (id: string) => !only || only === id;
  for (const kind of SERVICE_KINDS) {
    const rows = services[kind].filter(({ id }) => chosen(id));
    if (rows.length === 0) continue;
    const subject = `${kind}: ${rows.length} services`;
    await report.check(subject, `exist in pipecat-ai ${PIPECAT_RELEASE}`, async () => {
      return expectNone(await findProblems(kind, rows), 'module, class, parameters, settings, extras, languages');
    });
    const projects = serviceProjects().filter(project => project.kind === kind && chosen(project.name));
    await report.check(subject, "their projects' packages resolve", () => checkAll(projects, resolve));
  }
  if (only) return;
  await report.check('all kinds', 'are complete', checkCompleteness);
}

/** Every service of the release is offered, or omitted with a reason. */
async function checkCompleteness(): Promise<string> {
  const rows = SERVICE_KINDS.flatMap(kind => services[kind]);
  const known = [...rows.map(({ className }) => className), ...Object.values(leftOut).flat()];
  return expectNone(
    await compareWithRelease({ known }),
    'each service of the release is offered, or left out with a reason',
  );
}

/** The differences between rows, with the languages that people can choose, and the release. */
function findProblems(kind: ServiceKind, rows: readonly ServiceRow[]): Promise<string[]> {
  const codes = (row: ServiceRow) => [null, 'en', otherLanguage(row)];
  const used = rows.flatMap(row => codes(row).map(code => JSON.stringify(usedBy(kind, row, code))));
  return compareWithRelease({ rows: unique(used).map(row => JSON.parse(row)), languages: LANGUAGES });
}

/** The differences from the release, whose wheel is unpacked on first use, one line each. */
async function compareWithRelease(order: object): Promise<string[]> {
  const directory = join(WORKSHOP, 'wheel', PIPECAT_RELEASE);
  if (!existsSync(directory)) {
    const requirement = `pipecat-ai==${PIPECAT_RELEASE}`;
    await runUv(['pip', 'install', '--quiet', '--no-deps', '--target', directory, requirement], process.cwd());
  }
  const command = ['python3', join(import.meta.dirname, 'check_catalog.py'), directory];
  return JSON.parse((await runWell(command, { cwd: WORKSHOP, input: JSON.stringify(order) })).stdout);
}

/** A language other than English that a service knows, if it knows one. */
const otherLanguage = ({ languages = ['de'] }: ServiceRow): string => languages.find(code => !isEnglish(code)) ?? 'en';

/** The parts of a service that a bot with this language uses. For a language model, that includes its system instruction. */
function usedBy(kind: ServiceKind, row: ServiceRow, language: string | null) {
  const { id, className, languages = null, session } = row;
  const { args, settings } = inLanguage(row, language);
  const { ownTurns = false, ignoresContext = false, sees = false, typed = null } = row;
  const { answersEach = false, socket = null } = row;
  const takesInstruction = (kind === 'llm' || kind === 'realtime') && !row.ownInstruction;
  const given = (name: string) => ({ name, code: 'None' });
  const hasOwnRate = kind === 'tts' && row.onlyRate !== undefined;
  return {
    id,
    module: moduleOf(row),
    className,
    extras: extrasOf(row),
    languages,
    ...(kind === 'realtime' ? { ownTurns, ignoresContext, sees, typed, socket } : {}),
    ...(kind === 'stt' ? { answersEach, socket } : {}),
    args: [...args, ...(session ? [given(session)] : []), ...(hasOwnRate ? [given('sample_rate')] : [])],
    settings: [...settings, ...(takesInstruction ? [given('system_instruction')] : [])],
  };
}

/** What was resolved, by Python and requirements: half of the services need the same packages as another one. */
const resolved = new Map<string, Promise<void>>();

/** Resolves a project's packages, including development packages, for every platform and every supported Python. */
function resolve({ name, config }: Project): Promise<void> {
  const facts = factsOf(resolveConfig({ flags: config, directoryName: name }), '0.0.0');
  const requirements = [...facts.dependencies, ...facts.developmentDependencies].join('\n');
  const key = `${facts.python}\n${requirements}`;
  const resolution = resolved.get(key) ?? compile(name, facts.python, requirements);
  resolved.set(key, resolution);
  return resolution;
}

async function compile(name: string, python: string, requirements: string): Promise<void> {
  const directory = join(WORKSHOP, 'catalog');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${name}.in`), requirements);
  await runUv(['pip', 'compile', '--quiet', '--universal', '--python-version', python, `${name}.in`], directory);
}
