const MOST_SLUG_CHARACTERS = 50;

/**
 * The project's name where a machine reads it (pyproject, package.json, cloud-deploy.toml): lower case letters, digits
 * and single hyphens, from a letter or digit to a letter or digit, at most 50 characters; `bot` when nothing is left, and
 * with `-bot` behind it where it would be the name of a package that the project requires: it would require itself.
 *
 * @param requirements What the project requires, as pyproject.toml has it.
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
  if (requirements.some(one => one.split(/[^a-z0-9-]/, 1)[0] === slug)) return `${slug}-bot`;
  return slug || 'bot';
}
