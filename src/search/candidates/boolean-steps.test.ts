import { expect, it } from 'vitest';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { Definitions } from '../libraries/definitions.ts';
import { booleanCandidates } from './boolean-steps.ts';
import { COSTS } from './costs.ts';

function offered(
  hypotheses: Readonly<Record<string, string>>,
  conclusion: string,
  ssreflect = true,
): string[] {
  const setting = { definitions: new Definitions(), ssreflect, costs: COSTS };
  return booleanCandidates(goal(hypotheses, conclusion), setting).map(({ text }) => text);
}

it('takes booleans apart that are stated as facts, where the file speaks SSReflect', () => {
  expect(offered({}, '[&& a, b & c] -> a')).toEqual(['case/andP']);
  expect(offered({}, 'a && b -> a')).toEqual(['case/andP']);
  expect(offered({}, 'a || b -> b || a')).toEqual(['case/orP']);
  expect(offered({}, 'a && b')).toEqual(['apply/andP; split']);
  expect(offered({ H: 'a && b' }, 'a')).toEqual(['case/andP: H']);
  expect(offered({ H: 'a && b' }, 'a && b', false)).toEqual([]);
  expect(offered({}, '(a && b) = a')).toEqual([]);
});
