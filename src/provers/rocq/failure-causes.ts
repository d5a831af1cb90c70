/**
 * Which errors of a file follow from an earlier one: those alone about a name that the prover does not know, and that the earlier
 * failure may have left out. An error of any other kind may be the text's own, whatever failed before, and is told as such.
 */
import { entryAt } from '../../core/entry.ts';
import { missingLibrary } from './known-libraries.ts';
import { withoutComments } from './syntax/lexer.ts';
import type { FileOutline } from './syntax/outline.ts';

/** Of one sentence that failed. */
export interface FailureToExplain {
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

/** What a failure explains others by. */
export interface Cause {
  /** What it would have declared or loaded. */
  readonly name: string;
  /** Its number among the failures told. */
  readonly at: number;
}

/** Told of the failures of a file in their order. */
export class FailureCauses {
  readonly #causes = new Map<string, Cause>();
  #library: Cause | undefined;
  #told = 0;

  /** The earliest failure that explains this one. @param mayBring Whether what was required in vain may declare a name. */
  causeOf(
    { missing, declares, library }: FailureToExplain,
    mayBring: (name: string) => boolean = () => false,
  ): Cause | undefined {
    const at = this.#told;
    this.#told += 1;
    const fromLibrary = (name: string): Cause | undefined => (mayBring(name) ? this.#library : undefined);
    const cause = missing === undefined ? undefined : (this.#causes.get(missing) ?? fromLibrary(missing));
    for (const name of declares) this.#causes.set(name, cause ?? { name, at });
    if (library !== undefined) this.#library ??= { name: library, at };
    return cause;
  }
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
): FailureToExplain {
  const isRequire = heads[index]?.kind === 'require';
  return {
    missing: isRequire || told !== message ? undefined : unknownName(message),
    declares: [],
    library: isRequire ? (missingLibrary(message) ?? entryAt(sentences, index, 'sentence').text) : undefined,
  };
}

/** Declarations that open no proof; those that do are in the outline. */
const DECLARATION =
  /^(?:#\[[^\]]*\]\s*)*(?:(?:Local|Global|Program|Polymorphic|Monomorphic)\s+)*(?:Definition|Example|Let|Fixpoint|CoFixpoint|Inductive|CoInductive|Variant|Record|Structure|Class|Instance|Axiom|Parameter|Variable|Hypothesis|Ltac|Function|Equations)\s+([^\s:({]+)/;

/** What is not declared when the sentence fails. */
export function declaredNames({ heads, sentences }: FileOutline, index: number): readonly string[] {
  const head = heads[index];
  if (head?.kind === 'statement') {
    return [...(head.name === undefined ? [] : [head.name]), ...head.otherNames];
  }
  const name = DECLARATION.exec(withoutComments(entryAt(sentences, index, 'sentence').text))?.[1];
  return name === undefined ? [] : [name];
}
