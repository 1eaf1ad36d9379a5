import type { RawConfig } from './options.ts';

/** What people put work into, so that it goes only if they say so. */
const PRECIOUS = [
  ['client_framework', 'web client'],
  ['video_service', 'avatar'],
] as const;

/** The choices, and what people call them, that a project had and would lose with a new configuration. */
export const lostBetween = (before: RawConfig, after: RawConfig) =>
  PRECIOUS.filter(([key]) => isChosen(before[key]) && !isChosen(after[key]));

const isChosen = (value: unknown): boolean => typeof value === 'string' && value !== 'none';
