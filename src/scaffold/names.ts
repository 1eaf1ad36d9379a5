const MOST_SLUG_CHARACTERS = 50;

/** Names of packages that a bot installs: a project of the same name would require itself. */
const TAKEN = new Set(['pipecat-ai', 'pipecat-ai-whisker', 'pipecatcloud', 'pyright', 'ruff']);

/**
 * The project's name where a machine reads it (pyproject, package.json, cloud-deploy.toml): lower case letters, digits
 * and single hyphens, from a letter or digit to a letter or digit, at most 50 characters; `bot` when nothing is left, and
 * with `-bot` behind it where it would be the name of a package that the bot installs.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MOST_SLUG_CHARACTERS)
    .replace(/-+$/, '');
  if (TAKEN.has(slug)) return `${slug}-bot`;
  return slug || 'bot';
}
