/** What a proof that the target leaves open declares is gone with that proof: nobody can be held to it. */
import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { verify } from '../verify.ts';
import type { Verdict } from '../verdict.ts';

const settings = {
  project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] },
  policy: { recheck: 'never' },
} as const;

function judge(target: string, submission: string): Promise<Verdict> {
  return verify({ path: 'T.v', text: target }, { path: 'S.v', text: submission }, settings);
}

const NESTED = 'Set Nested Proofs Allowed.\n';
/** Takes other variables than a proof does, so that what follows does not compile as it stands. */
const SECTION = (proof: string): string =>
  'Section S. Variables (x y : nat). Hypothesis e : x = y.\n' +
  `Theorem t0 : x = x. Proof. ${proof} End S.\nDefinition k : 0 = 0 := t0 0.\n`;

describe.skipIf(findExecutable(['coqc']) === undefined)('a hole that declares something', () => {
  const given = 'Theorem t : 1 = 1. reflexivity. Qed.\n';

  it.each([
    ['a definition by tactics', 'Definition h : nat. exact 5. Defined.', 'Definition h := 6.'],
    ['one that nobody keeps', 'Definition h : nat. exact 5. Defined.', ''],
    ['an instance', 'Class C := c : nat. Instance h : C. exact 5. Defined.', 'Class C := c : nat.'],
    ['a lemma by a term', 'Lemma h : True. Proof I.', ''],
    ['an obligation', 'Program Definition h : nat := _. Next Obligation. exact 5. Defined.', ''],
    ['a hole of its own', 'Lemma h : False. Admitted.', ''],
  ])('by %s inside of it is not judged', async (_, inside, instead) => {
    const target = `${NESTED}Theorem t : 1 = 1.\n${inside}\nAdmitted.\n`;
    expect(await judge(target, `${NESTED}${given}${instead}\n`)).toMatchObject({
      kind: 'unknown',
      reason: 'unsupported',
      message: expect.stringContaining('T.v:3:') as string,
    });
  });

  it('by a tactic that gives it a name is not judged', async () => {
    const target = 'Theorem t : 1 = 1. transparent_abstract reflexivity using h. Admitted.\n';
    expect(await judge(target, given)).toMatchObject({
      kind: 'unknown',
      reason: 'unsupported',
      message: expect.stringContaining('declares h') as string,
    });
  });

  it.each([
    ['nested', NESTED, 'Definition P : Prop. exact False. Defined.', /states something itself/u],
    ['by a tactic', '', 'assert Prop. transparent_abstract (exact False) using P.', /declares Z\.P/u],
  ])(
    'is not judged either where the target does not compile as it stands before it: %s',
    async (_, option, inside, told) => {
      const begin = `${option}Definition P := True.\nModule Z.\n`;
      const end = (hole: string, asked: string): string =>
        `Theorem t : True. ${hole}\nTheorem u : P. ${asked}\nEnd Z.\n`;
      const target = `${begin}${SECTION('Admitted.')}${end(`${inside} Admitted.`, 'Admitted.')}`;
      const submission = `${begin}${SECTION('reflexivity. Qed.')}${end('exact I. Qed.', 'exact I. Qed.')}`;
      expect(await judge(target, submission)).toMatchObject({
        kind: 'unknown',
        message: expect.stringMatching(told) as string,
      });
      // With tactics alone there it is accepted, and says what the choice could matter to.
      const twin = `${begin}${SECTION('Admitted.')}${end('assert True. exact I. Admitted.', 'Admitted.')}`;
      const verdict = await judge(twin, submission);
      expect(verdict).toMatchObject({ kind: 'accepted' });
      expect(verdict.kind === 'accepted' && verdict.restsOn.warnings).toMatchObject([
        { kind: 'variables-chosen' },
        { kind: 'not-rechecked' },
      ]);
    },
  );

  it('is judged where tactics leave what nobody means', async () => {
    const own = 'Inductive same {A} (x : A) : A -> Prop := here : same x x.\n';
    const stated = 'Theorem t : forall x y : nat, same x y -> x + 0 = 0 -> 1 = 1.\n';
    const script = 'intros x y H E. rewrite H in E. abstract reflexivity.';
    const target = `${own}${stated}${script} Admitted.\n`;
    expect((await judge(target, `${own}${stated}reflexivity. Qed.\n`)).kind).toBe('accepted');
  });
});
