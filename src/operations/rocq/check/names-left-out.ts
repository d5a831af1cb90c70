/**
 * Which names a library may have brought that was required in vain: any, unless all texts of that library are at hand and none has it.
 */
import { appendAll } from '../../../core/lists/many.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import type { ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';

/** @param libraries What was required in vain. */
export async function namesLeftOut(
  file: string,
  outline: Pick<FileOutline, 'requires'>,
  libraries: readonly string[],
): Promise<(name: string) => boolean> {
  if (libraries.length === 0) return () => false;
  const anything = (): boolean => true;
  const { sources } = await dependenciesOf(file, outline.requires);
  if (!libraries.every((library) => sources.some((source) => isCalled(source, library)))) return anything;
  const words = new Set<string>();
  for (const { path } of sources) {
    const text = await readRegularText(path).catch(() => undefined);
    if (text === undefined || handsOn(text, sources)) return anything;
    for (const [word] of withoutComments(text).matchAll(/[\p{L}_][\p{L}\p{N}_']*/gu)) words.add(word);
  }
  return (name) => partsOf(lastPart(name)).some((part) => words.has(part));
}

function isCalled({ library, names }: ProjectSource, sought: string): boolean {
  return [library, ...names].some((name) => name === sought || name.endsWith(`.${sought}`));
}

/** Whether a text may hand on names that stand in no text of the project. */
function handsOn(text: string, sources: readonly ProjectSource[]): boolean {
  const { requires, sentences } = outlineOf(text);
  const exported: string[] = [];
  for (const { mode, modules } of requires) if (mode === 'export') appendAll(exported, modules);
  if (exported.some((module) => !sources.some((source) => isCalled(source, module)))) return true;
  return sentences.some(({ text: sentence }) => /^(?:Load|Export|Include)\b/u.test(sentence));
}

/** A name and those from which Rocq may have made it: `tree` of `tree_ind`, `t` of `Build_t`. */
function partsOf(name: string): string[] {
  const words = name.split('_');
  return words.flatMap((_, at) => [words.slice(0, at + 1).join('_'), words.slice(at).join('_')]);
}
