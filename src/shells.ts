export type Environment = Readonly<Record<string, string | undefined>>;

/** How a shell reads a command line. */
interface Shell {
  /** Words that need no quotes. */
  plain: RegExp;
  quote(word: string): string;
  /** Whether a backslash at the end of a line continues it. */
  continuesLines: boolean;
  /** Its names for programs that the others have. */
  programs: Readonly<Record<string, string>>;
}

const POSIX: Shell = {
  plain: /^[\w@%+=:,./-]+$/,
  quote: word => `'${word.replaceAll("'", `'\\''`)}'`,
  continuesLines: true,
  programs: {},
};

/** PowerShell and, as far as the two agree, the command prompt. */
const WINDOWS: Shell = {
  plain: /^[\w+=:./\\-]+$/,
  // Both read double quotes. PowerShell also reads $, backticks and typographic quotes between them.
  quote: word => (/["$`“”„]/.test(word) ? `'${word.replaceAll(/['‘’‚‛]/g, '$&$&')}'` : `"${word}"`),
  continuesLines: false,
  programs: { cp: 'copy', cat: 'type' },
};

/** Whether the system is Windows, which sets this variable. */
export const isWindows = ({ OS }: Environment): boolean => OS === 'Windows_NT';

/** The user's shell. Git Bash and the like set `SHELL`, even on Windows. */
export const shellOf = (env: Environment): Shell => (isWindows(env) && !env.SHELL ? WINDOWS : POSIX);

/** A word quoted so that the shell takes it literally. By default, a POSIX shell. */
export function shellWord(word: string, env: Environment = {}): string {
  const { plain, quote } = shellOf(env);
  return plain.test(word) ? word : quote(word);
}

/** A path quoted in the same way, and written so that no command reads it as an option. */
export const shellPath = (path: string, env: Environment = {}): string =>
  shellWord(path.startsWith('-') ? `./${path}` : path, env);

/** The words of a line that `shellWord` quoted for a POSIX shell: plain, or in single quotes, with `'\\''` for one. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\'/g, (quoted, inner: string | undefined) => inner ?? quoted.slice(1)),
  );

/** A command that is quoted for a POSIX shell, as the user's shell takes it. */
export function inShell(command: string, env: Environment): string {
  if (shellOf(env) === POSIX) return command;
  return shellCommand(
    shellWords(command)
      .map(word => shellWord(word, env))
      .join(' '),
    env,
  );
}

/** A command with the shell's name for its program: `copy` for `cp`, whose slashes would be options. */
export function shellCommand(command: string, env: Environment = {}): string {
  const [program = '', ...words] = command.split(' ');
  const name = shellOf(env).programs[program];
  return name ? [name, ...words].join(' ').replaceAll('/', '\\') : command;
}
