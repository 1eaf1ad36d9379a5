import type { UserError } from '../errors.ts';
import type { Build } from '../platform/agent-schemas.ts';
import { type Secret, warnAboutBlank, warnAboutReading } from '../platform/secret.ts';
import { type Plan as KeyPlan, planChange } from '../secret-sets/plan.ts';
import { warnAboutLocal } from '../this-computer.ts';
import type { Seen } from './look.ts';
import { isReferenced, problemsOf, refusal } from './plan-problems.ts';
import type { Wanted } from './read.ts';
import { differences, hasScaling } from './settings.ts';
import { judge } from './verdict.ts';

/** What a deploy will do. */
interface Plan {
  region: string;
  /** The secrets to set; empty if the set stays as it is. */
  secrets: readonly Secret[];
  keys: KeyPlan;
  /** The build to use: found, or given. */
  build: Build | undefined;
  /** Whether to deploy at all: if not, the agent already runs this. */
  isUnchanged: boolean;
  /** Whether only the scaling changes. */
  isSame: boolean;
  /** Whether the platform rolls out just this already, so that nothing is left but to wait. */
  isUnderWay: boolean;
  /** Whether to make a new deployment although nothing that the platform looks at changes. */
  forceRedeploy: boolean;
  warnings: readonly string[];
  /** Everything that the platform would refuse later; undefined if that is nothing. */
  refusal: UserError | undefined;
}

/** How the command was called. */
interface Wish {
  force: boolean;
  /** Whether botcli may ask, so that it may propose to send what is in `server/.env`. */
  mayAsk: boolean;
}

/**
 * Decides what a deploy will do, or would do if the platform didn't refuse it.
 *
 * @throws {UserError} There is no region for it.
 */
export function planDeploy(wanted: Wanted, seen: Seen, wish: Wish): Plan {
  const { deploy, upload } = wanted;
  const { agent, set, organization } = seen;
  const region = seen.region ?? deploy.region;
  const secrets = secretsToSet(wanted, seen, wish);
  const existing = set?.type === 'secret' ? set.set.keys : [];
  const keys = planChange(existing, { set: secrets.map(({ key }) => key) });
  const problems = problemsOf(wanted, seen, keys);
  const refused = problems.length > 0 || region === undefined ? refusal(problems, organization) : undefined;
  if (region === undefined) throw refused;
  const build = upload ? builtBefore(wanted, seen) : seen.chosen;
  const isSameContent =
    deploy.image !== undefined
      ? agent?.deployment?.buildId === undefined && agent?.deployment?.manifest?.spec?.image === deploy.image
      : build !== undefined && agent?.deployment?.buildId === build.id;
  const isForced = wish.force || secrets.length > 0;
  const isSettled = agent !== undefined && isSameContent && differences(agent, deploy).length === 0 && !isForced;
  const expected = { before: undefined, buildId: build?.id, image: deploy.image, hasScaling: () => true };
  const state = isSettled ? judge(agent, expected, true).kind : undefined;
  const isRunning = state === 'ready';
  // Without the newest deployment itself, nothing says that this is what it runs.
  const isRollingOut = state === 'waiting' && agent?.deployment?.id === agent?.desiredDeploymentId;
  const isThere = isRunning || isRollingOut;
  const isScaled = agent !== undefined && hasScaling(agent, deploy);
  return {
    region,
    secrets,
    keys,
    build: build ?? seen.builds.find(({ status }) => !['failed', 'timeout'].includes(status)),
    isUnchanged: isRunning && isScaled,
    isSame: isThere && !isScaled,
    isUnderWay: isRollingOut && isScaled,
    refusal: refused,
    // The platform makes no new deployment of what it has deployed before, and doesn't show all settings.
    forceRedeploy: !isThere && (isForced || isSameContent || deploy.image !== undefined),
    warnings: [
      ...(upload?.warnings ?? []),
      ...warnAboutLocal(secrets),
      ...warnAboutReading(secrets),
      ...warnAboutBlank(wanted.blank ?? []),
      ...(agent?.git ? ['GitHub deploys this agent, too: the next push replaces what botcli deploys.'] : []),
    ],
  };
}

/** The build of these files: the one that runs, or another one that succeeded. */
function builtBefore({ deploy, upload }: Wanted, { running, region, builds }: Seen): Build | undefined {
  const isSame =
    running?.status === 'success' &&
    running.contextHash === upload?.hash &&
    running.dockerfilePath === deploy.dockerfile &&
    running.region === region;
  return isSame ? running : builds.find(({ status }) => status === 'success');
}

/** Only what the bot reads: the keys of the server for calls stay on this computer. */
function secretsToSet(
  { deploy, requirements, ownValues, fileValues }: Wanted,
  { set }: Seen,
  { mayAsk }: Wish,
): Secret[] {
  if (deploy.secretSet === undefined) return [];
  const read = ({ key }: Secret) => requirements.inBot.has(key) || requirements.inCloud.includes(key);
  if (fileValues) return fileValues.filter(read);
  const existing = set?.type === 'secret' ? set.set.keys : [];
  const lacking = requirements.inCloud.filter(key => !existing.includes(key));
  if (!mayAsk || lacking.length === 0 || isReferenced(set)) return [];
  return ownValues.filter(secret => read(secret) && !existing.includes(secret.key));
}
