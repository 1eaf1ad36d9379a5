import { type RawConfig, scaffoldOptions } from '../config/options.ts';
import { callModeOf, DEFAULT_LANGUAGE } from './choices.ts';
import type { Answers } from './step.ts';

/** The answers in the form that flags give, so that the same rules validate both. */
export function rawConfigOf(answers: Answers): RawConfig {
  const { transport, direction, more_transports: more = [], video_service: avatar, features = [], language } = answers;
  const answered: RawConfig = answers;
  const callMode = callModeOf(answers);
  return {
    ...Object.fromEntries(scaffoldOptions.map(({ key }) => [key, answered[key]])),
    transports: [transport, ...more],
    ...(callMode ? { [callMode]: direction } : {}),
    video_service: avatar === 'none' ? undefined : avatar,
    language: language === DEFAULT_LANGUAGE.value ? undefined : language,
    ...Object.fromEntries(features.map(key => [key, true])),
  };
}
