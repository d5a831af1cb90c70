/** `quod lean check`: an export through Quod's Lean kernel, and nothing else. */
import { readFileSync } from 'node:fs';
import { QuodError, errorText } from '../../core/errors.ts';
import { checkExport } from '../../gate/lean/check-export.ts';
import type { ExportCheck } from '../../gate/lean/check-export.ts';
import { readPackageVersion } from '../package-version.ts';
import type { ExitCode } from './exit-codes.ts';
import { listenForInterrupt } from './interrupt.ts';

export interface LeanCheckOptions {
  readonly axioms?: string;
  readonly allowAxiom?: readonly string[];
  readonly fuel?: number;
  readonly memory?: number;
  readonly json?: boolean;
}

export async function leanCheckCommand(path: string, options: LeanCheckOptions): Promise<ExitCode> {
  const axioms =
    options.axioms === undefined && options.allowAxiom === undefined
      ? undefined
      : [...(options.axioms === undefined ? [] : axiomList(options.axioms)), ...(options.allowAxiom ?? [])];
  const { signal, stop } = listenForInterrupt();
  let check: ExportCheck;
  try {
    check = await checkExport(
      { path, ...(axioms && { axioms }), ...(options.fuel !== undefined && { steps: options.fuel }) },
      { signal, ...(options.memory !== undefined && { memoryMb: options.memory }) },
    );
  } finally {
    stop();
  }
  if (options.json === true) console.log(JSON.stringify({ ...check, kernel: kernelName() }));
  else console.log(checkText(check));
  switch (check.kind) {
    case 'accepted':
      return 0;
    case 'rejected':
      return 1;
    case 'declined':
      return 2;
  }
}

function axiomList(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    throw new QuodError('not-found', `The list of axioms cannot be read: ${errorText(error)}.`, {
      place: { file: path },
      cause: error,
    });
  }
}

function kernelName(): string {
  return `quod ${readPackageVersion()}`;
}

function checkText({
  kind,
  problem,
  declarations,
  constants,
  axioms,
  unchecked,
  sha256,
}: ExportCheck): string {
  const lines: string[] = [kind];
  if (problem !== undefined) {
    lines.push(`  ${problem.declaration ?? 'a declaration without a name'}: ${problem.message}`);
    if (problem.terms !== undefined)
      lines.push(`    ${problem.terms[0]}`, '  is not', `    ${problem.terms[1]}`);
    lines.push(`  accepted before it: ${declarations} declarations, ${constants} constants`);
  } else {
    lines.push(`  ${declarations} declarations, ${constants} constants`);
  }
  lines.push(axioms.length === 0 ? '  no axioms' : `  axioms: ${axioms.join(', ')}`);
  if (unchecked.length > 0) lines.push(`  unsafe or partial, not checked: ${unchecked.join(', ')}`);
  lines.push(`  checked by the Lean kernel of ${kernelName()}`);
  if (sha256 !== undefined) lines.push(`  SHA-256 ${sha256}`);
  return lines.join('\n');
}
