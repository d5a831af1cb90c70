import { expect, test } from 'vitest';
import { changesNothing, isCommand, withoutTiming } from './proof-commands.ts';

test.each(['Z.order.', 'Step_final (x[+]y).', 'auto.', 'case: x.', 'Settle x.', 'Open.go.', '[> a | b].'])(
  '%s is a tactic',
  (sentence) => {
    expect(isCommand(sentence)).toBe(false);
  },
);

test.each(['Open Scope Z_scope.', 'Local Opaque f.', 'Opaque f.', '#[local] Hint Resolve a : core.'])(
  '%s changes what follows',
  (sentence) => {
    expect(isCommand(sentence)).toBe(true);
    expect(changesNothing(sentence)).toBe(false);
  },
);

test.each(['Show.', 'SearchAbout x.', 'Unshelve.', 'Focus 2.'])(
  '%s changes nothing but goals',
  (sentence) => {
    expect(isCommand(sentence) && changesNothing(sentence)).toBe(true);
  },
);

test('what is measured is the tactic behind the word', () => {
  expect(withoutTiming('Time Timeout 5 auto.')).toBe('auto.');
});
