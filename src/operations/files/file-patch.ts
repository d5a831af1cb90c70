/** A change of one file as a unified patch. */

/**
 * What `git apply` and `patch -p1` take; empty where nothing changes.
 * @param name Of the file, from where the patch is applied, with slashes.
 */
export async function filePatch(name: string, before: string, after: string): Promise<string> {
  if (before === after) return '';
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  // As git writes it: `patch` takes a name to end at its first blank unless a tab stands behind it.
  return /\s/u.test(name) ? patch.replace(/^(--- [^"\n]*)\n(\+\+\+ [^\n]*)\n/u, '$1\t\n$2\t\n') : patch;
}
