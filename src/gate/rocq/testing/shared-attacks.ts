/**
 * The tests of the attacks and of the honest submissions: every cheat is found to be what it is by a real prover, and its
 * innocent twin is accepted. They take longest of all tests, and a test file is the work of one process: so each file
 * `attacks-N.test.ts` beside the judge has a share of them. The files that are there share all of them, whichever they are.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Attack, type GateCase, readAttacks, readInnocents } from './attack-files.ts';
import { coqc } from './installed-rocq.ts';
import { answersOf, judgeCheat, judgeInnocent, lackingFor } from './judged-case.ts';

const SHARING = readdirSync(join(import.meta.dirname, '..')).filter((name) =>
  /^attacks-\d+\.test\.ts$/u.test(name),
);

/** Every so-manieth case: those of one folder, which are alike, are spread over the files. */
export function shareOf<Case>(cases: readonly Case[], file: string): readonly Case[] {
  const own = SHARING.indexOf(basename(file));
  if (own < 0) throw new Error(`${file} is none of the files that share the attacks.`);
  return cases.filter((_, index) => index % SHARING.length === own);
}

/** The files that share them. */
export function sharingFiles(): readonly string[] {
  return SHARING;
}

/** @param file The test file, by which its share is known. */
export function tryShareOfAttacks(file: string): void {
  const attacks = shareOf(readAttacks(), file);
  describe.each([...new Set(attacks.map(({ group }) => group))])('attacks: %s', (group) => {
    for (const attack of attacks.filter((each) => each.group === group)) {
      it.skipIf(cannotTry(attack))(titleOf(attack), async () => {
        expect(answersOf(await judgeInnocent(attack))).toEqual(['accepted']);
        const answers = answersOf(await judgeCheat(attack));
        // When this fails, the hole is closed: the line `open` can go.
        if (attack.open !== undefined) expect(answers).toEqual(['accepted']);
        else expect(expectedOf(attack, answers)).toEqual(answers);
      });
    }
  });

  describe('honest submissions', () => {
    for (const innocent of shareOf(readInnocents(), file)) {
      it.skipIf(cannotTry(innocent))(titleOf(innocent), async () => {
        const answers = answersOf(await judgeInnocent(innocent));
        expect(answers).toEqual(innocent.expectation ?? ['accepted']);
      });
    }
  });
}

function cannotTry(one: GateCase): boolean {
  return coqc === undefined || lackingFor(one).length > 0;
}

function titleOf(one: GateCase): string {
  const lacking = lackingFor(one);
  return lacking.length === 0 ? one.name : `${one.name} (needs ${lacking.join(' and ')})`;
}

/** The answers themselves when one of them is expected. */
function expectedOf({ expectation }: Attack, answers: readonly string[]): readonly string[] {
  return answers.some((answer) => expectation.includes(answer)) ? answers : expectation;
}
