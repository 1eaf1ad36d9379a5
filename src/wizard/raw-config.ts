import { resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import { type RawConfig, scaffoldOptions } from '../config/options.ts';
import { callModeOf } from './choices.ts';
import { PRESET_FEATURES } from './features.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import { inOrderOf, madeBefore } from './present-answers.ts';
import type { Answers, Situation } from './step.ts';

/** The answers in the form that flags give, so that the same rules validate both. */
export function rawConfigOf(answers: Answers): RawConfig {
  const { client = '', transport, direction, more_transports: more = [], features = [], language } = answers;
  const answered: RawConfig = answers;
  const callMode = callModeOf(answers);
  const [framework, server] = client.split(' ');
  return {
    ...Object.fromEntries(scaffoldOptions.map(({ key }) => [key, answered[key]])),
    transports: transport === undefined ? more : [transport, ...more],
    ...(callMode ? { [callMode]: direction } : {}),
    client_framework: framework || undefined,
    client_server: server,
    language: language === DEFAULT_LANGUAGE.value ? undefined : language,
    ...Object.fromEntries(PRESET_FEATURES.map(key => [key, false])),
    ...Object.fromEntries(features.filter(key => key !== 'avatar').map(key => [key, true])),
  };
}

export function configOf(situation: Situation): ScaffoldConfig {
  const { answers, nameOf } = situation;
  // A bot that changes keeps its name, the order of its transports, and what nobody was asked about.
  const made = madeBefore(situation);
  const directoryName = made?.project_name ?? nameOf(answers.directory ?? '.');
  const config = resolveConfig({ flags: rawConfigOf(answers), directoryName });
  return made ? { ...config, transports: inOrderOf(made.transports, config.transports), ci: made.ci } : config;
}
