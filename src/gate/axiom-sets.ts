/**
 * Well-known axioms by what they say. A policy allows them by these names, so that it holds for several libraries that
 * state the same axiom, and for Rocq before and after its standard library changed its name.
 */

/** A name that ends in `.*` stands for all axioms of that library. */
const SETS = {
  'excluded-middle': ['Coq.Logic.Classical_Prop.classic', 'HoTT.ExcludedMiddle.ExcludedMiddle'],
  'function-extensionality': [
    'Coq.Logic.FunctionalExtensionality.functional_extensionality_dep',
    'mathcomp.classical.boolp.functional_extensionality_dep',
    'mathcomp.analysis.boolp.functional_extensionality_dep',
  ],
  'propositional-extensionality': [
    'Coq.Logic.PropExtensionality.propositional_extensionality',
    'mathcomp.classical.boolp.propositional_extensionality',
    'mathcomp.analysis.boolp.propositional_extensionality',
    'propext',
  ],
  'proof-irrelevance': [
    'Coq.Logic.ProofIrrelevance.proof_irrelevance',
    'Coq.Logic.Eqdep.Eq_rect_eq.eq_rect_eq',
    'Coq.Logic.JMeq.JMeq_eq',
  ],
  choice: [
    'Coq.Logic.RelationalChoice.relational_choice',
    'Coq.Logic.Description.constructive_definite_description',
    'Coq.Logic.IndefiniteDescription.constructive_indefinite_description',
    'Coq.Logic.ClassicalEpsilon.constructive_indefinite_description',
    'Coq.Logic.Epsilon.epsilon_statement',
    'mathcomp.classical.boolp.constructive_indefinite_description',
    'mathcomp.analysis.boolp.constructive_indefinite_description',
    'Classical.choice',
  ],
  quotients: ['Quot.sound'],
  'classical-reals': [
    'Coq.Reals.ClassicalDedekindReals.sig_forall_dec',
    'Coq.Reals.ClassicalDedekindReals.sig_not_dec',
  ],
  'primitive-integers': [
    'Coq.Numbers.Cyclic.Int63.PrimInt63.*',
    'Coq.Numbers.Cyclic.Int63.Uint63.*',
    'Coq.Numbers.Cyclic.Int63.Sint63.*',
  ],
  'primitive-floats': ['Coq.Floats.PrimFloat.*', 'Coq.Floats.FloatAxioms.*', 'Coq.Floats.FloatOps.*'],
  'primitive-arrays': ['Coq.Array.PArray.*'],
} as const;

/** `classical` is what mathematicians use without saying so. */
const UNIONS = {
  classical: [
    'excluded-middle',
    'function-extensionality',
    'propositional-extensionality',
    'proof-irrelevance',
    'choice',
    'quotients',
    'classical-reals',
  ],
} as const satisfies Record<string, readonly (keyof typeof SETS)[]>;

export type AxiomSet = keyof typeof SETS | keyof typeof UNIONS;

export const AXIOM_SETS: readonly AxiomSet[] = [
  ...(Object.keys(SETS) as (keyof typeof SETS)[]),
  ...(Object.keys(UNIONS) as (keyof typeof UNIONS)[]),
];

/** The axioms of a set, as patterns for `axiomMatches`. */
export function axiomsOf(set: AxiomSet): readonly string[] {
  return set in UNIONS
    ? UNIONS[set as keyof typeof UNIONS].flatMap((part) => SETS[part])
    : SETS[set as keyof typeof SETS];
}

/** True when `allowed`, a full name or `Library.*`, stands for the axiom. */
export function axiomMatches(allowed: string, axiom: string): boolean {
  const [pattern, name] = [standardLibrary(allowed), standardLibrary(axiom)];
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Rocq 9 calls `Stdlib` and `Corelib` what was `Coq`. */
function standardLibrary(name: string): string {
  return name.replace(/^(?:Stdlib|Corelib)\./, 'Coq.');
}
