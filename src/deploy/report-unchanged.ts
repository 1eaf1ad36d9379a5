import type { Terminal } from '../shell/terminal.ts';
import type { Built } from './build.ts';
import type { DeployOptions } from './inputs.ts';
import type { Job } from './job.ts';
import { short } from './steps.ts';

/** Prints what a deploy would do. */
export function reportTrial(lines: readonly string[], job: Job, { json }: DeployOptions, terminal: Terminal): void {
  if (json) {
    terminal.printJson({ ...facts(job, 'planned', undefined), ...untouched(job) });
    return;
  }
  terminal.print(lines.join('\n'));
  terminal.note('This was a dry run: nothing was changed.');
}

/** Says that there is nothing to deploy. */
export function reportUnchanged(job: Job, { json }: DeployOptions, terminal: Terminal): void {
  const { plan, seen, wanted } = job;
  const deployment = seen.agent?.desiredDeploymentId ?? null;
  if (json) {
    const built = plan.build && { id: plan.build.id, cached: true, seconds: null };
    terminal.printJson({ ...facts(job, 'unchanged', built), deployment, ...untouched(job) });
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
