import { describe, expect, it } from 'vitest';
import { verify } from '../../verify.ts';
import type { GatePolicy } from '../../policy.ts';
import { coqc, installedRelease } from '../testing/installed-rocq.ts';

/** Rocq does not look at what `h` is given. */
const FUNCTION = `Fixpoint f (b : bool) (n : nat) : nat := match n with O => O | S m =>
  let h (x : nat) := S (f b (match (if b then x else m) with O => m | S y => y end)) in h (S m) end.
`;
const HOLE = 'Theorem t : True. Admitted.\n';
const PROOF = 'Theorem t : True. Proof. exact I. Qed.\n';
const project = { root: '.', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

async function judged(target: string, submission: string, policy: GatePolicy) {
  const files = [
    { path: 'T.v', text: target },
    { path: 'S.v', text: submission },
  ] as const;
  const verdict = await verify(...files, { project, policy: { recheck: 'never', ...policy } });
  return verdict.kind === 'accepted'
    ? verdict.restsOn.warnings?.filter(({ kind }) => kind === 'unconfirmed').map(({ message }) => message)
    : verdict.kind;
}

describe.skipIf(coqc === undefined || installedRelease >= 900)(
  'what the kernel alone takes for right (needs Coq before 9.0)',
  () => {
    it('is told where the policy allows it', async () => {
      const submission = `Module Type S. Inductive T := a. End S.\n${FUNCTION}${PROOF}`;
      expect(await judged(HOLE, submission, {})).toBe('rejected');
      const flags = ['vm-compute', 'unconfirmed-recursion', 'unconfirmed-type'] as const;
      expect(await judged(HOLE, submission, { flags: [...flags] })).toEqual([
        expect.stringMatching(/^f recurs .* \(as the policy allows\)\.$/u),
        expect.stringMatching(/^S\.T is a type .* \(as the policy allows\)\.$/u),
      ]);
    });

    it('is told where the target has it', async () => {
      expect(await judged(FUNCTION + HOLE, FUNCTION + PROOF, {})).toEqual([
        expect.stringMatching(/^f recurs .* \(as in the target\)\.$/u),
      ]);
    });
  },
);
