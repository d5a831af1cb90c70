/** Which of an author's steps are not in a proof that was found, by the text alone. */
import { expect, it } from 'vitest';
import { present } from '../../core/entry.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { stepsSetAside } from './set-aside-steps.ts';

const SPLIT: ScriptTree = {
  sentences: ['intros n', 'split'],
  children: [
    { sentences: ['auto'], children: [] },
    { sentences: ['lia'], children: [] },
  ],
};

function asideOf(proof: string, script: ScriptTree = SPLIT): string | undefined {
  const text = `Lemma t : True.\n${proof}`;
  const outline = outlineOf(text);
  const aside = stepsSetAside(outline, present(outline.statements[0], 'statement'), script);
  return aside && `${text.slice(0, aside.start).split('\n').length}: ${aside.text}`;
}

it.each([
  ['all of them', 'Proof.\n  left.\nAdmitted.', '3: left.'],
  [
    'those behind the ones that stay',
    'Proof.\n  intros n.\n  (* so *) left;\n    auto.\n  idtac. admit.\nAdmitted.',
    '4: left; auto. idtac.',
  ],
  ['none, where each stays', 'Proof.\n  intros n .\n  split.\n  - auto.\n  - admit.\nAdmitted.', undefined],
  ['none, where there are none', 'Proof.\nadmit.\nAdmitted.', undefined],
  [
    'none, where it only names otherwise',
    'Proof.\n  intros m.\n  split as [x | y].\n  - admit.\nAdmitted.',
    undefined,
  ],
  [
    'what differs behind steps that name otherwise',
    'Proof.\n  intros x y.\n  split as [x | y].\n  intros z. ring.\nAdmitted.',
    '5: ring.',
  ],
  ['none of a proof that is finished', 'Proof.\n  left.\nQed.', undefined],
])('%s', (_, proof, expected) => {
  expect(asideOf(proof)).toBe(expected);
});
