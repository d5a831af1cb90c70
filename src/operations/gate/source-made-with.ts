/** With what a source is judged or run as it stands on the disk, for who asks later whether a result still holds of it. */
import type { OperationContext } from '../definition/operation.ts';
import { restsOn, type MadeWith } from '../definition/rests-on.ts';
import { readEditedFile } from '../files/source-file.ts';
import { sourceLanguageOf, unknownLanguage } from '../files/source-language.ts';
import { placeMadeWith, rocqWorkbenchOf } from '../rocq/session/place.ts';

/** Of other provers than Rocq nobody names the libraries: the file alone counts. @throws QuodError as reading it does. */
export async function sourceMadeWith(
  context: Pick<OperationContext, 'workspace' | 'services'>,
  name: string,
): Promise<MadeWith> {
  const { workspace } = context;
  const path = await workspace.resolve(name);
  const prover = sourceLanguageOf(path);
  if (prover === undefined) throw unknownLanguage(name, 'Name a source of a prover.');
  if (prover === 'rocq') {
    const workbench = rocqWorkbenchOf(context);
    return placeMadeWith(context, await workbench.prover(), await workbench.file(workspace, name));
  }
  const { hash } = await readEditedFile(name, path);
  const identity = { prover, backend: prover, version: '', location: '' };
  return { ...restsOn(identity, { file: workspace.nameOf(path), hash }), libraries: '' };
}
