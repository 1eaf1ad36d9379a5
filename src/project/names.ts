const MOST_SLUG_CHARACTERS = 50;

/**
 * The project's name for machines (pyproject.toml, package.json, cloud-deploy.toml): lowercase letters, digits and single
 * hyphens, starting and ending with a letter or digit, from 2 to 50 characters. It's `bot` if nothing is left, and ends in
 * `-bot` if it would otherwise be one character, which the cloud refuses, or the name of a required package: the project
 * would require itself.
 */
export function slugOf(name: string, requirements: readonly string[] = []): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MOST_SLUG_CHARACTERS)
    .replace(/-+$/, '');
  if (slug.length === 1 || requirements.some(one => one.split(/[^a-z0-9-]/, 1)[0] === slug)) return `${slug}-bot`;
  return slug || 'bot';
}

const PATH = /^(?:\.{1,2}|~|[a-z]:|(?=[/\\]))(?:[/\\]|$)/i;

/** The name that people read: of a path, such as `../my-bot`, its last part. Slashes in other names stay, as in `24/7`. */
export function readableName(name: string): string {
  if (!PATH.test(name)) return name;
  const parts = name.split(/[/\\]/).map(part => part.trim());
  return parts.findLast(part => !/^(?:\.*|~|[a-z]:)$/i.test(part)) ?? 'bot';
}

/** Words in names of directories that say nothing about a bot. */
const GENERIC = /^(my|the|new|voice|bot|botcli|assistant|agent|quickstart|demo|test|app|project|\d+)$/;

/**
 * The bot's name for people. A name made for directories becomes words, such as `Harbor Dental`, or `Assistant` if it says
 * nothing, such as `my-bot`.
 */
export function titleOf(given: string): string {
  const name = readableName(given);
  if (!/^[a-z0-9]+([-_][a-z0-9]+)*$/.test(name)) return name;
  const words = name.split(/[-_]/);
  if (words.every(word => GENERIC.test(word))) return 'Assistant';
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
