import type { PlannedFile } from '../planned-file.ts';

/** Which clients a file or a package is for. */
export type Condition = NonNullable<PlannedFile['when']>;

export const isReact: Condition = facts => facts.isReact;
export const isVite: Condition = facts => facts.isVite;
export const isNext: Condition = facts => facts.isNext;
export const isVanilla: Condition = facts => facts.isVanilla;
export const isReactOnVite: Condition = facts => facts.isReact && facts.isVite;
