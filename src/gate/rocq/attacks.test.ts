/** Every attack against a real prover: it is found to be what it is, and its innocent twin is accepted. */
import { describe, expect, it } from 'vitest';
import { type Attack, readAttacks, readInnocents } from './testing/attack-files.ts';
import { coqc } from './testing/installed-rocq.ts';
import { answersOf, judgeCheat, judgeInnocent, lackingFor } from './testing/judged-case.ts';

const ATTACKS = readAttacks();
const GROUPS = [...new Set(ATTACKS.map(({ group }) => group))];

describe.each(GROUPS)('attacks: %s', (group) => {
  for (const attack of ATTACKS.filter((each) => each.group === group)) {
    const lacking = lackingFor(attack);
    const title = lacking.length === 0 ? attack.name : `${attack.name} (needs ${lacking.join(' and ')})`;
    it.skipIf(coqc === undefined || lacking.length > 0)(title, async () => {
      expect(answersOf(await judgeInnocent(attack))).toEqual(['accepted']);
      const answers = answersOf(await judgeCheat(attack));
      // When this fails, the hole is closed: the line `open` can go.
      if (attack.open !== undefined) expect(answers).toEqual(['accepted']);
      else expect(expectedOf(attack, answers)).toEqual(answers);
    });
  }
});

/** The answers themselves when one of them is expected. */
function expectedOf({ expectation }: Attack, answers: readonly string[]): readonly string[] {
  return answers.some((answer) => expectation.includes(answer)) ? answers : expectation;
}

describe('honest submissions', () => {
  for (const innocent of readInnocents()) {
    const lacking = lackingFor(innocent);
    const title = [innocent.name, ...lacking.map((need) => `(needs ${need})`)].join(' ');
    it.skipIf(coqc === undefined || lacking.length > 0)(title, async () => {
      const answers = answersOf(await judgeInnocent(innocent));
      expect(answers).toEqual(innocent.expectation ?? ['accepted']);
    });
  }
});

it('attacks have names of their own, and say something wrong', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const ofSameTarget = ATTACKS.filter((attack) => attack['innocent target'] === undefined);
  expect(ofSameTarget.filter(({ cheat, innocent }) => cheat === innocent)).toEqual([]);
  expect(ATTACKS.filter(({ expectation }) => expectation.includes('accepted'))).toEqual([]);
});
