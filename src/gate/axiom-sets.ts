/**
 * Well-known axioms by what they say. A policy allows them by these names, so that it holds for several libraries that
 * state the same axiom, and for Rocq before and after its standard library changed its name.
 */

/** What each set says, and its axioms; a name that ends in `.*` stands for all axioms of that library. */
const SETS = {
  'excluded-middle': {
    meaning: 'P or not P, for every proposition P',
    axioms: ['Coq.Logic.Classical_Prop.classic', 'HoTT.ExcludedMiddle.ExcludedMiddle'],
  },
  'function-extensionality': {
    meaning: 'functions that are equal at every argument are equal',
    axioms: [
      'Coq.Logic.FunctionalExtensionality.functional_extensionality_dep',
      // It follows: each function represents itself.
      'Coq.Logic.ExtensionalFunctionRepresentative.extensional_function_representative',
      'mathcomp.classical.boolp.functional_extensionality_dep',
      'mathcomp.analysis.boolp.functional_extensionality_dep',
    ],
  },
  'propositional-extensionality': {
    meaning: 'propositions that follow from each other are equal',
    axioms: [
      'Coq.Logic.PropExtensionality.propositional_extensionality',
      'mathcomp.classical.boolp.propositional_extensionality',
      'mathcomp.analysis.boolp.propositional_extensionality',
      'propext',
    ],
  },
  'set-extensionality': {
    meaning: 'sets (Ensembles) that have the same elements are equal',
    axioms: ['Coq.Sets.Ensembles.Extensionality_Ensembles'],
  },
  'proof-irrelevance': {
    meaning: 'two proofs of one proposition are equal, in forms that some libraries state (K, JMeq)',
    axioms: [
      'Coq.Logic.ProofIrrelevance.proof_irrelevance',
      'Coq.Logic.Eqdep.Eq_rect_eq.eq_rect_eq',
      'Coq.Logic.JMeq.JMeq_eq',
    ],
  },
  choice: {
    meaning: 'what exists can be chosen: relational, functional, definite and indefinite description',
    axioms: [
      'Coq.Logic.RelationalChoice.relational_choice',
      'Coq.Logic.ClassicalUniqueChoice.dependent_unique_choice',
      'Coq.Logic.Description.constructive_definite_description',
      'Coq.Logic.IndefiniteDescription.constructive_indefinite_description',
      'Coq.Logic.ClassicalEpsilon.constructive_indefinite_description',
      'Coq.Logic.Epsilon.epsilon_statement',
      'mathcomp.classical.boolp.constructive_indefinite_description',
      'mathcomp.analysis.boolp.constructive_indefinite_description',
      'Classical.choice',
    ],
  },
  quotients: {
    meaning: 'related elements are equal in the quotient (Lean)',
    axioms: ['Quot.sound'],
  },
  'classical-reals': {
    meaning:
      "what the real numbers of Rocq's library rest on: two decisions about sequences and propositions, and function extensionality",
    axioms: [
      'Coq.Reals.ClassicalDedekindReals.sig_forall_dec',
      'Coq.Reals.ClassicalDedekindReals.sig_not_dec',
      'Coq.Logic.FunctionalExtensionality.functional_extensionality_dep',
    ],
  },
  'primitive-integers': {
    meaning: "the kernel's own 63-bit integers, and what their operations compute",
    axioms: [
      'Coq.Numbers.Cyclic.Int63.PrimInt63.*',
      'Coq.Numbers.Cyclic.Int63.Uint63.*',
      'Coq.Numbers.Cyclic.Int63.Sint63.*',
      // From 9.0 on.
      'Coq.Numbers.Cyclic.Int63.Uint63Axioms.*',
      'Coq.Numbers.Cyclic.Int63.Sint63Axioms.*',
    ],
  },
  'primitive-floats': {
    meaning: "the kernel's own floating-point numbers, and what their operations compute",
    axioms: ['Coq.Floats.PrimFloat.*', 'Coq.Floats.FloatAxioms.*', 'Coq.Floats.FloatOps.*'],
  },
  'primitive-arrays': {
    meaning: "the kernel's own arrays, and what their operations compute",
    axioms: ['Coq.Array.PArray.*', 'Coq.Array.PrimArray.*', 'Coq.Array.ArrayAxioms.*'],
  },
  'primitive-strings': {
    meaning: "the kernel's own strings, and what their operations compute",
    axioms: ['Coq.Strings.PrimString.*', 'Coq.Strings.PrimStringAxioms.*'],
  },
} as const satisfies Record<string, { readonly meaning: string; readonly axioms: readonly string[] }>;

/** `classical` is what mathematicians use without saying so. */
const UNIONS = {
  classical: [
    'excluded-middle',
    'function-extensionality',
    'propositional-extensionality',
    'set-extensionality',
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

/** In a line. */
export function meaningOf(set: AxiomSet): string {
  return set in UNIONS
    ? `what mathematicians use without saying so: ${UNIONS[set as keyof typeof UNIONS].join(', ')}`
    : SETS[set as keyof typeof SETS].meaning;
}

/** The axioms of a set, as patterns for `axiomMatches`. */
export function axiomsOfSet(set: AxiomSet): readonly string[] {
  return set in UNIONS
    ? UNIONS[set as keyof typeof UNIONS].flatMap((part) => SETS[part].axioms)
    : SETS[set as keyof typeof SETS].axioms;
}

/**
 * Axioms of Rocq's own library that are false of what its kernel computes, and why: in no set, and of no target. Their libraries
 * were looked at with boundary values (axiom-values.test.ts).
 */
const FALSE_AXIOMS: ReadonlyMap<string, string> = new Map(
  ['Coq.Numbers.Cyclic.Int63.Sint63.asr_spec', 'Coq.Numbers.Cyclic.Int63.Sint63Axioms.asr_spec'].map(
    (name) => [name, 'the kernel shifts a negative number by 63 or more to 0, and the axiom says to -1'],
  ),
);

/** Why an axiom is false; undefined for one of which nothing is known. */
export function whyFalse(axiom: string): string | undefined {
  return FALSE_AXIOMS.get(standardLibrary(axiom));
}

/** True when `allowed`, a full name or `Library.*`, stands for the axiom. */
export function axiomMatches(allowed: string, axiom: string): boolean {
  const [pattern, name] = [standardLibrary(allowed), standardLibrary(axiom)];
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/**
 * As a verdict calls what the judged file declares: with the file's library before it where a library could have the name.
 * A module of the file may be called `Coq`, and what it declares is not the library's.
 */
export function nameInVerdict(name: string, file: string, libraries: Iterable<string>): string {
  const [root, ...inside] = name.split('.');
  const roots = Array.from(libraries, (library) => library.split('.')[0]);
  const taken = ['Coq', 'Stdlib', 'Corelib', ...roots];
  return inside.length > 0 && taken.includes(root) ? `${file}.${name}` : name;
}

/** Whether a name is one of Rocq's own library. */
export function isOfStandardLibrary(name: string): boolean {
  return standardLibrary(name).startsWith('Coq.');
}

/** Rocq 9 calls `Stdlib` and `Corelib` what was `Coq`. */
function standardLibrary(name: string): string {
  return name.replace(/^(?:Stdlib|Corelib)\./, 'Coq.');
}
