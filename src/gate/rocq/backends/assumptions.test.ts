import { describe, expect, it } from 'vitest';
import { parseAssumptions, parseLocated } from './assumptions.ts';

describe('the answer of Print Assumptions', () => {
  it('is empty, or lists axioms and what was not checked', () => {
    expect(parseAssumptions('Closed under the global context\n')).toEqual({ axioms: [], disabledChecks: [] });
    expect(
      parseAssumptions(
        "Axioms:\nClassical_Prop.classic : forall P : Prop, or P (not P)\nM.ax' : True\nM.f is assumed to be guarded.\n",
      ),
    ).toEqual({
      axioms: [
        { name: 'Classical_Prop.classic', type: 'forall P : Prop, or P (not P)' },
        { name: "M.ax'", type: 'True' },
      ],
      disabledChecks: ['M.f is assumed to be guarded.'],
    });
  });

  it('may break its lines after a name or inside a type', () => {
    expect(parseAssumptions('Axioms:\nsome_long_name\n  : forall n,\n    n = n\nother : True\n')).toEqual({
      axioms: [
        { name: 'some_long_name', type: 'forall n, n = n' },
        { name: 'other', type: 'True' },
      ],
      disabledChecks: [],
    });
  });

  it('reads an axiom of which a signature hides what it says', () => {
    expect(parseAssumptions('Axioms:\nM.hidden\nother : True\nM.last\n')).toEqual({
      axioms: [
        { name: 'M.hidden', type: '' },
        { name: 'other', type: 'True' },
        { name: 'M.last', type: '' },
      ],
      disabledChecks: [],
    });
  });

  it.each([
    '',
    'Axioms:\n  : forall n, n = n\n',
    'ax : False\n',
    'Closed under the global context\nAxioms:\nax : False\n',
    'Axioms:\n?? : False\n',
  ])('is not guessed at: %j', (answer) => {
    expect(parseAssumptions(answer)).toBeUndefined();
  });
});

it('what Locate says of shorter names is what assumptions are printed with', () => {
  const answer =
    'Constant Coq.Logic.Classical_Prop.classic (shorter name to refer to it in current context is Classical_Prop.classic)\n' +
    'Constant Mine.classic\n' +
    'Constant Other.A.classic\n  (shorter name to refer to it in current context is A.classic)\n';
  expect(parseLocated(answer)).toEqual([
    ['Classical_Prop.classic', 'Coq.Logic.Classical_Prop.classic'],
    ['Mine.classic', 'Mine.classic'],
    ['A.classic', 'Other.A.classic'],
  ]);
  for (const other of ['No term of basename classic', 'Constant Mine.classic⁺'])
    expect(parseLocated(other)).toEqual([]);
});

it('what an axiom without inhabitants was used for is no axiom', () => {
  const printed = 'Axioms:\nax : False\nused in t to prove\n  1 = 2\nother : 1 = 2';
  expect(parseAssumptions(printed)).toEqual({
    axioms: [
      { name: 'ax', type: 'False' },
      { name: 'other', type: '1 = 2' },
    ],
    disabledChecks: [],
  });
  expect(parseAssumptions('used in t to prove\n  1 = 2')).toBeUndefined();
});
