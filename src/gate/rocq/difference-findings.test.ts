/** What is told of a submission that the separate checker does not take. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { readCompiledFile } from './compiled/compiled-file.ts';
import { checkerDidNotFinish, kernelFinding } from './difference-findings.ts';
import { Script } from './text/script.ts';

it.skipIf(findExecutable(['coqc']) === undefined)(
  'what a machine has checked is named, where the checker refuses a file or does not finish with it',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-checker-told-'));
    try {
      const path = join(folder, 'S.v');
      const told = (proof: string): readonly string[] => {
        const text = `Lemma other : 1 = 1. Proof. reflexivity. Qed.\nLemma t : 2 = 2. Proof. ${proof} Qed.\n`;
        writeFileSync(path, text);
        execFileSync('coqc', ['-q', path], { stdio: 'ignore' });
        const file = readCompiledFile(readFileSync(join(folder, 'S.vo')));
        const { message } = kernelFinding(new Script({ path, text }), file, 'Type error: no.');
        return [message, checkerDidNotFinish(file, 'It was too long.')];
      };
      for (const message of told('vm_compute. reflexivity.'))
        expect(message).toContain(' t: the virtual machine (`vm_compute`) has checked a proof there.');
      for (const message of told('reflexivity.')) expect(message).not.toContain('machine');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
