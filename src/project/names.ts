const MOST_SLUG_CHARACTERS = 50;

/**
 * The project's name for machines (pyproject.toml, package.json, cloud-deploy.toml): lowercase letters, digits and single
 * hyphens, starting and ending with a letter or digit, at most 50 characters. It's `bot` if nothing is left, and ends in
 * `-bot` if it would otherwise be the name of a package that the project requires: it would require itself.
 *
 * @param requirements The project's requirements, as in pyproject.toml.
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

/** The project's name for people. A name made for directories, such as `support-bot`, becomes words. */
export function titleOf(name: string): string {
  if (!/^[a-z0-9]+([-_][a-z0-9]+)*$/.test(name)) return name;
  const words = name.replace(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
