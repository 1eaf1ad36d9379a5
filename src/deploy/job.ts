import type { CloudSession } from '../account/session.ts';
import type { TransportRow } from '../catalog/index.ts';
import type { UserError } from '../errors.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import type { AgentSettings } from '../platform/agents.ts';
import type { Cloud } from '../platform/cloud.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { DeployOptions } from './inputs.ts';
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

/** The conversations that decide whether a deployment stays. */
export interface Gate {
  /** The files with the conversations, as paths in the project. */
  paths: readonly string[];
  /** Whether an agent of its own is tried before the real one is deployed. */
  isFirst: boolean;
  /** Prepares what the conversations need, before anything is deployed: packages here, and a public key there. */
  open(job: Job, options: DeployOptions, tools: Tools): Promise<OpenGate>;
}

/** A gate through which a deployment goes. */
interface OpenGate {
  /**
   * Tries a change with an agent of its own, if that is wanted.
   *
   * @throws {UserError} It hasn't passed. The real agent is as it was.
   */
  before(change: Change): Promise<{ scenarios: readonly object[]; left: string | undefined } | undefined>;
  /**
   * Lets the conversations decide about a deployment. Returns their results.
   *
   * @throws {UserError} Not all have passed, or it's unknown whether they have.
   */
  decide(deployment: string): Promise<readonly object[]>;
  /**
   * Brings back what was deployed before. Returns the error that says what was wrong, and what is deployed now.
   *
   * @param since Since when the new deployment has been ready, as in `Date.now()`; undefined if it never was.
   */
  takeBack(error: UserError, since: number | undefined): Promise<UserError>;
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
  /** The conversations that decide whether it stays; undefined if none do. */
  gate: Gate | undefined;
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
