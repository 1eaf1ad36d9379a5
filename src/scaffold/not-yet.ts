import { UserError } from '../errors.ts';
import type { ScaffoldConfig } from './config.ts';

/** What resolves, but can't be generated yet: a line each. */
export function notGeneratedYet(config: ScaffoldConfig): string[] {
  return config.generate_client ? [`client framework ${config.client_framework}`] : [];
}

/**
 * The configuration itself, when all of it can be generated.
 *
 * @throws {UserError} What can't be, a line each.
 */
export function requireGeneratable(config: ScaffoldConfig): ScaffoldConfig {
  const problems = notGeneratedYet(config);
  if (problems.length === 0) return config;
  throw new UserError('This release cannot generate all of this yet; nothing was written:', {
    reason: 'not_generated_yet',
    exitCode: 2,
    problems,
    hint: 'What it makes today: web and telephony bots, in both modes and with every feature.',
  });
}
