/** What a policy of the gate means for Lean. Entries that only concern other provers are passed over. */
import { QuodError } from '../../../core/errors.ts';
import { axiomsOfSet } from '../../axiom-sets.ts';
import type { GatePolicy } from '../../policy.ts';
import { STANDARD_AXIOMS } from '../standard-axioms.ts';
import type { LeanPolicy } from './lean-policy.ts';

/** @throws QuodError `unsupported` for a restriction that is not kept here. */
export function leanPolicyOf(policy: GatePolicy): LeanPolicy {
  const {
    axioms,
    logic = [],
    theorems,
    definitionsMayChange,
    helperLemmas,
    dependencies,
    lean = {},
  } = policy;
  if (dependencies !== undefined)
    throw new QuodError(
      'unsupported',
      'The policy pins libraries by hash, which the judge of Lean does not do.',
      {
        remedy: 'Leave `dependencies` out; the verdict lists the modules that were taken as they are.',
      },
    );
  const listed = axioms === undefined || axioms === 'target' ? STANDARD_AXIOMS : axioms;
  return {
    allowedAxioms: [...listed, ...logic.flatMap(axiomsOfSet)],
    disallowPartial: lean.disallowPartial ?? false,
    disallowedAttributes: lean.disallowedAttributes ?? [],
    disproofs: lean.disproofs ?? false,
    fresh: lean.fresh ?? false,
    strictHoles: lean.strictHoles ?? false,
    helpers: helperLemmas ?? true,
    ...(theorems && { theorems }),
    ...(definitionsMayChange && { definitionsMayChange }),
    ...(lean.searchPath && { searchPath: lean.searchPath }),
    ...(lean.fuel !== undefined && { fuel: lean.fuel }),
  };
}
