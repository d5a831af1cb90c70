import { expect, test } from 'vitest';
import { refuseForbidden } from './forbidden-in-proof.ts';

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
