/** `quod run original`: the bytes of a file, which a terminal's answer could not keep. */
import { resolve } from 'node:path';
import { foldRun } from '../../../agent/runs/fold.ts';
import { findRun, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { ExitCode } from '../exit/exit-codes.ts';

/** The file as it was before the run, byte for byte as text. */
export function originalCommand(wanted: string, { file }: { readonly file?: string }): ExitCode {
  const runs = runsFolder(process.cwd());
  const name = findRun(runs, wanted);
  const state = foldRun(readRun(runs, name));
  const files = state?.files ?? [];
  const found =
    file === undefined && files.length === 1
      ? files[0]
      : files.find((one) => one.file === resolve(orNothing(file)));
  if (found === undefined) {
    throw new QuodError('invalid-input', `Run ${name} worked on several files.`, {
      remedy: `Name one with --file: ${files.map((one) => one.file).join(', ')}.`,
    });
  }
  process.stdout.write(found.text);
  return 0;
}
