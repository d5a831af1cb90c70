import { expect, it } from 'vitest';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { hiddenHoles, holesOf } from './holes-of-file.ts';

const PROGRAM = 'Program Definition f : {n | n > 3} := 4.\n';

it.each([
  ['all were solved before', `${PROGRAM}Admit Obligations.`, [], []],
  ['one was left', `${PROGRAM}Admit Obligations.`, ['f_obligation_1'], ['obligations']],
  ['of another', `${PROGRAM}Admit Obligations of g.`, ['f_obligation_1'], ['f_obligation_1']],
  [
    'the one that was left is admitted by itself',
    `${PROGRAM}Next Obligation. Admitted.\nAdmit Obligations.`,
    ['f_obligation_1'],
    ['Next Obligation'],
  ],
  [
    'in a module behind a signature nobody can tell',
    `Module M : T.\n${PROGRAM}Admit Obligations.\nEnd M.`,
    [],
    ['obligations'],
  ],
  [
    'what is conjectured is no hole, and the name of a Goal is none of its own',
    'Conjectures a b : False.\nGoal False. Admitted.\nConjecture (c : False) (d : True).',
    ['a', 'b', 'Unnamed_thm', 'c', 'd', 'e'],
    ['Goal', 'e'],
  ],
  ['what is given up declares nothing', 'Goal True. Abort. Load "other".', ['g'], ['Goal', 'g']],
])('what the prover has admitted decides: %s', (_, text, admitted, wanted) => {
  const outline = outlineOf(text);
  const answers = { isFinished: () => false, admitted };
  const shown = holesOf(outline, answers).map(({ theorem }) => theorem);
  expect([...shown, ...hiddenHoles(outline, answers)]).toEqual(wanted);
});
