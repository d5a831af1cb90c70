/** Every recorded environment gets the answer of the official kernel. */
import { describe, expect, it } from 'vitest';
import { constantsOf } from '../declaration.ts';
import { CheckedExport, initPrelude, smallExports } from '../testing/recorded-exports.ts';

const recorded = smallExports();

describe('recorded environments', () => {
  it('are as many as were recorded', () => {
    expect(recorded.filter(({ good }) => good).length).toBe(72);
    expect(recorded.filter(({ good }) => !good).length).toBe(27);
  });

  it.each(recorded.filter(({ good }) => good))('accepts $name', ({ text }) => {
    expect(new CheckedExport(text).answer).toEqual({ kind: 'accepted' });
  });

  it.each(recorded.filter(({ good }) => !good))('rejects $name', ({ text }) => {
    expect(new CheckedExport(text).answer.kind).toBe('rejected');
  });

  it('accepts the whole of Init.Prelude', () => {
    const prelude = new CheckedExport(initPrelude());
    expect(prelude.answer).toEqual({ kind: 'accepted' });
    expect(prelude.declarations.flatMap(constantsOf).length).toBe(2059);
  });
});
