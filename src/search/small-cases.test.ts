/** Functions on types of few values, and relations that have one result: both go by their cases. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const FILE = `Theorem thrice : forall (f : bool -> bool) (b : bool), f (f (f b)) = f b.
Proof. Admitted.

Inductive side := port | starboard.
Theorem other_side : forall (f : side -> side) (s : side), f port <> f starboard -> f (f (f (f s))) = s \\/ f (f s) = s.
Proof. Admitted.
Theorem thrice_side : forall (f : side -> side) (s : side), f (f (f s)) = f s.
Proof. Admitted.

Inductive tm := C (n : nat) | P (a b : tm).
Inductive value : tm -> Prop := v_c n : value (C n).
Reserved Notation "t '-->' u" (at level 40).
Inductive step : tm -> tm -> Prop :=
  | ST_PC n m : P (C n) (C m) --> C (n + m)
  | ST_P1 a c b : a --> c -> P a b --> P c b
  | ST_P2 v b c : value v -> b --> c -> P v b --> P v c
where "t '-->' u" := (step t u).
Theorem step_deterministic : forall t u v, t --> u -> t --> v -> u = v.
Proof. Admitted.

Inductive big : tm -> nat -> Prop :=
  | B_C n : big (C n) n
  | B_P a b x y : big a x -> big b y -> big (P a b) (x + y).
Inductive pairs : tm -> nat -> tm -> Prop :=
  | R_C n : pairs (C n) n (C n)
  | R_P a b x y c d : pairs a x c -> pairs b y d -> pairs (P a b) (x + y) (P c d).
Theorem pairs_deterministic : forall t x1 u1 x2 u2, pairs t x1 u1 -> pairs t x2 u2 -> u1 = u2.
Proof. Admitted.
Theorem big_deterministic : forall t n m, big t n -> big t m -> n = m.
Proof. Admitted.
`;

// The embedded Rocq takes its time where there is no other.
it('is found by its cases', { timeout: 600_000 }, async () => {
  const results = await proveFile(
    {
      ...{ file: join(tmpdir(), 'quod_cases_test.v'), text: FILE, theorems: 'all-holes' },
      ...{ nodes: 120, jobs: 1, seed: 1, prover: await findRocq('auto'), judge: credulous },
      signal: new AbortController().signal,
    },
    () => {},
  );
  expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual(
    [
      'thrice',
      'other_side',
      'thrice_side',
      'step_deterministic',
      'pairs_deterministic',
      'big_deterministic',
    ].map((theorem) => [theorem, 'proved']),
  );
  const outcome = results.find(({ theorem }) => theorem === 'thrice')?.outcome;
  expect(outcome?.kind === 'proved' ? outcome.script : '').toContain('destruct (f true) eqn:');
});
