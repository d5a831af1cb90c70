import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePolicy } from '../../../../src/gate/policy.ts';
import { policyText, readPolicyText, USUAL, type PolicyChoice } from './policy-choice.ts';

const names = fc.array(fc.stringMatching(/^[A-Za-z][\w.]{0,8}$/), { minLength: 1, maxLength: 3 });
const choice: fc.Arbitrary<PolicyChoice> = fc.record({
  theorems: fc.oneof(fc.constant([]), names),
  axioms: fc.oneof(fc.constant('target' as const), names),
  logic: fc.subarray(['excluded-middle', 'choice', 'function-extensionality']),
  flags: fc.subarray(['vm-compute', 'type-in-type', 'unchecked-guard']),
  helperLemmas: fc.boolean(),
  requireSandbox: fc.boolean(),
});

it('what the form says is read back, and is a policy that the gate takes', () => {
  fc.assert(
    fc.property(choice, (chosen) => {
      const text = policyText('{}', chosen);
      expect(readPolicyText(text)).toEqual(chosen);
      expect(() => parsePolicy(text, 'policy.json')).not.toThrow();
    }),
  );
});

it('says nothing where all is as usual, and keeps what it does not know', () => {
  expect(policyText('{}', USUAL)).toBe('{}');
  const text = policyText('{"recheck": "never", "helperLemmas": false}', { ...USUAL, requireSandbox: true });
  expect(JSON.parse(text)).toEqual({ recheck: 'never', requireSandbox: true });
});

it('a text that is no policy is read as the usual one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(Object.keys(readPolicyText(text)).sort()).toEqual(Object.keys(USUAL).sort());
    }),
  );
});
