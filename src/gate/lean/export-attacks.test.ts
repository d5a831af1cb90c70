/** Attacks on the check of exports, each with its innocent twin. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExportHere } from './check-export.ts';
import type { KernelCheck } from './kernel-check.ts';
import { EXPORT_ATTACKS, type Edit, type ExportAttack, type Step } from './testing/export-attacks.ts';
import { writtenExport } from './testing/written-export.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-attacks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function judged(attack: ExportAttack, steps: readonly Step[], edits: readonly Edit[]): KernelCheck {
  const [path, target] = [join(folder, 'submission'), join(folder, 'target')];
  writeFileSync(path, writtenExport(steps, edits));
  if (attack.target !== undefined) writeFileSync(target, writtenExport(attack.target));
  return checkExportHere({
    path,
    theorems: attack.theorems ?? ['t'],
    ...(attack.axioms && { axioms: attack.axioms }),
    ...(attack.target && { target }),
  });
}

describe('attacks on exports', () => {
  it.each(EXPORT_ATTACKS.map((attack) => [attack.name, attack] as const))('%s', (_, attack) => {
    const twin = judged(attack, attack.twin, attack.twinEdits ?? []);
    expect(twin, 'the innocent twin').toMatchObject({ kind: 'accepted', findings: [] });
    const check = judged(attack, attack.submission, attack.edits ?? []);
    if (attack.expectation === 'unknown') expect(check.kind).toBe('unknown');
    else expect(check).toMatchObject({ kind: 'rejected', findings: [{ kind: attack.expectation }] });
  });
});
