import { describe, expect, it } from 'vitest';
import { recommendedTactic } from './baselines.ts';

// Printed by CoqHammer 1.3.2 for Coq 8.16.
describe('what hammer recommends', () => {
  it('is read when a prover found it', () => {
    const said =
      'CVC4 (knn-64) succeeded\nTactic scongruence succeeded.\nReplace the hammer tactic with:\n' +
      '\tscongruence use: Nat.add_comm, app_length.\n';
    expect(recommendedTactic(said)).toBe('scongruence use: Nat.add_comm, app_length');
  });

  it('is read when it needed no prover', () => {
    expect(recommendedTactic('Replace the hammer tactic with: sfirstorder \nmore')).toBe('sfirstorder');
  });

  it('is given the parentheses that it is printed without', () => {
    const said =
      'Tactic srun eauto succeeded.\nReplace the hammer tactic with:\n\tsrun eauto use: rev_ind.\n';
    expect(recommendedTactic(said)).toBe('srun (eauto) use: rev_ind');
  });

  it('is nothing when hammer failed', () => {
    expect(recommendedTactic('Error:\nHammer failed: proof reconstruction failed.')).toBeUndefined();
  });
});
