/**
 * Which files of the judge of Rocq decide, and which can only refuse, warn or explain, as docs/judge/trust.md says. Every
 * file is one or the other, and what decides uses what explains only where the answer can do no more than refuse or warn.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const HERE = import.meta.dirname;

/** A defect in one of these can do no more than refuse what is right, or say something unhelpful. */
const EXPLAIN = new Set([
  ...[
    'account.ts',
    'difference-findings.ts',
    'target-problem.ts',
    'as-in-project.ts',
    'libraries/project-libraries.ts',
    'libraries/rechecked-libraries.ts',
    'warnings/chosen-values.ts',
    'kernel-doubts/kernel-doubts.ts',
    'kernel-doubts/functor-names.ts',
    'kernel-doubts/private-types.ts',
    'kernel-doubts/required-types.ts',
    'kernel-doubts/unconfirmed-types.ts',
    'recursion/computation.ts',
    'recursion/functor-parameters.ts',
    'recursion/guarded-recursion.ts',
    'recursion/kernel-terms.ts',
    'recursion/productive-corecursion.ts',
    'recursion/recursion-findings.ts',
    'recursion/recursion-of-target.ts',
    'recursion/recursive-types.ts',
    'recursion/section-arguments.ts',
    'recursion/sizes.ts',
    'recursion/unchanging-types.ts',
    'recursion/unconfirmed-recursion.ts',
    'warnings/machine-checked.ts',
    'comparison/section-usage.ts',
    'comparison/spoken-names.ts',
    'comparison/level-names.ts',
  ],
  // Of the second of these the prover refuses what was loaded otherwise than a compiled file says.
  ...['rest-of-file.ts', 'loaded-ahead.ts', 'begin-proofs.ts'],
  ...[
    'backends/coqc-error.ts',
    'backends/checker-words.ts',
    'backends/linked-folders.ts',
    'backends/outside-links.ts',
    'text/commands.ts',
    'text/compile-finding.ts',
    'text/declared-texts.ts',
    'text/declared-types.ts',
    'text/own-name.ts',
    'text/text-findings.ts',
  ],
  // These keep the machine, the rest of a file and the compiler from what a submission could do to them.
  ...[
    'text/restricted-text.ts',
    'text/proof-commands.ts',
    'text/lost-with-proof.ts',
    'backends/installed-plugins.ts',
  ],
]);

/** Where what decides calls what explains: the answer is a finding, a warning, or a choice that is compared afterwards. */
const BORDER = new Set([
  'changed-proofs.ts -> target-problem.ts',
  'changed-proofs.ts -> text/lost-with-proof.ts',
  'changed-proofs.ts -> text/restricted-text.ts',
  'compared-submission.ts -> difference-findings.ts',
  'compared-submission.ts -> libraries/project-libraries.ts',
  'compared-submission.ts -> libraries/rechecked-libraries.ts',
  'compared-submission.ts -> kernel-doubts/kernel-doubts.ts',
  'compared-submission.ts -> target-problem.ts',
  'compared-submission.ts -> text/declared-texts.ts',
  'judgement.ts -> difference-findings.ts',
  'judged-submission.ts -> account.ts',
  'judged-submission.ts -> libraries/project-libraries.ts',
  'judged-submission.ts -> target-problem.ts',
  'judged-submission.ts -> text/compile-finding.ts',
  'judged-submission.ts -> text/proof-commands.ts',
  'judged-submission.ts -> text/restricted-text.ts',
  'judged-submission.ts -> text/text-findings.ts',
  'backends/compiled-questions.ts -> backends/installed-plugins.ts',
  'backends/embedded-judge.ts -> backends/coqc-error.ts',
  'backends/native-judge.ts -> backends/coqc-error.ts',
  'backends/native-judge.ts -> backends/installed-plugins.ts',
  'backends/native-judge.ts -> backends/outside-links.ts',
  'backends/separate-checker.ts -> backends/checker-words.ts',
  'backends/separate-checker.ts -> backends/linked-folders.ts',
  'reference.ts -> comparison/section-usage.ts',
  'reference.ts -> target-problem.ts',
  'rocq-judge.ts -> as-in-project.ts',
  'rocq-judge.ts -> text/own-name.ts',
  'submission-assumptions.ts -> difference-findings.ts',
  'submission-assumptions.ts -> warnings/chosen-values.ts',
  'target-plugins.ts -> text/commands.ts',
  'text/reference-text.ts -> text/commands.ts',
]);

/** What the judge relies on of the folders below, beside what reads the text of a target. */
const BELOW = ['provers/rocq/segment-table.ts'];

const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing/'))
  .map((name) => ({ name, text: readFileSync(join(HERE, name), 'utf8') }));
const deciding = files.filter(({ name }) => !EXPLAIN.has(name));
const below = BELOW.map((name) => ({ name, text: readFileSync(join(HERE, '../..', name), 'utf8') }));
const page = readFileSync(join(HERE, '../../../docs/judge/trust.md'), 'utf8');

const linesOf = (those: readonly { readonly text: string }[]): number =>
  those.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

it('what decides uses what explains only at the border', () => {
  const uses = deciding.flatMap(({ name, text }) =>
    [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gmu)]
      .map(([, path = '']) => join(dirname(name), path))
      .filter((path) => EXPLAIN.has(path))
      .map((path) => `${name} -> ${path}`),
  );
  expect(uses.filter((use) => !BORDER.has(use))).toEqual([]);
  expect([...BORDER].filter((use) => !uses.includes(use))).toEqual([]);
});

it('the page names every file that only explains, and no number is too small', () => {
  const names = new Set(files.map(({ name }) => name));
  expect([...EXPLAIN].filter((name) => !names.has(name))).toEqual([]);
  for (const name of EXPLAIN) expect(page).toContain(`\`${basename(name)}\``);
  const most = /decide, in less than ([\d,]+) lines/u.exec(page)?.[1]?.replaceAll(',', '');
  for (const name of BELOW) expect(page).toContain(`src/${name}`);
  const lines = linesOf([...deciding, ...below]);
  expect(lines).toBeLessThan(Number(most));
  expect(lines).toBeGreaterThan(Number(most) - 300);
});
