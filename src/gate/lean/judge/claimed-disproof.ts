/** The theorem `X.disproof` that a submission gives for a theorem `X` of the target, and whether it denies `X`. */
import type { ConstantDeclaration, TheoremConstant } from '../declaration.ts';
import type { TermStore } from '../term-store.ts';
import { LOGICAL_CONSTANTS, refutes } from './disproof.ts';
import type { JudgedFile } from './judged-file.ts';
import type { Replay } from './replay.ts';

/** What a disproof is held against. */
export interface DisproofContext {
  readonly store: TermStore;
  readonly target: JudgedFile;
  readonly submission: JudgedFile;
  /** The kernel that has checked the submission. */
  readonly kernel: Replay['kernel'];
}

export function disproofOf(
  claim: ConstantDeclaration,
  { submission }: DisproofContext,
): TheoremConstant | undefined {
  if (claim.kind !== 'theorem') return undefined;
  const theorem = submission.find(claim.name.child('disproof'));
  return theorem?.kind === 'theorem' ? theorem : undefined;
}

export function denies(
  theorem: TheoremConstant,
  claim: ConstantDeclaration,
  context: DisproofContext,
): boolean {
  const { store, target, submission } = context;
  // The logical constants must be those of the target, or the denial could say anything.
  const foreign = LOGICAL_CONSTANTS.map((name) => store.names.of(name)).some(
    (name) => submission.find(name) !== undefined && target.find(name) === undefined,
  );
  const sameParameters =
    theorem.levelParameters.length === claim.levelParameters.length &&
    theorem.levelParameters.every((name, index) => name === claim.levelParameters[index]);
  if (foreign || !sameParameters) return false;
  return refutes(theorem.type.plain, claim.type.plain) || isNegationByComputation(theorem, claim, context);
}

/** Whether the kernel takes the disproof as a proof of `¬ X`. */
function isNegationByComputation(
  theorem: TheoremConstant,
  claim: ConstantDeclaration,
  { store, target, kernel }: DisproofContext,
): boolean {
  const not = store.names.of('Not');
  if (target.find(not) === undefined) return false;
  const { levelParameters } = claim;
  const levels = levelParameters.map((name) => store.levels.parameter(name));
  const name = theorem.name.child('isNegation');
  const answer = kernel.add({
    kind: 'theorem',
    name,
    levelParameters,
    type: store.apply(store.constant(not, []), claim.type),
    value: store.constant(theorem.name, levels),
    all: [name],
  });
  return answer.kind === 'accepted';
}
