/**
 * Which errors of a file follow from an earlier one: those alone about a name that the prover does not know, and that the earlier
 * failure may have left out. A library that was required in vain may have brought it, unless all texts of that library are at hand and
 * none has it. An error of any other kind may be the text's own, whatever failed before, and is told as such.
 */
import { appendAll } from '../../../core/lists/many.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import type { ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';

/** Of one sentence that failed. */
export interface FailedSentence {
  /** The name that is unknown where it fails. */
  readonly missing?: string | undefined;
  /** What it would have declared. */
  readonly declares: readonly string[];
  /** What it would have loaded, as Rocq or else the file names it. */
  readonly library?: string | undefined;
}

/** What Rocq says where a name is not in the environment; an error that it says otherwise is told as the text's own. */
const UNKNOWN_NAMES: readonly RegExp[] = [
  /The (?:reference|variable|module|field)\s+(\S+)\s+was\s+not\s+found/u,
  /(?:Unable to locate|Cannot find module|Unbound (?:value|constructor|type)|No such Hint database:) (\S+?)\.?$/mu,
  /(?:Rewriting base|Scope|Unknown scope delimiting key) (\S+?)\.?(?: (?:does not exist|is not declared))?\.?$/mu,
  /^(\S+) not a defined object/mu,
];

export function unknownName(message: string): string | undefined {
  for (const said of UNKNOWN_NAMES) {
    const name = said.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Of each the earliest failure that explains it. @param mayBring Whether what was required in vain may declare a name. */
export function causesOf(
  failed: readonly FailedSentence[],
  mayBring: (name: string) => boolean,
): (string | undefined)[] {
  const causes = new Map<string, string>();
  let library: string | undefined;
  return failed.map(({ missing, declares, library: required }) => {
    const fromLibrary = (name: string): string | undefined => (mayBring(name) ? library : undefined);
    const cause = missing === undefined ? undefined : (causes.get(missing) ?? fromLibrary(missing));
    for (const name of declares) causes.set(name, cause ?? name);
    library ??= required;
    return cause;
  });
}

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
