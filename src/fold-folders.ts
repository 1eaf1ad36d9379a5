/**
 * The files right in the directory, then each folder with the number of its files.
 *
 * @param most A folder with at most this many files has them listed instead.
 */
export function foldFolders(paths: readonly string[], most = 1): string[] {
  const folders = new Map<string, string[]>();
  for (const path of paths.filter(one => one.includes('/'))) {
    const folder = path.slice(0, path.indexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const folded = [...folders].flatMap(([folder, files]) =>
    files.length <= most ? files : [`${folder} (${files.length} files)`],
  );
  return [...paths.filter(path => !path.includes('/')), ...folded];
}
