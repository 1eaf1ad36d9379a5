import { type RawConfig, scaffoldOptions } from '../config/options.ts';
import { callModeOf } from './choices.ts';
import type { Answers } from './step.ts';

/** The answers in the form that flags give, so that the same rules validate both. */
export function rawConfigOf(answers: Answers): RawConfig {
  const { transport, direction, more_transports: more = [], video_service: avatar, features = [] } = answers;
  const answered: RawConfig = answers;
  const callMode = callModeOf(answers);
  return {
    ...Object.fromEntries(scaffoldOptions.map(({ key }) => [key, answered[key]])),
    transports: [transport, ...more],
    ...(callMode ? { [callMode]: direction } : {}),
    video_service: avatar === 'none' ? undefined : avatar,
    ...Object.fromEntries(features.map(key => [key, true])),
  };
}
