/** Every attack on the check of exports is found to be what it is, and its innocent twin is accepted. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkExportHere } from './check-export.ts';
import type { KernelCheck } from './kernel-check.ts';
import { type ExportAttack, readExportAttacks } from './testing/attack-files.ts';
import { exportOf } from './testing/export-notation.ts';

const ATTACKS = readExportAttacks();
const GROUPS = [...new Set(ATTACKS.map(({ group }) => group))];
const folder = mkdtempSync(join(tmpdir(), 'quod-attacks-lean-'));
afterAll(() => rmSync(folder, { recursive: true }));

function judged({ policy, target }: ExportAttack, submission: string): KernelCheck {
  const [path, targetPath] = [join(folder, 'submission'), join(folder, 'target')];
  writeFileSync(path, exportOf(submission));
  if (target !== undefined) writeFileSync(targetPath, exportOf(target));
  return checkExportHere({
    path,
    theorems: policy.theorems,
    steps: 2_000_000,
    ...(policy.axioms && { axioms: policy.axioms }),
    ...(target !== undefined && { target: targetPath }),
  });
}

describe.each(GROUPS)('attacks on exports: %s', (group) => {
  it.each(ATTACKS.filter((attack) => attack.group === group))('$name', (attack) => {
    const twin = judged(attack, attack.innocent);
    expect(twin, 'the innocent twin').toMatchObject({ kind: 'accepted', findings: [] });

    const { kind, reason, message, findings } = judged(attack, attack.cheat);
    const answers = kind === 'rejected' ? findings.map((finding) => finding.kind) : [reason ?? kind];
    const expected = answers.some((answer) => attack.expectation.includes(answer))
      ? answers
      : attack.expectation;
    expect(answers, message ?? findings[0]?.message).toEqual(expected);
  });
});

it('attacks have names of their own, and differ from their twins', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(ATTACKS.filter(({ cheat, innocent }) => cheat === innocent)).toEqual([]);
});

it('docs/judge/lean-kernel.md counts them as they are', () => {
  const page = readFileSync(new URL('../../../docs/judge/lean-kernel.md', import.meta.url), 'utf8');
  for (const group of GROUPS) {
    const { length } = ATTACKS.filter((attack) => attack.group === group);
    expect(page).toMatch(new RegExp(`^\\| ${group.replaceAll('-', ' ')} \\|.*\\| ${length} \\|$`, 'm'));
  }
  expect(page).toContain(`${ATTACKS.length} attacks on exports`);
});
