import assert from 'node:assert/strict';
import { resolveConfig, type ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { UserError } from '../../src/errors.ts';

/** A bot with one transport and three services: valid, with no value that equals a default. */
export const LOCAL: RawConfig = {
  transports: ['rtc_local'],
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
};

export const PHONE: RawConfig = { ...LOCAL, transports: ['tel_a'] };

export const REALTIME: RawConfig = { transports: ['rtc_local'], mode: 'realtime', realtime_service: 'openai_realtime' };

/** The configuration that flags give, together with a file if there is one. */
export function resolveFlags(flags: RawConfig, file?: unknown, directoryName = 'my-bot'): ScaffoldConfig {
  return resolveConfig({ flags, file, fileName: 'bot.json', directoryName });
}

export const resolveFile = (file: unknown, flags: RawConfig = {}): ScaffoldConfig => resolveFlags(flags, file);

/** The problems of an invalid configuration. Fails if it has none. */
export function problemsOf(resolve: () => unknown): readonly string[] {
  try {
    resolve();
  } catch (error) {
    assert(error instanceof UserError, String(error));
    assert.deepEqual([error.exitCode, error.reason], [2, 'invalid-configuration']);
    return error.problems;
  }
  return assert.fail('nothing was refused');
}
