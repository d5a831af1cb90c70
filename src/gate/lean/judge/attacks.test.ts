/** Attacks on the judge, each with its innocent twin. */
import { describe, expect, it } from 'vitest';
import type { Attack } from './testing/attack.ts';
import { BYTE_ATTACKS } from './testing/byte-attacks.ts';
import { IMPORT_ATTACKS } from './testing/import-attacks.ts';
import { KERNEL_ATTACKS } from './testing/kernel-attacks.ts';
import { runAttack } from './testing/run-attack.ts';
import { STATEMENT_ATTACKS } from './testing/statement-attacks.ts';

const FAMILIES: readonly (readonly [string, readonly Attack[]])[] = [
  ['statements', STATEMENT_ATTACKS],
  ['the kernel', KERNEL_ATTACKS],
  ['imports and axioms', IMPORT_ATTACKS],
  ['bytes', BYTE_ATTACKS],
];

it('there are more than a hundred', () => {
  expect(FAMILIES.flatMap(([, attacks]) => attacks).length).toBeGreaterThan(100);
});

describe.each(FAMILIES)('%s', (_, attacks) => {
  it.each(attacks.map((attack) => [attack.name, attack] as const))('%s', (_name, attack) => {
    const { good, bad } = runAttack(attack);
    expect(good.verdict, 'the innocent twin').toMatchObject({ kind: 'accepted' });
    if (attack.expect === 'unreadable') {
      expect(bad.verdict).toMatchObject({
        kind: 'unknown',
        reason: expect.stringMatching(/^(file-unreadable|not-found)$/) as unknown,
      });
    } else {
      expect(bad.verdict).toMatchObject({
        kind: 'rejected',
        findings: expect.arrayContaining([expect.objectContaining({ kind: attack.expect })]) as unknown,
      });
    }
  });
});
