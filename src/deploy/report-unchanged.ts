import type { Terminal } from '../shell/terminal.ts';
import type { Built } from './build.ts';
import type { DeployOptions } from './inputs.ts';
import type { Job } from './job.ts';
import { short } from './steps.ts';

/**
 * Prints what a deploy would do.
 *
 * @throws {UserError} What the platform would refuse, after the plan.
 */
export function reportTrial(lines: readonly string[], job: Job, { json }: DeployOptions, terminal: Terminal): void {
  const { refusal } = job.plan;
  const planned = { ...facts(job, 'planned', undefined), ...untouched(job) };
  if (json && refusal) throw refusal.withMessage(refusal.message, { facts: { ...planned, ...refusal.facts } });
  if (json) {
    terminal.printJson(planned);
    return;
  }
  terminal.print(lines.join('\n'));
  terminal.note('This was a dry run: nothing was changed.');
  if (refusal) throw refusal;
}

/** Says that there is nothing to deploy. */
export function reportUnchanged(
  job: Job & { scenarios: readonly object[] | undefined },
  { json }: DeployOptions,
  terminal: Terminal,
): void {
  const { plan, seen, wanted, scenarios } = job;
  const deployment = seen.agent?.desiredDeploymentId ?? null;
  if (json) {
    const built = plan.build && { id: plan.build.id, cached: true, seconds: null };
    terminal.printJson({
      ...facts(job, 'unchanged', built),
      deployment,
      ...untouched(job),
      ...(scenarios && { scenarios }),
    });
    return;
  }
  for (const warning of plan.warnings) terminal.note(warning);
  terminal.print(
    `Nothing to deploy: ${wanted.deploy.agentName} already runs this (deployment ${short(deployment ?? '')})`,
  );
  terminal.note('If secret values changed since, add --force.');
}

/** The other fields, of a deploy that changes nothing. */
const untouched = ({ plan: { warnings } }: Job) => ({ seconds: 0, warnings, next: [] });

/** The fields of JSON that every deploy has. */
export function facts({ wanted, seen, plan }: Job, outcome: string, built: Built | undefined) {
  const { upload, deploy } = wanted;
  const { add, replace, keep } = plan.keys;
  return {
    agent: deploy.agentName,
    organization: seen.organization,
    region: plan.region,
    outcome,
    deployment: null as string | null,
    previous_deployment: seen.agent?.desiredDeploymentId ?? null,
    build: built ? { id: built.id, cached: built.cached, seconds: built.seconds } : null,
    context: upload ? { files: upload.files.length, bytes: upload.bytes, hash: upload.hash } : null,
    secrets: { added: add, replaced: replace, kept: keep },
  };
}
