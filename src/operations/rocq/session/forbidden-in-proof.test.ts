import { expect, test } from 'vitest';
import { noTactic, refuseForbidden } from './forbidden-in-proof.ts';

test.each(['Undo.', 'auto. Restart.', 'Back 2.', 'Time Undo.'])(
  '%s: it is said how a session goes back',
  (script) => {
    const refused = (): void => refuseForbidden(script, new Set());
    expect(refused).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining('`from`') as unknown }),
    );
  },
);

test('what reaches beyond the prover is sent into the file', () => {
  const refused = (): void => refuseForbidden('Load "x".', new Set());
  expect(refused).toThrow(expect.objectContaining({ remedy: expect.stringContaining('plugins') as unknown }));
});

test.each(['Locate File "/etc/shadow".', 'Time Locate (* a *) File "a". Check 0.', 'Fail Locate File "a".'])(
  'whether a file is there is not told: %s',
  (script) => {
    expect(() => refuseForbidden(script, new Set())).toThrow(
      'The command Locate File (it tells which files there are) is not run in a session',
    );
  },
);

test('what locates no file is run', () => {
  expect(() =>
    refuseForbidden('Locate nat. Locate "+". Locate File. Locate Library Nat.', new Set()),
  ).not.toThrow();
});

test.each([
  ['(* First we introduce. Then we use the lemma. *) auto.', 'Then we'],
  ['intros.\nidtac "First. Then". auto.', 'Then"'],
  ['Axiom F : False. exact I.', 'Axiom F'],
  ['(* First a. Then b. Then c. *) auto.', 'Then b'],
])('what may be a command is named with its place: %s', (script, at) => {
  expect(noTactic(script, new Set())?.span.start).toBe(script.indexOf(at));
});

test('a long proof is looked through once', () => {
  const script = `${'auto. (* a. *)\n'.repeat(2000)}(* Then b. Then c. *)${'\nauto. (* a. *)'.repeat(2000)}`;
  const begun = performance.now();
  expect(noTactic(script, new Set())?.span.start).toBe(script.indexOf('Then c'));
  expect(performance.now() - begun).toBeLessThan(3000);
});
