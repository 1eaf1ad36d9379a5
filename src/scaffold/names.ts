const MOST_SLUG_CHARACTERS = 50;

/**
 * The project's name where a machine reads it (pyproject, package.json, cloud-deploy.toml): lower case letters, digits
 * and single hyphens, from a letter or digit to a letter or digit, at most 50 characters; `bot` when nothing is left.
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
  return slug || 'bot';
}
