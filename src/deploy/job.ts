import type { CloudSession } from '../account/session.ts';
import type { TransportRow } from '../catalog/index.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import type { AgentSettings } from '../platform/agents.ts';
import type { Cloud } from '../platform/cloud.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Seen } from './look.ts';
import type { planDeploy } from './plan.ts';
import type { Wanted } from './read.ts';
import type { Steps } from './steps.ts';
import type { Expected } from './verdict.ts';

/** The time that a command has, and what ends it. */
interface Limits {
  signal: AbortSignal;
  /** As in `Date.now()`. */
  deadline: number;
}

/** A deploy of which everything is decided. */
export interface Job {
  wanted: Wanted;
  seen: Seen;
  plan: ReturnType<typeof planDeploy>;
  limits: Limits;
  session: CloudSession;
  /** How to call the bot in the end; undefined if it isn't called. */
  transport: TransportRow | undefined;
}

/** What a job is carried out with. */
export interface Tools extends Limits {
  cloud: Cloud;
  steps: Steps;
  terminal: Terminal;
}

/** A change to deploy. */
export interface Change {
  organization: string;
  name: string;
  /** The agent as it was seen before the change was planned; undefined if it's new. */
  seen: Agent | undefined;
  /** Whether it was sent before, so that only the wait is left. */
  isSent?: boolean;
  settings: AgentSettings;
  expected: Expected;
  /** What is deployed from this computer; undefined if it's an earlier deployment. */
  wanted: Wanted | undefined;
  /** The keys of the secret set, if they are known. */
  keys: readonly string[] | undefined;
}
