import { PYPROJECT } from '../../existing/pyproject.ts';
import type { Facts } from './facts.ts';
import type { Check } from './finding.ts';

/** Whether what the code imports is there. */
export const packageChecks: readonly Check<Facts>[] = [
  {
    code: 'package-missing',
    level: 'warning',
    find: facts =>
      lacksFramework(facts) && {
        message: `${facts.place(PYPROJECT)} doesn't list pipecat-ai among its dependencies, and the bot needs it`,
        hint: 'Put its line back, such as from git, unless another package brings it.',
      },
  },
  {
    code: 'package-missing',
    level: 'warning',
    find(facts) {
      const { pyproject, requirements, place } = facts;
      const { extras } = pyproject;
      const known = extras?.get('pipecat-ai');
      if (!extras || extras.size === 0 || lacksFramework(facts)) return undefined;
      const lacking = [...requirements.extras].filter(([extra]) => !known?.includes(extra));
      return lacking.map(([extra, { className }]) => ({
        message: `${className} needs pipecat-ai[${extra}], and ${place(PYPROJECT)} doesn't list that extra`,
        hint: 'Add it, unless its packages are listed themselves.',
      }));
    },
  },
];

/** Whether the framework isn't required, and nothing else that is may bring it along. */
const lacksFramework = ({ pyproject: { extras, isUsual }, requirements: { modules } }: Facts): boolean =>
  isUsual === true &&
  extras !== undefined &&
  extras.size > 0 &&
  !extras.has('pipecat-ai') &&
  [...modules.keys()].some(name => name.split('.')[0] === 'pipecat');
