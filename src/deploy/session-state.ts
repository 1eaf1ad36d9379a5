import type { BotSession } from '../platform/agent-schemas.ts';

/** Whether a session has ended. */
export const isOver = ({ endedAt, endState }: BotSession): boolean =>
  endedAt !== undefined || (endState !== undefined && endState !== 'active');

/** `active`, or how it ended. */
export const stateOf = ({ endState, endedAt }: BotSession): string => endState ?? (endedAt ? 'ended' : 'active');
