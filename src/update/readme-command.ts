import { type ScaffoldOption, scaffoldOptions } from '../config/options.ts';
import type { ProjectState } from '../project/files/state.ts';
import { sortWords } from '../shell/command-line.ts';

/**
 * The state of a project without a state file, from the command in its README that creates it again. It has no hashes:
 * what botcli wrote can only be rendered.
 */
export function stateFromReadme(text: string): ProjectState | undefined {
  const commands = [...text.matchAll(/^npx (?:generator-)?botcli@(\S+) init \. (.+)$/gm)];
  const [, version, line] = commands.at(-1) ?? [];
  if (!version || !line || !/^<!-- Written by botcli \S+ -->\s*$/m.test(text)) return undefined;
  const { values, booleans, problems } = sortWords([wordsOf(line)], scaffoldOptions);
  if (problems.length > 0) return undefined;
  const choices = scaffoldOptions.map(({ key, flag, kind }: ScaffoldOption): [string, unknown] => {
    const given = values.get(flag);
    return [key, kind === 'boolean' ? booleans.get(flag) : kind === 'list' ? given : given?.[0]];
  });
  const given = choices.filter(([, value]) => value !== undefined);
  return { version, choices: Object.fromEntries(given), files: new Map() };
}

/** The words of a line that `shellWord` quoted: plain, or in single quotes with `'\''` for a quote. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\'/g, (quoted, inner: string | undefined) => inner ?? quoted.slice(1)),
  );
