import type { CloudSession } from '../account/session.ts';
import type { TransportRow } from '../catalog/index.ts';
import type { Seen } from './look.ts';
import type { Plan } from './plan.ts';
import type { Wanted } from './read.ts';
import type { Limits } from './waiting.ts';

/** A deploy of which everything is decided. */
export interface Job {
  wanted: Wanted;
  seen: Seen;
  plan: Plan;
  limits: Limits;
  session: CloudSession;
  /** How to call the bot in the end; undefined if it isn't called. */
  transport: TransportRow | undefined;
}
