import { describe, expect, it } from 'vitest';
import { tacticsOfProof, tacticsOfSentence } from './tactic-list.ts';

describe('tacticsOfProof', () => {
  it.each<[string, string, string[]]>([
    ['sentences', 'Proof. intros n. reflexivity. Qed.', ['intros n', 'reflexivity']],
    ['chains', 'unfold f; red; ins. lia.', ['unfold f', 'red', 'ins', 'lia']],
    [
      'only semicolons outside of brackets',
      'destruct n; [ auto; lia | idtac ].',
      ['destruct n', '[ auto; lia | idtac ]'],
    ],
    ['no bullets and braces', '- auto. + { lia. } * easy.', ['auto', 'lia', 'easy']],
    ['no comments, blanks collapsed', 'rewrite (* ; *)\n   H1 ;\n auto.', ['rewrite H1', 'auto']],
    ['no clause of Proof', 'Proof using A B. auto. Defined.', ['auto']],
    ['the term of `Proof term`', 'Proof (fun x => x).', ['Proof (fun x => x)']],
    ['strings with semicolons', 'idtac "a; b"; auto.', ['idtac "a; b"', 'auto']],
    ['dots of names', 'rewrite Nat.add_comm, Z.opp_0...', ['rewrite Nat.add_comm, Z.opp_0']],
    ['nothing', 'Proof. Qed.', []],
    ['no unfinished sentence', 'intros. spl', ['intros']],
  ])('keeps %s', (_, proof, tactics) => {
    expect(tacticsOfProof(proof)).toEqual(tactics);
  });

  it('reads a sentence without its dot', () => {
    expect(tacticsOfSentence('case: x => [|y] //; by auto')).toEqual(['case: x => [|y] //', 'by auto']);
  });
});
