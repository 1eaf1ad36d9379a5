import type { Agent } from '../platform/agent-schemas.ts';
import type { AgentSettings } from '../platform/agents.ts';
import type { Expected } from './verdict.ts';

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
  /** Values to hide in logs. */
  values: readonly string[];
  secretSet: string | undefined;
  /** The keys of the set, if they are known. */
  keys: readonly string[] | undefined;
}
