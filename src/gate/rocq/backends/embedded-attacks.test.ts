/** Chosen attacks against the Rocq inside Node, which takes its time; `bench/gate/attacks.ts --embedded` tries all. */
import { describe, expect, it } from 'vitest';
import { EmbeddedJudge } from './embedded-judge.ts';
import { readAttacks } from '../testing/attack-files.ts';
import { answersOf, judgeCheat, judgeInnocent } from '../testing/judged-case.ts';

const CHOSEN = readAttacks().filter(({ embedded }) => embedded === 'always');

describe('the embedded Rocq', () => {
  const backend = new EmbeddedJudge();

  it.each(CHOSEN.map((attack) => [`${attack.group}/${attack.name}`, attack] as const))(
    '%s',
    async (_, attack) => {
      expect(answersOf(await judgeInnocent(attack, backend))).toEqual(['accepted']);
      expect(attack.expectation).toContain(answersOf(await judgeCheat(attack, backend))[0]);
    },
    180_000,
  );
});
