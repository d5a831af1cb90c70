/** An allowed axiom is the target's of that name, whichever way target and submission come in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExportHere } from './check-export.ts';
import { all, type Build } from './judge/testing/attack.ts';
import { runAttack } from './judge/testing/run-attack.ts';
import { exportOf } from './testing/export-notation.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-axioms-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What may stand under the name that is allowed; `use` is a proof of `False → True` that rests on it. */
interface Declared {
  readonly levels: string;
  readonly type: string;
  readonly use: string;
}

const DECLARED: readonly Declared[] = [
  { levels: '', type: 'True', use: 'fun (h : False) => my' },
  { levels: '', type: 'False', use: 'fun (h : False) => False.rec.{0} (fun (x : False) => True) my' },
  { levels: '', type: '∀ (A : Prop), A', use: 'my (False → True)' },
  { levels: 'u', type: '∀ (A : Sort u), A', use: 'my.{0} (False → True)' },
  { levels: 'v', type: '∀ (A : Sort v), A', use: 'my.{0} (False → True)' },
];
const STATEMENT = 'False → True';
const written = ({ levels, type }: Declared): string =>
  `axiom my${levels === '' ? '' : `.{${levels}}`} : ${type}`;

const PAIRS = DECLARED.flatMap((submission) =>
  [undefined, ...DECLARED].map((target) => ({
    submission,
    target,
    says: `${target === undefined ? 'nothing' : written(target)} / ${written(submission)}`,
  })),
);

describe.each(PAIRS)('target / submission: $says', ({ target, submission }) => {
  const isAllowed = target === undefined || target === submission;

  it('as exports', () => {
    const [path, targetPath] = [join(folder, 'submission'), join(folder, 'target')];
    writeFileSync(path, exportOf(`${written(submission)}\ntheorem t : ${STATEMENT} := ${submission.use}`));
    const own = target === undefined ? '' : `${written(target)}\n`;
    const open = `theorem t : ${STATEMENT} := sorryAx.{0} (${STATEMENT}) Bool.false`;
    writeFileSync(targetPath, exportOf(`${own}${open}`));
    for (const axioms of [['my'], 'any'] as const)
      for (const theorems of [[], ['t']]) {
        const check = checkExportHere({ path, target: targetPath, axioms, theorems });
        expect(check.kind).toBe(isAllowed ? 'accepted' : 'rejected');
        // Nobody has to be told of an axiom that was compared.
        expect(check.allowedByName.map(({ name }) => name)).toEqual(target === undefined ? ['my'] : []);
        expect(check.findings.map(({ kind, subject }) => [kind, subject])).toEqual(
          isAllowed ? [] : [['new-axiom', 'my']],
        );
      }
    expect(checkExportHere({ path, target: targetPath, axioms: [] }).kind).toBe('rejected');
  });

  it('as compiled modules', () => {
    const build: Build = all(
      (module) => module.axiom('my', submission.type, submission.levels),
      (module) => module.theorem('t', STATEMENT, submission.use),
    );
    const { bad } = runAttack({
      name: 'an axiom',
      expect: 'new-axiom',
      policy: { allowedAxioms: ['my'] },
      target: all(
        (module) => target && module.axiom('my', target.type, target.levels),
        (module) => module.open('t', STATEMENT),
      ),
      good: build,
      bad: build,
    });
    expect(bad.verdict.kind).toBe(isAllowed ? 'accepted' : 'rejected');
    expect(bad.remarks.length).toBe(target === undefined ? 1 : 0);
  });
});

it('a module says that an allowed axiom speaks of a definition that the submission has filled', () => {
  const judged = (value: string) =>
    runAttack({
      name: 'an axiom about a hole',
      expect: 'new-axiom',
      policy: { allowedAxioms: ['my'] },
      target: all(
        (module) => module.definition('P', 'Prop', 'sorryAx.{1} Prop Bool.false'),
        (module) => module.axiom('my', 'P'),
        (module) => module.open('t', STATEMENT),
      ),
      good: () => {},
      bad: all(
        (module) => module.definition('P', 'Prop', value),
        (module) => module.axiom('my', 'P'),
        (module) => module.theorem('t', STATEMENT, `fun (h : False) => (fun (p : P) => True.intro) my`),
      ),
    }).bad;
  const { verdict, remarks } = judged('False');
  expect(verdict.kind).toBe('accepted');
  expect(remarks).toEqual(['the axiom my speaks of P, which has another value, against the target']);
});
