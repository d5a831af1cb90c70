/**
 * Whether what was compiled is of its source as this is now: who reads compiled files asks it here; Quod's own build asks for
 * more (build.ts). What dune compiles lies in `_build` beside a copy of the source. The copy is as old as what was compiled of it and
 * says nothing; the source does.
 */
import { join, relative } from 'node:path';
import { LARGEST_SOURCE_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { changeTime, isCompiledFrom, isUnfinishedLoaded } from './compiled-from.ts';
import { loadedFiles, type WhereLoaded } from './loaded-files.ts';

/** A source of a project. */
interface CompiledSource {
  readonly path: string;
  readonly compiled: string;
  /** Where they are not known they say nothing. */
  readonly names?: readonly string[];
  /** For what it loads. */
  readonly where: WhereLoaded;
}

/**
 * Whether what was compiled is older than the source, or than what that loads, or, where the compiler noted it, of another text or
 * another library: a source that was restored, or moved here, may be older. So it is where Rocq loads an unfinished one in its place. Not where one of
 * the two is missing. Dune goes by what is in the files and leaves times as they are: where the text is told they say nothing.
 *
 * @param ofText for who knows already what {@link isOfItsText} says.
 */
export async function isOutdated(
  source: CompiledSource,
  ofText = (): Promise<boolean | undefined> => isOfItsText(source),
): Promise<boolean> {
  const { path, compiled } = source;
  const [changed, made] = await Promise.all([changeTime(path), changeTime(compiled)]);
  if (changed === undefined || made === undefined) return false;
  if (await isUnfinishedLoaded(compiled)) return true;
  const isOfText = await ofText();
  if (isOfText === false) return true;
  if (made < changed && !(isOfText === true && isCompiledFromCopy(source))) return true;
  return isOlderThanLoaded(source, made);
}

/** Whether what was compiled is noted to be of the text as it is now; undefined where nothing is, or there is no text. */
export async function isOfItsText({ path, compiled, names }: CompiledSource): Promise<boolean | undefined> {
  const text = await readRegularFile(path, LARGEST_SOURCE_BYTES).catch(() => undefined);
  return text && isCompiledFrom(compiled, text, names);
}

async function isOlderThanLoaded(source: CompiledSource, made: number): Promise<boolean> {
  const { path, where } = source;
  for (const file of (await loadedFiles(path, where).catch(() => undefined)) ?? []) {
    const changed = await changeTime(file);
    if (changed === undefined || changed <= made) continue;
    if (!isCompiledFromCopy(source) || !(await isAsCopied(file, where.root, made))) return true;
  }
  return false;
}

/** By dune, in `_build`. */
export function isCompiledFromCopy({ path, compiled }: Pick<CompiledSource, 'path' | 'compiled'>): boolean {
  return compiled !== `${path}o`;
}

/** Whether the copy that was there when something was compiled has the same text. */
async function isAsCopied(file: string, root: string, made: number): Promise<boolean> {
  const copy = join(root, '_build', 'default', relative(root, file));
  const changed = await changeTime(copy);
  if (changed === undefined || changed > made) return false;
  const [text, copied] = await Promise.all(
    [file, copy].map((path) => readRegularFile(path, LARGEST_SOURCE_BYTES).catch(() => undefined)),
  );
  return text !== undefined && copied !== undefined && text.equals(copied);
}
