import { callSetups } from '../catalog/call-setup.ts';
import { type TransportRow, transports } from '../catalog/index.ts';

/** The transports over which phones reach a bot. */
export const PHONES: readonly TransportRow[] = transports.filter(({ id }) => callSetups[id]);

/** Whether phones reach a bot with these transports. */
export const hasPhone = (own: readonly string[]): boolean => PHONES.some(({ id }) => own.includes(id));
