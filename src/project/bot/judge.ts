import type { ScaffoldConfig } from '../../config/config.ts';
import { renderImports } from '../../formats/python/import-statements.ts';
import { judgeOf } from '../variables/eval-model.ts';
import { renderModel, serviceImports, serviceNeeds } from './service-call.ts';

/** What `evals/judge.py` reads: Python that is ready to paste. */
export function judgeFactsOf(config: ScaffoldConfig) {
  const row = judgeOf(config);
  if (!row) return { judge: '', judgeImports: '', judgeClass: '', judgeCall: '', judgeHasOptionalEnv: false };
  const service = { kind: 'llm', row } as const;
  const standard = renderImports([{ module: 'os' }, { module: 'typing', names: ['Any'] }]);
  return {
    judge: row.label,
    judgeImports: `${standard}\n\n${renderImports(serviceImports([service]))}`,
    judgeClass: row.className,
    judgeCall: renderModel(row),
    judgeHasOptionalEnv: serviceNeeds([service]).hasOptionalEnv,
  };
}
