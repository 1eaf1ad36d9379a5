import type { ScaffoldConfig } from '../../config/config.ts';
import { renderImports } from '../../formats/python/import-statements.ts';
import { judgeOf } from '../variables/eval-model.ts';
import { renderModel, serviceImports, serviceNeeds } from './service-call.ts';

/** What `evals/judge.py` reads: Python that is ready to paste. */
export function judgeFactsOf(config: ScaffoldConfig) {
  const row = judgeOf(config);
  if (!row) return { judge: '', judgeImports: '', judgeClass: '', judgeCall: '' };
  const service = { kind: 'llm', row } as const;
  const { hasOptionalEnv } = serviceNeeds([service]);
  const blocks = [
    renderImports([{ module: 'os' }, { module: 'typing', names: ['Any'] }]),
    renderImports(serviceImports([service])),
    ...(hasOptionalEnv ? [renderImports([{ module: 'env', names: ['optional_env'] }])] : []),
  ];
  return {
    judge: row.label,
    judgeImports: blocks.join('\n\n'),
    judgeClass: row.className,
    judgeCall: renderModel(row),
  };
}
