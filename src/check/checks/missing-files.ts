import { DEPLOY_FILE } from '../../existing/deploy-file.ts';
import { PYPROJECT } from '../../existing/pyproject.ts';
import { BOT, CALL_SERVER } from '../../existing/python/files.ts';
import { featuresOf } from '../../project/features.ts';
import { STATE_FILE } from '../../project/files/state.ts';
import { shellPath } from '../../shells.ts';
import { listed } from '../../text.ts';
import { type Facts, inDirectory } from './facts.ts';
import type { Check, Detail } from './finding.ts';

/** Whether the files of the project's choices exist. */
export const fileChecks: readonly Check<Facts>[] = [
  {
    code: 'missing-files',
    find: (facts, level) =>
      describeMissing(facts, path =>
        level === 'error' ? isEssential(path, facts) : !isEssential(path, facts) && !isForDeploy(path, facts),
      ),
  },
];

/** Whether nothing works without a file. */
function isEssential(path: string, { project, requirements }: Facts): boolean {
  const { hasCallServer } = featuresOf(project.config);
  const needed = [BOT, PYPROJECT, 'client', 'client/package.json', ...(hasCallServer ? [CALL_SERVER] : [])];
  return needed.includes(path) || requirements.imported.has(path);
}

/** Whether a file is missing for the deploy that is checked. */
export const isForDeploy = (path: string, { isDeploying }: Pick<Facts, 'isDeploying'>): boolean =>
  isDeploying && (path === DEPLOY_FILE || path === BUILD_FILE);

const BUILD_FILE = 'server/container-file';

const MOST_NAMES = 5;

/** What to say about the missing files of a kind. */
export function describeMissing(
  { missing, restorable, place }: Facts,
  isMeant: (path: string) => boolean,
): Detail | undefined {
  const paths = missing.filter(isMeant);
  if (paths.length === 0) return undefined;
  const message = `Missing: ${listed(paths.map(place), MOST_NAMES)}`;
  if (paths.every(path => restorable.has(path))) {
    return { message, fix: { command: `git checkout -- ${paths.map(path => shellPath(place(path))).join(' ')}` } };
  }
  if (paths.length === 1 && paths[0] === 'client') {
    return {
      message,
      hint: 'Restore it. To go on without it, tell botcli.',
      fix: { command: inDirectory('botcli update --client-framework none', place('')) },
    };
  }
  return {
    message,
    hint: 'Create the project again in another directory, and copy them from there.',
    fix: { command: `botcli init fresh-copy --config ${shellPath(place(STATE_FILE))}` },
  };
}
