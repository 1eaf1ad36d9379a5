import { UserError } from '../errors.ts';
import { findTransport } from './catalog/index.ts';
import type { ScaffoldConfig } from './config.ts';

/** What resolves, but can't be generated yet: a line each. */
export function notGeneratedYet(config: ScaffoldConfig): string[] {
  const telephony = config.transports.filter(id => findTransport(id).botType === 'telephony');
  return telephony.map(id => `transport ${id} (${findTransport(id).label})`);
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
    hint: 'What it makes today: web bots over rtc_local and rtc_hosted, in both modes, with every feature and client.',
  });
}
