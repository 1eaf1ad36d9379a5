import { extrasOf, findTransport } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { unique } from '../../unique.ts';
import {
  EVAL_COMMAND_REQUIREMENTS,
  PIPECAT_RELEASE,
  PIPECATCLOUD_REQUIREMENT,
  WHISKER_REQUIREMENT,
} from '../release.ts';
import type { ChosenService } from '../variables/environment.ts';
import { judgeOf } from '../variables/eval-model.ts';
import { transcriberOf } from './instructions.ts';

const FRAMEWORK_EXTRAS = ['runner', 'silero'];

/** The extra with the voice of the person in spoken evals. */
const EVAL_VOICE = 'kokoro';

/** The packages that a bot runs with, as pyproject.toml requires them. */
export function dependenciesOf(config: ScaffoldConfig, services: readonly ChosenService[]): string[] {
  const extras = unique([
    ...FRAMEWORK_EXTRAS,
    ...services.flatMap(({ row }) => extrasOf(row)),
    ...config.transports.flatMap(id => findTransport(id).extras),
  ]).sort();
  return [
    `pipecat-ai[${extras.join(',')}]==${PIPECAT_RELEASE}`,
    ...services.flatMap(({ row }) => row.packages ?? []),
    ...config.transports.flatMap(id => findTransport(id).packages ?? []),
    ...(config.deploy_to_cloud ? [PIPECATCLOUD_REQUIREMENT] : []),
    ...(config.enable_observability ? [WHISKER_REQUIREMENT] : []),
  ];
}

export function developmentDependencies(config: ScaffoldConfig, services: readonly ChosenService[]): string[] {
  const known = services.flatMap(({ row }) => extrasOf(row));
  const judge = judgeOf(config);
  const own = judge ? extrasOf(judge).filter(extra => !known.includes(extra)) : [];
  const checks = ['pyright>=1.1.409,<2', 'ruff>=0.15,<1'];
  if (!config.enable_eval) return checks;
  const extras = unique([...own, EVAL_VOICE, transcriberOf(config)])
    .sort()
    .join(',');
  return [`pipecat-ai[${extras}]==${PIPECAT_RELEASE}`, ...EVAL_COMMAND_REQUIREMENTS, ...checks];
}
