/**
 * Whether a text may differ from what somebody typed: Node replaces bytes that aren't UTF-8 in arguments, environment
 * variables, paths, and answers to prompts.
 */
export const isDamaged = (text: string): boolean => text.includes('\uFFFD');

/** What is wrong with a damaged text, after its name. */
export const DAMAGED = "contains bytes that aren't UTF-8 (or U+FFFD)";
