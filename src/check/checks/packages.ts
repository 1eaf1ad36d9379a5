import { pathsOf } from '../../existing/modules.ts';
import { PYPROJECT } from '../../existing/pyproject.ts';
import type { Facts } from './facts.ts';
import type { Check } from './finding.ts';

/** Whether what the code imports is there. */
export const packageChecks: readonly Check<Facts>[] = [
  {
    code: 'package-missing',
    level: 'error',
    find: facts =>
      lacksFramework(facts) && {
        message: `${facts.place(PYPROJECT)} doesn't list pipecat-ai among its dependencies, and the bot needs it`,
        hint: 'Put its line back, such as from git.',
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
  {
    code: 'module-missing',
    find: ({ missingModules, missing, place }, level) =>
      missingModules
        // A module whose file is missing according to another finding isn't named again.
        .filter(
          one =>
            one.isSure === (level === 'error') &&
            !pathsOf(one.module, one.importer).some(path => missing.includes(path)),
        )
        .map(({ module, importer }) => ({
          message: `${place(importer)} imports ${module}, but the project has no such module, and ${place(PYPROJECT)} no package with a similar name`,
          hint: 'Add the file, or the package: uv add NAME',
        })),
  },
];

/** Whether the framework isn't required, and nothing else that is may bring it along. */
const lacksFramework = ({ pyproject: { extras, isUsual }, requirements: { modules } }: Facts): boolean =>
  isUsual === true &&
  extras !== undefined &&
  extras.size > 0 &&
  !extras.has('pipecat-ai') &&
  [...modules.keys()].some(name => name.split('.')[0] === 'pipecat');
