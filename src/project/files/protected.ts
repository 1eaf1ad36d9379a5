/** What an invisible character, another case, a dot at the end, or a stream's name would hide from some file systems. */
const plain = (part: string): string =>
  part
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .toLowerCase();

/** The short names that Windows gives to `.git` and `.env…`, such as `GIT~1` and `EN4F2A~1.LOC`. */
const SHORT = /^(git?|env?)[0-9a-f]{0,4}~\d/;

const isSecret = (part: string): boolean =>
  part === '.git' || (part.startsWith('.env') && part !== '.env.example') || SHORT.test(part);

/** Whether a path (POSIX, in a project) is the user's alone: secrets, and everything of git. */
export const isProtected = (name: string): boolean => name.split('/').map(plain).some(isSecret);

/** Whether a path is relative, in POSIX form, and stays below its directory. */
export const isInside = (name: string): boolean =>
  !/[\\\0:]/.test(name) && name.split('/').every(part => part !== '' && part !== '.' && part !== '..');
