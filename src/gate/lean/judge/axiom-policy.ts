/**
 * Which axioms a submission may rest on. An axiom is allowed by its name, so the name must mean what the target means
 * by it.
 */
import type { Finding } from '../../verdict.ts';
import { namesBehindStrings } from '../behind-strings.ts';
import type { Name } from '../name.ts';
import { statementDifference } from '../same-statement.ts';
import { STANDARD_AXIOMS } from '../standard-axioms.ts';
import type { TermStore } from '../term-store.ts';
import type { JudgedFile } from './judged-file.ts';
import type { LeanPolicy } from './lean-policy.ts';
import { difference } from './same-constant.ts';

export class AxiomPolicy {
  readonly #allowed: ReadonlySet<Name>;
  /** The theorems that must be proved; undefined: all. */
  readonly asked: ReadonlySet<Name> | undefined;

  constructor({ allowedAxioms = STANDARD_AXIOMS, theorems }: LeanPolicy, { names }: TermStore) {
    this.#allowed = new Set(allowedAxioms.map((name) => names.parse(name)));
    this.asked = theorems && new Set(theorems.map((name) => names.parse(name)));
  }

  allows(axiom: Name): boolean {
    return this.#allowed.has(axiom);
  }

  /** Those of a constant's axioms that it must not rest on. */
  refused(axioms: readonly Name[]): Name[] {
    return axioms.filter((axiom) => !this.#allowed.has(axiom));
  }

  /** Whether what a constant rests on matters by itself, and not only through what must be proved. */
  mustHold(name: Name): boolean {
    const { asked } = this;
    if (asked === undefined || asked.has(name)) return true;
    return name.component === 'disproof' && name.prefix !== undefined && asked.has(name.prefix);
  }
}

/** What is to be told about an allowed axiom that the submission uses; undefined when it is the target's. */
export function foreignMeaning(
  axiom: Name,
  target: JudgedFile,
  submission: JudgedFile,
  store: TermStore,
): Finding | { readonly kind: 'remark'; readonly message: string } | undefined {
  const own = submission.find(axiom);
  if (own === undefined) return undefined;
  const expected = target.find(axiom);
  const subject = axiom.toString();
  const refusal = { kind: 'new-axiom', file: submission.path, subject } as const;
  if (expected !== undefined) {
    const what = difference(expected, own);
    if (what === undefined) return filledMeaning(axiom, target, submission, store);
    const message = `the axiom ${subject} has another ${what} than in the target's environment`;
    return { ...refusal, message, remedy: 'Use the axiom of the library.' };
  }
  if (STANDARD_AXIOMS.some((standard) => standard === subject))
    return {
      ...refusal,
      message: `the target does not know the axiom ${subject}, so nobody can tell whether the submission's is the standard one`,
      remedy: 'Let the target import Init, which declares it.',
    };
  const message = `the axiom ${subject} was allowed by its name; the target does not declare it`;
  return { kind: 'remark', message };
}

/** What an axiom says depends on the definitions that it speaks of, and the submission may fill those that are open. */
function filledMeaning(
  axiom: Name,
  target: JudgedFile,
  submission: JudgedFile,
  store: TermStore,
): { readonly kind: 'remark'; readonly message: string } | undefined {
  const there = statementDifference(
    axiom,
    (name) => target.find(name),
    (name) => submission.find(name),
    namesBehindStrings(store),
  );
  if (there === undefined) return undefined;
  const message = `the axiom ${axiom.toString()} speaks of ${there.name.toString()}, which has ${there.what}, against the target`;
  return { kind: 'remark', message };
}
