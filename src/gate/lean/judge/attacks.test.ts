/** Attacks on the judge, each with its innocent twin. */
import { describe, expect, it } from 'vitest';
import { present } from '../../../core/entry.ts';
import type { LeanJudgement } from './judge.ts';
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

/** The kinds of what an accepted submission is said to prove. */
function judgedKinds({ verdict, outcomes }: LeanJudgement): readonly (string | undefined)[] {
  const statements = verdict.kind === 'accepted' ? verdict.statements : [];
  return statements.map(
    ({ name }) =>
      outcomes.find(({ submission }) => submission?.constant.name.toString() === name)?.target.constant.kind,
  );
}

describe.each(FAMILIES)('%s', (_, attacks) => {
  it.each(attacks.map((attack) => [attack.name, attack] as const))('%s', (_name, attack) => {
    const { good, bad } = runAttack(attack);
    expect(good.verdict, 'the innocent twin').toMatchObject({ kind: 'accepted' });
    expect(['theorem', 'definition', 'opaque'], 'what is told as judged').toEqual(
      expect.arrayContaining([...judgedKinds(good)]),
    );
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

it('a definition that may change has to be one of the target', () => {
  const [attack] = STATEMENT_ATTACKS;
  const { good } = runAttack({ ...present(attack, 'attack'), policy: { definitionsMayChange: ['tt'] } });
  expect(good.verdict).toMatchObject({
    kind: 'unknown',
    message: expect.stringContaining('The policy names tt; the target has no such definition') as unknown,
  });
});
