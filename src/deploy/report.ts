import { UNKNOWN } from '../platform/cloud-error.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Built } from './build.ts';
import { hasPhone, isCallable } from './call/transport.ts';
import type { DeployOptions } from './inputs.ts';
import type { Job } from './job.ts';
import { facts } from './report-unchanged.ts';
import { describeDone, type rollOut } from './rollout.ts';

/** What a deploy did. */
interface Done extends Job {
  built: Built | undefined;
  done: Awaited<ReturnType<typeof rollOut>>;
  seconds: number;
  /** The results of the conversations, if some decided. */
  scenarios: readonly object[] | undefined;
  /** What to do about an agent that was tried first and is left. */
  left: string | undefined;
}

/** Prints the result of a deploy. */
export function report(job: Done, { json }: DeployOptions, terminal: Terminal): void {
  const { seen, done, plan, built, transport, seconds } = job;
  const { agentName } = job.wanted.deploy;
  const isElsewhere = done.region !== UNKNOWN && done.region !== plan.region;
  const { scenarios, left } = job;
  const odd = [
    ...(left === undefined ? [] : [left]),
    ...(built?.warning ? [built.warning] : []),
    ...(isElsewhere ? [`The platform runs ${agentName} in ${done.region}, not in ${plan.region}.`] : []),
  ];
  const warnings = [...plan.warnings, ...odd, ...(done.warning ? [done.warning] : [])];
  const next = nextAfter(job);
  if (json) {
    const outcome = seen.agent ? 'updated' : 'created';
    const decided = scenarios && { scenarios };
    terminal.printJson({
      ...facts(job, outcome, built),
      deployment: done.deployment,
      seconds,
      warnings,
      next,
      ...decided,
    });
    return;
  }
  terminal.print(describeDone(agentName, done));
  const meaning = done.isIdle ? 'The first call starts an instance.' : 'Ready means that the platform could start it.';
  if (!transport && !scenarios) terminal.note(`${meaning} botcli hasn't called it.`);
  for (const warning of odd) terminal.note(warning);
  if (done.warning) terminal.note(`The platform says: ${done.warning}`);
  terminal.note(['Next:', ...next.map(line => `  ${line}`)].join('\n'));
}

function nextAfter({ transport, seen: { organization }, wanted: { deploy, transports } }: Done): string[] {
  const about = (command: string) => `botcli cloud ${command} ${deploy.agentName} -o ${organization}`;
  return [
    ...(!transport && isCallable(transports) ? [about('call')] : []),
    ...(hasPhone(transports) ? [about('phone')] : []),
    about('status'),
    `botcli cloud logs ${deploy.agentName} --follow -o ${organization}`,
  ];
}
