import { hintOf, UserError } from '../errors.ts';
import type { Build } from '../platform/agent-schemas.ts';
import type { Builds } from '../platform/builds.ts';
import { buildCause, failedStep } from './causes.ts';
import { excludedBy } from './context/context.ts';
import type { Job } from './job.ts';
import { type Steps, short } from './steps.ts';

export const goneError = (id: string): UserError =>
  new UserError(`Build ${short(id)} is gone: the platform no longer has it`, {
    reason: 'build-failed',
    hint: 'Nothing was deployed. Run the same command again, to build these files anew.',
  });

/** Says what a wait that ended too early means for a build. */
export function explainWait(error: UserError, build: string, job: Job, steps: Steps): UserError {
  const facts = { phase: 'build', build };
  if (error.reason === 'build-failed') return error.withMessage(error.message, { facts });
  const watch = `To watch it, run: ${logCommand(build, job)}\nRun the same command to continue.`;
  const more = { hint: hintOf(error.hint, watch), facts };
  if (error.reason === 'interrupted') {
    return error.withMessage('Interrupted. The build goes on; nothing is deployed.', more);
  }
  const message = error.message
    ? `The state of the build is unknown, and nothing is deployed. ${error.message}`
    : `The build goes on, but it isn't finished after ${steps.phaseTime()}. Nothing is deployed.`;
  return error.withMessage(message, more);
}

const logCommand = (build: string, { wanted, seen }: Job): string =>
  `botcli cloud logs ${wanted.deploy.agentName} --build ${build} -o ${seen.organization}`;

/** A build that failed, with the failed step of its log and the cause. */
export async function buildError(build: Build, job: Job, builds: Builds): Promise<UserError> {
  const { deploy, upload } = job.wanted;
  const log = await builds.log(build.id).catch(() => []);
  const lines = failedStep(log);
  const why = build.errorMessage ? `: ${build.errorMessage}` : '';
  const cause = buildCause(lines, path => upload && excludedBy(upload, path));
  return new UserError(build.status === 'timeout' ? `The build took too long${why}` : `The build failed${why}`, {
    reason: 'build-failed',
    problems: lines,
    hint: hintOf(
      cause,
      `Nothing was deployed: ${deploy.agentName} is as it was.`,
      `The whole log: ${logCommand(build.id, job)}`,
    ),
    facts: { phase: 'build', build: build.id, log: lines },
  });
}
