/** What holds of the attacks without any of them being tried: `attacks-N.test.ts` try them. */
import { expect, it } from 'vitest';
import { readAttacks, readInnocents } from './testing/attack-files.ts';
import { shareOf, sharingFiles } from './testing/shared-attacks.ts';

const ATTACKS = readAttacks();

it('attacks have names of their own, and say something wrong', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const ofSameTarget = ATTACKS.filter((attack) => attack['innocent target'] === undefined);
  expect(ofSameTarget.filter(({ cheat, innocent }) => cheat === innocent)).toEqual([]);
  expect(ATTACKS.filter(({ expectation }) => expectation.includes('accepted'))).toEqual([]);
});

it('every attack and every honest submission is tried by one file', () => {
  for (const cases of [ATTACKS, readInnocents()]) {
    const tried = sharingFiles().flatMap((file) => shareOf(cases, file));
    expect(tried).toHaveLength(cases.length);
    expect(new Set(tried)).toEqual(new Set(cases));
  }
});
