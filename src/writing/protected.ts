/** What an invisible character, another case, or a dot at the end would hide from some file systems. */
const plain = (part: string): string =>
  part
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .toLowerCase();

/** Whether a path (POSIX, in a project) is the user's alone: secrets, and everything of git. */
export const isProtected = (name: string): boolean =>
  name
    .split('/')
    .map(plain)
    .some(part => part === '.git' || (part.startsWith('.env') && part !== '.env.example'));

/** Whether a path is relative, in POSIX form, and stays below its directory. */
export const isInside = (name: string): boolean =>
  !/[\\\0:]/.test(name) && name.split('/').every(part => part !== '' && part !== '.' && part !== '..');
