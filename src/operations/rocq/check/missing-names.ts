/**
 * Which errors of a file follow from an earlier one: those alone about a name that the prover does not know, and that the earlier
 * failure may have left out. A library that was required in vain may have brought it, unless all texts of that library are at hand and
 * none has it. An error of any other kind may be the text's own, whatever failed before, and is told as such.
 */
import { entryAt } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import type { ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import { missingLibrary } from '../../../provers/rocq/known-libraries.ts';
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

function unknownName(message: string): string | undefined {
  for (const said of UNKNOWN_NAMES) {
    const name = said.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** What a failure explains others by. */
export interface Cause {
  /** What it would have declared or loaded. */
  readonly name: string;
  /** Its number among those that failed. */
  readonly at: number;
}

/** Of each the earliest failure that explains it. @param mayBring Whether what was required in vain may declare a name. */
export function causesOf(
  failed: readonly FailedSentence[],
  mayBring: (name: string) => boolean,
): (Cause | undefined)[] {
  const causes = new Map<string, Cause>();
  let library: Cause | undefined;
  return failed.map(({ missing, declares, library: required }, at) => {
    const fromLibrary = (name: string): Cause | undefined => (mayBring(name) ? library : undefined);
    const cause = missing === undefined ? undefined : (causes.get(missing) ?? fromLibrary(missing));
    for (const name of declares) causes.set(name, cause ?? { name, at });
    if (required !== undefined) library ??= { name: required, at };
    return cause;
  });
}

/** Declarations that open no proof; those that do are in the outline. */
const DECLARATION =
  /^(?:#\[[^\]]*\]\s*)*(?:(?:Local|Global|Program|Polymorphic|Monomorphic)\s+)*(?:Definition|Example|Let|Fixpoint|CoFixpoint|Inductive|CoInductive|Variant|Record|Structure|Class|Instance|Axiom|Parameter|Variable|Hypothesis|Ltac|Function|Equations)\s+([^\s:({]+)/;

/** What a sentence declares that is not in a proof. */
export function declaredNames({ heads, sentences }: FileOutline, index: number): readonly string[] {
  const head = heads[index];
  if (head?.kind === 'statement') {
    return [...(head.name === undefined ? [] : [head.name]), ...head.otherNames];
  }
  const name = DECLARATION.exec(withoutComments(entryAt(sentences, index, 'sentence').text))?.[1];
  return name === undefined ? [] : [name];
}

interface Refusal {
  readonly message: string;
  /** The same with what Quod adds to it where a dot is missing: the sentence is none then, whatever else fails in it. */
  readonly told: string;
}

/** A refused sentence as others may follow from it, but for what it would have declared. */
export function refusedSentence(
  { heads, sentences }: FileOutline,
  index: number,
  { message, told }: Refusal,
): FailedSentence {
  const isRequire = heads[index]?.kind === 'require';
  return {
    missing: isRequire || told !== message ? undefined : unknownName(message),
    declares: [],
    library: isRequire ? (missingLibrary(message) ?? entryAt(sentences, index, 'sentence').text) : undefined,
  };
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
