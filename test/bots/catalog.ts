import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_KINDS, type ServiceKind, type ServiceRow, services } from '../../src/scaffold/catalog/index.ts';
import { PIPECAT_RELEASE } from '../../src/scaffold/release.ts';
import { runWell } from './processes.ts';
import { isMade, makeProject, serviceProjects } from './projects.ts';
import { checkAll, expectNone, type Report } from './report.ts';
import { runUv, WORKSHOP } from './workshop.ts';

const CHECK_CATALOG = join(import.meta.dirname, 'check_catalog.py');

/** Level 1: the catalogue against the pinned release: what its rows name exists, and what they need can be installed. */
export async function checkCatalog(report: Report, only?: string): Promise<void> {
  const chosen = (id: string) => !only || only === id;
  for (const kind of SERVICE_KINDS) {
    const rows = services[kind].filter(({ id }) => chosen(id));
    if (rows.length === 0) continue;
    const subject = `${kind}: ${rows.length} services`;
    await report.check(subject, `exist in pipecat-ai ${PIPECAT_RELEASE}`, () => exist(kind, rows));
    const projects = serviceProjects().filter(
      project => project.kind === kind && chosen(project.name) && isMade(project),
    );
    if (projects.length === 0) continue;
    await report.check(`${kind}: ${projects.length} projects`, 'resolve', () =>
      checkAll(projects, async project => {
        await resolve(await makeProject(project, join(WORKSHOP, 'catalogue')), project.row);
      }),
    );
  }
}

/** Resolves a project, development packages included, for every platform and from its oldest Python on. */
async function resolve(directory: string, { python }: ServiceRow): Promise<void> {
  const compile = ['pip', 'compile', '--quiet', '--universal', '--group', 'dev', 'pyproject.toml'];
  await runUv([...compile, '--python-version', python ?? '3.11'], join(directory, 'server'));
}

/** Modules, classes, parameters, settings and extras. */
async function exist(kind: ServiceKind, rows: readonly ServiceRow[]): Promise<string> {
  const input = JSON.stringify(rows.map(row => usedBy(kind, row)));
  const { stdout } = await runWell(['python3', CHECK_CATALOG, await unpackWheel()], { cwd: WORKSHOP, input });
  const problems: Record<string, string[]> = JSON.parse(stdout);
  const lines = Object.entries(problems).flatMap(([id, list]) => list.map(problem => `${id}: ${problem}`));
  return expectNone(lines, 'module, class, parameters, settings, extras');
}

/** What a generated bot uses of a service. A language model gets its system instruction, too. */
function usedBy(kind: ServiceKind, row: ServiceRow) {
  const { id, module, className, extras, args = [], settings = [], session } = row;
  const speaks = kind === 'llm' || kind === 'realtime';
  return {
    id,
    module,
    className,
    extras,
    args: [...args.map(({ name }) => name), ...(session ? [session] : [])],
    settings: [...settings.map(({ name }) => name), ...(speaks ? ['system_instruction'] : [])],
  };
}

/** The release as installed without its dependencies. The wheel holds every service. */
async function unpackWheel(): Promise<string> {
  const directory = join(WORKSHOP, 'wheel', PIPECAT_RELEASE);
  if (!existsSync(directory)) {
    await runUv(['pip', 'install', '--quiet', '--no-deps', '--target', directory, `pipecat-ai==${PIPECAT_RELEASE}`]);
  }
  return directory;
}
