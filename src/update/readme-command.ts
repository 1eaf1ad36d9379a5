import { type ScaffoldOption, scaffoldOptions } from '../config/options.ts';
import { usageError } from '../errors.ts';
import { excerpt } from '../printable.ts';
import { isVersion, type ProjectState } from '../project/files/state.ts';
import { sortWords } from '../shell/command-line.ts';
import { shellWords } from '../shells.ts';

/** The README that botcli wrote, whatever follows it: in `server/` if the directory had one of its own. */
export const findReadme = (read: (path: string) => string | undefined): string | undefined =>
  ['server/README.md', 'README.md'].find(path => stampIn(read(path) ?? ''));

/** What wrote a README, according to its last line, which others may follow. */
const stampIn = (text: string): string | undefined => /^<!-- Written by botcli (\S+)\. -->\s*$/m.exec(text)?.[1];

/**
 * The state of a project without a state file, from the command in its README that creates it again. It has no hashes:
 * what botcli wrote can only be rendered.
 *
 * @throws {UserError} Exit code 2: its version isn't one.
 */
export function stateFromReadme(text: string): ProjectState | undefined {
  const commands = [...text.matchAll(/^(?:npx (?:generator-)?botcli@(\S+)|botcli) init \. (.{1,4000})$/gm)];
  const [, named, line] = commands.at(-1) ?? [];
  const stamp = stampIn(text);
  if (!stamp || !line) return undefined;
  const version = named ?? stamp;
  if (!isVersion(version)) throw noRelease(version);
  const { values, booleans, problems } = sortWords([shellWords(line)], scaffoldOptions);
  if (problems.length > 0) return undefined;
  const choices = scaffoldOptions.map(({ key, flag, kind }: ScaffoldOption): [string, unknown] => {
    const given = values.get(flag);
    return [key, kind === 'boolean' ? booleans.get(flag) : kind === 'list' ? given : given?.[0]];
  });
  const given = choices.filter(([, value]) => value !== undefined);
  return { version, choices: Object.fromEntries(given), files: new Map() };
}

const noRelease = (version: string) =>
  usageError(`README.md says that botcli "${excerpt(version)}" wrote this project, which isn't a version`, {
    reason: 'not-a-project',
    hint: 'Say how the project was made: botcli update --config FILE',
  });
