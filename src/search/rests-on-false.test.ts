/** A proof that rests on what is false proves nothing, and one that rests on what is open is the last to be told. */
import { expect, it } from 'vitest';
import { scriptSentences } from '../provers/rocq/syntax/script-tree.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { withoutStatements } from './script/fewer-statements.ts';
import { proveFile, type Judge, type ProveEvent } from './prove-file.ts';
import type { FalseStatement, ProveRequest } from './prove-request.ts';

/** Nothing but `a` says anything of `p`. */
const ABOUT_A = `Parameter p : nat -> nat -> Prop.
Lemma a : forall n m, p n m.
Proof. Admitted.
Lemma b : forall n, p n 5.
Proof. Admitted.
Lemma c : p 3 5 /\\ 1 = 1.
Proof. Admitted.
`;

const FALSE: FalseStatement = {
  ...{
    kind: 'refuted',
    counterexample: 'n = 0',
    negation: 'Theorem a_false : ~ a.',
    axioms: [],
    warnings: [],
  },
};

/** What a proof of the text names. */
function proofOf(text: string, theorem: string): string {
  return new RegExp(`Lemma ${theorem} :.*?\\n(.*?(?:Qed|Admitted)\\.)`, 'su').exec(text)?.[1] ?? '';
}

/** A judge who goes by names: a proof rests on `a`, or on what the proofs rest on that it names. */
const byNames: Judge = ({ text, theorems }) => {
  const restsOn = (theorem: string): string[] => {
    const proof = proofOf(text, theorem);
    if (proof.includes('Admitted')) return [theorem];
    const named = ['a', 'b'].filter(
      (name) => name !== theorem && new RegExp(`\\b${name}\\b`, 'u').test(proof),
    );
    return [...new Set(named.flatMap(restsOn))];
  };
  const restOn = theorems.map(({ name = '' }) => ({ openStatements: restsOn(name), axioms: [] }));
  return Promise.resolve({ kind: 'accepted', warnings: [], restOn });
};

async function prove(text: string, changes: Partial<ProveRequest>) {
  const events: ProveEvent[] = [];
  const results = await proveFile(
    {
      ...{ file: '/nowhere/false.v', text, theorems: 'all-holes', jobs: 1, seed: 0, nodes: 60 },
      ...{ prover: await findRocq('auto'), judge: byNames, signal: new AbortController().signal },
      ...changes,
    },
    (event) => events.push(event),
  );
  const written = events.findLast((event) => event.kind === 'accepted-together')?.judged.replacements ?? [];
  return { results, events, written };
}

it('takes back a proof from a statement that is refuted later, and looks at what it was to prove', async () => {
  const bIsFound = Promise.withResolvers<undefined>();
  const looked: string[] = [];
  const judge: Judge = (filled) => {
    if (filled.theorems.some(({ name }) => name === 'b')) bIsFound.resolve(undefined);
    return byNames(filled);
  };
  const { results, events, written } = await prove(ABOUT_A, {
    ...{ jobs: 2, judge },
    refuter: async ({ theorem: { name = '' } }) => {
      looked.push(name);
      if (name !== 'a') return undefined;
      await bIsFound.promise;
      return FALSE;
    },
  });
  expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual([
    ['a', 'refuted'],
    ['b', 'not-proved'],
    // Of `b` it is not known.
    ['c', 'proved-but'],
  ]);
  const { outcome } = results[1] ?? {};
  expect(outcome).toMatchObject({ kind: 'not-proved', restsOnFalse: ['a'] });
  expect(outcome).toHaveProperty('message', expect.stringContaining('rests on a, which is false'));
  expect(looked).toContain('b');
  expect(results[2]?.outcome).toMatchObject({ restsOnOpen: ['b'] });
  expect(written.map(({ text }) => text).join('\n')).not.toMatch(/\ba\b/u);
  expect(events.find(({ kind }) => kind === 'searched-again')).toMatchObject({
    theorem: 'b',
    without: ['a'],
  });
}, 120_000);

it('does not offer a statement that was refuted before', async () => {
  const { results, events } = await prove(ABOUT_A, {
    refuter: ({ theorem }) => Promise.resolve(theorem.name === 'a' ? FALSE : undefined),
  });
  expect(results.map(({ outcome }) => outcome.kind)).toEqual(['refuted', 'not-proved', 'proved-but']);
  expect(events.flatMap((event) => (event.kind === 'found' ? [event.theorem] : []))).toEqual(['c']);
}, 120_000);

it('is a proof without the open statement where there is one', async () => {
  const text = `Fixpoint f (n : nat) := match n with 0 => 0 | S m => S (f m) end.
Lemma a : forall n, f n = n.
Proof. Admitted.
Lemma b : forall n m, f n + f m = n + m.
Proof. Admitted.
`;
  const { results, events, written } = await prove(text, { theorems: ['b'], nodes: 300 });
  const found = events.flatMap((event) => (event.kind === 'found' ? [event.script] : []));
  expect(found[0]).toMatch(/\ba\b/u);
  expect(results[0]?.outcome).toMatchObject({
    kind: 'proved',
    script: expect.not.stringMatching(/\ba\b/u) as unknown,
  });
  expect(written).toHaveLength(1);
}, 120_000);

it('is what is left of a proof without a step that it does not need', () => {
  const script = { sentences: ['intros', 'pose proof (a n) as Ha; cbn', 'pose proof a'], children: [] };
  const left = [...withoutStatements(script, (text) => /\ba\b/u.test(text))].map(scriptSentences);
  expect(left.slice(0, 2)).toEqual([['intros.'], ['intros.', 'cbn.']]);
});
