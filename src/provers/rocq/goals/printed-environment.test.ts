import { expect, it } from 'vitest';
import { behindEnvironment } from './printed-environment.ts';

// As Rocq 8.20 prints them.
const ENVIRONMENT = `In environment
a, b : nat
f : forall averylongname bverylongname cverylongname dverylongname : nat,
    averylongname = bverylongname -> cverylongname = dverylongname
c := 3 : nat
H : a = b`;

it('what stands behind the environment of a message is what is wrong', () => {
  const wrong = `The term "f" has type
 "forall averylongname bverylongname : nat,
  averylongname = bverylongname"
while it is expected to have type "b = a".`;
  expect(behindEnvironment(`${ENVIRONMENT}\n${wrong}`)).toBe(wrong);
  expect(behindEnvironment(`In nested Ltac calls to "foo", last call failed.\n${ENVIRONMENT}\nNo.`)).toBe(
    'In nested Ltac calls to "foo", last call failed.\nNo.',
  );
});

it('a message without one, or with nothing else, is whole', () => {
  const placeholder = 'Cannot infer this placeholder of type "a = b" in\nenvironment:\na, b : nat\nH : a = b';
  for (const message of ['Unable to unify "b" with "a".', placeholder, ENVIRONMENT, ''])
    expect(behindEnvironment(message)).toBe(message);
});

it('names over two lines, and a body with its type in a line of its own, are of the environment', () => {
  expect(behindEnvironment("In environment\na, b,\nc' : nat\nd := a + b\n: nat\nNo such goal.")).toBe(
    'No such goal.',
  );
});
