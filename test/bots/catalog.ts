import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_KINDS, services } from '../../src/catalog/index.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { factsOf } from '../../src/project/facts.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';
import { type Project, serviceProjects } from './projects.ts';
import { findProblems, findUnknown, unpackRelease } from './release.ts';
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
      const problems = await findProblems(await unpackRelease(PIPECAT_RELEASE), kind, rows);
      return expectNone(problems, 'module, class, parameters, settings, extras, languages');
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
  const unknown = await findUnknown(await unpackRelease(PIPECAT_RELEASE), rows);
  return expectNone(
    unknown.map(({ module, className }) => `${module}.${className} is neither offered nor excluded`),
    'each service of the release is offered, or left out with a reason',
  );
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
